# frozen_string_literal: true

require "json"

module Mohs
  class App
    class Traffic
      module Formats
        # The line that the gem lograge writes for each request, as key=value or JSON, possibly
        # after Rails' own prefix. There are no query strings: lograge omits them.
        #
        #     method=GET path=/posts/1 format=html controller=Posts status=200 duration=5.1
        #     {"method":"GET","path":"/posts/1","format":"html","status":200,"duration":5.1}
        class Lograge < Base
          METHOD = /(?:\A|[\s:\]])method=([A-Z]+)(?:\s|\z)/n
          PATH = /\spath=(\S+)/n
          STATUS = /\sstatus=(\d+)\b/n

          #: (String) -> bool
          def self.line?(line) = !new.entry(line).nil?

          # nil if the line is not a request.
          #: (String) -> Traffic::Entry?
          def entry(line)
            method, target, status = [METHOD, PATH, STATUS].map { |pattern| line[pattern, 1] }
            return Entry.new(method:, target:, status: status.to_i) if method && target && status

            json(line) if line.include?("\"method\"")
          end

          private

          def json(line)
            found = JSON.parse(line[/\A[^{]*(\{.*\})/mn, 1].to_s)
            method, target, status = found.values_at("method", "path", "status")
            return unless method.is_a?(String) && target.is_a?(String)

            Entry.new(method:, target:, status: Integer(status, exception: false) || 0)
          rescue JSON::ParserError, EncodingError
            nil
          end
        end
      end
    end
  end
end
