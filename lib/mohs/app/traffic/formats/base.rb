# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      module Formats
        # The contract of a format. A log is bytes: it contains what strangers sent.
        #   .line?(line)   is this line (bytes, without line end) a request in this format?
        #                  The first lines of a log decide which format it has.
        #   #read(lines)   reads Traffic::Lines; yields a Traffic::Entry for each request, finished
        #                  or not, and for each line that should be a request but can't be parsed
        #                  (Entry.unreadable). Other lines of the format are skipped.
        class Base
          extend Family::Member

          # How many of the first lines of a log have this format.
          #: (Array[String]) -> Integer
          def self.likeness(head) = head.count { |line| line?(line) }

          # For formats in which each non-empty line is a request: yields #entry(line), or an
          # unreadable entry if that is nil.
          #: (Traffic::Lines) { (Traffic::Entry) -> void } -> void
          def read(lines)
            lines.each do |line|
              yield entry(line) || Entry.unreadable(line) unless line.strip.empty?
            end
          end
        end
      end
    end
  end
end
