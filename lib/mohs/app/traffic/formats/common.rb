# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      module Formats
        # The Common Log Format of Apache (mod_log_config) and of many others:
        #
        #     127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /x?y=1 HTTP/1.0" 200 2326
        #
        # perhaps after the name of a virtual host.
        class Common < Base
          QUOTED = /"(?:[^"\\]|\\.)*"/n
          TIME = %r{\[\d{1,2}/\w{3}/\d{4}:[\d:]{8} [+-]\d{4}\]}n
          START = /\A\S+\s.*?#{TIME} "(?<request>(?:[^"\\]|\\.)*)" (?<status>\d{3}) (?:\d+|-)/n
          LINE = /#{START}\s*\z/n

          # The request line.
          REQUEST = %r{\A(?<method>[A-Z]+) (?<target>\S.*?)(?: HTTP/\d(?:\.\d)?)?\z}n

          #: (String) -> bool
          def self.line?(line) = line.match?(self::LINE)

          private

          def entry(line)
            found = self.class::LINE.match(line) or return
            request = REQUEST.match(unescaped(found[:request]))
            Entry.new(method: request && request[:method], target: request && request[:target],
                      status: found[:status].to_i)
          end

          # Servers write anything but printable ASCII as \xHH, and a quotation mark as \" or \x22.
          def unescaped(text)
            text.gsub(/\\(?:x(\h\h)|(["\\]))/n) { $1 ? $1.hex.chr.b : $2 }
          end
        end
      end
    end
  end
end
