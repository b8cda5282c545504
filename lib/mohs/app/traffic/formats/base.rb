# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      module Formats
        # What a member must have. A log is bytes: in it stands what strangers sent.
        #   .line?(line)   does this line (String of bytes, without its end) tell of a request, as
        #                  this format does? The first of a log say which format it is.
        #   #read(lines)   of Traffic::Lines: yields a Traffic::Entry for each request, finished or
        #                  not, and for each line that should be one and can't be read
        #                  (Entry.unreadable). Other lines, which are part of the format, are passed
        #                  over.
        class Base
          # What the format is called: the name of its file.
          #: () -> String
          def self.label = name[/\w+\z/].downcase

          # How many of the first lines of a log are of this format.
          #: (Array[String]) -> Integer
          def self.likeness(head) = head.count { |line| line?(line) }

          # Where each line that is not empty is a request: what #entry(line) makes of it, nil where
          # it can't be read.
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
