# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      module Formats
        # What a member must have. A log is bytes: it contains what strangers sent.
        #   .line?(line)   is this line (String of bytes, without its end) a request in this format?
        #                  The first lines of a log decide which format it has.
        #   #read(lines)   of Traffic::Lines: yields a Traffic::Entry for each request, finished or
        #                  not, and for each line that should be one and can't be read
        #                  (Entry.unreadable). Other lines of the format are skipped.
        class Base
          extend Family::Member

          # How many of the first lines of a log have this format.
          #: (Array[String]) -> Integer
          def self.likeness(head) = head.count { |line| line?(line) }

          # For formats in which each line that is not empty is a request: yields #entry(line),
          # which is nil if it can't be read.
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
