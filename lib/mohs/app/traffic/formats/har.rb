# frozen_string_literal: true

require "json"
require "uri"

module Mohs
  class App
    class Traffic
      module Formats
        # HTTP Archive 1.2, saved by browsers' developer tools: the requests to the page's own host,
        # with headers and bodies. Headers about the browser's state (cookies, caches) or the
        # connection (RFC 9110, 7.6.1) are not sent again.
        class Har < Base
          LIMIT = 256 * 1024 * 1024
          BEGINNING = /\A(?:\xEF\xBB\xBF)?\s*\{\s*"log"\s*:\s*\{/n
          DROPPED = %w[host content-length connection keep-alive transfer-encoding te trailer
                       upgrade upgrade-insecure-requests range origin referer].freeze
          NOT_SENT = /\A:|\A(?:proxy|if|sec)-/in
          # Headers about the connection or the browser: dropped without mention.
          UNTOLD = /\A:|\Asec-|\A(?:host|content-length|connection|upgrade-insecure-requests)\z/in
          ADDRESS = %r{\Ahttps?://(?:[^/?\#]*@)?(?<host>[^/?\#@]+)(?<target>[^\#]*)}
          # Names of a form's fields, and of a JSON object's keys.
          NAMES = /(?:\A|&)([^=&\s]+)=[^&]|"([^"\\]+)"\s*:\s*"[^"]/
          FORM = "application/x-www-form-urlencoded"

          #: (Array[String]) -> Integer
          def self.likeness(head) = head.first(5).join("\n").match?(BEGINNING) ? head.size : 0

          # The whole file is one document.
          #: (String) -> bool
          def self.line?(line) = line.match?(BEGINNING)

          #: (Traffic::Lines) { (Traffic::Entry) -> void } -> void
          def read(lines, &) = entries(parse(lines)).each(&)

          private

          def parse(lines)
            text = lines.text(LIMIT) or
              raise UsageError, "a HAR of more than #{LIMIT / 1024 / 1024} MB can't be read"
            JSON.parse(text.force_encoding(Encoding::UTF_8).scrub.delete_prefix("\uFEFF"))
          rescue JSON::ParserError => error
            raise UsageError, "it is not valid JSON: #{error.message.lines.first.to_s[0, 80].strip}"
          end

          # Reads a document of any shape: missing keys and wrong types raise when they are used.
          def entries(document)
            entries = document.fetch("log").fetch("entries")
            host = host(entries)
            entries.map { |entry| entry(entry, host) }
          rescue NoMethodError, TypeError, KeyError, ArgumentError
            raise UsageError, "it is not valid HAR 1.2: log/entries lack required keys"
          end

          # The host of the first HTML page in the file: a redirect may come before it.
          def host(entries)
            page = entries.find { |entry| page?(entry["response"]) } || entries.first
            page && address(page)&.[](:host)
          end

          def page?(response)
            response["status"].between?(200, 299) &&
              response.dig("content", "mimeType").to_s.start_with?("text/html")
          end

          def address(entry) = ADDRESS.match(entry.fetch("request").fetch("url").to_s)

          def entry(entry, host)
            address = address(entry)
            return Entry.new(fault: "to hosts other than the page's own") unless
              address && address[:host] == host

            request = entry.fetch("request")
            sent, dropped = headers(request.fetch("headers", []))
            built(whole: true, method: request.fetch("method"), headers: sent, dropped:,
                  target: address[:target].sub(/\A(?=\?|\z)/, "/"), body: body(request),
                  status: Integer(entry.dig("response", "status") || 0))
          end

          # Detects a body that can't be sent here, before the request is counted.
          def built(body:, **rest)
            return Entry.new(fault: "whose body is not in the HAR", **rest) if body == :missing
            return Entry.new(fault: "with a secret in their body", **rest) if body && secret?(body)

            Request.build(path: "/", headers: rest[:headers], body:)
            Entry.new(body:, **rest)
          rescue UsageError => error
            Entry.new(fault: "that can't be sent (#{error.message})", **rest)
          end

          # [headers to send, names of the others].
          def headers(list)
            sent, others = list.partition { |header| sent?(header.fetch("name")) }
            names = others.map { |header| header["name"].downcase }.grep_v(UNTOLD).uniq
            [sent.to_h { |header| header.values_at("name", "value").map(&:to_s) }, names]
          end

          def sent?(name)
            !DROPPED.include?(name.downcase) && !name.match?(NOT_SENT) && !Secrets.name?(name)
          end

          # The body's text; :missing if there was a body that is not in the file; nil if there was
          # none.
          def body(request)
            data = request["postData"] or return (:missing if body?(request))
            return data["text"] if data["text"] && data["encoding"].to_s.empty?

            fields = data["params"]
            return :missing unless fields && data["mimeType"].to_s.start_with?(FORM)

            URI.encode_www_form(fields.map { |field| field.values_at("name", "value") })
          end

          def body?(request)
            request["bodySize"].to_i.positive? ||
              request["headers"].to_a.any? { |header| header["name"].casecmp?("content-type") }
          end

          # Does the body contain a secret, judged by the names in it?
          def secret?(body)
            found = false
            Secrets::Fields.in_body(body) { |value| value.tap { found = true } }
            found ||= body.scan(NAMES).flatten.compact.any? { |name| Secrets::Fields.secret?(name) }
          end
        end
      end
    end
  end
end
