# frozen_string_literal: true

require "yaml"

module Mohs
  class App
    # An application's checks.yml: `requests` to measure if the user names none, and `checks` that a
    # server must pass to be measured at all. Both are lists of the same entries:
    #
    #     requests:
    #       - post: /posts                # or get:, put:, ...
    #         headers: { Accept: text/html }
    #         body: "title=hello"         # what is sent
    #         expect: hello               # text that the response contains
    #         weight: 2
    #     checks:
    #       - get: /posts/1.json          # with headers and expect as above, and
    #         send: "title=hello"         # what is sent
    #         status: 200
    #         type: application/json
    #         body: '{"id":1}'            # the whole response
    module ChecksFile
      KEYS = {
        "requests" => %w[headers body expect weight],
        "checks" => %w[headers send expect status type body],
      }.freeze

      module_function

      # { requests: [App::Request], checks: [App::Check] }; both empty if there is no such file.
      # Raises StudyError with the location of a mistake.
      #: (String) -> { requests: Array[App::Request], checks: Array[App::Check] }
      def load(path)
        return { requests: [], checks: [] } unless File.file?(path)

        parse(File.read(path, encoding: "UTF-8"), path)
      end

      #: (String, ?String) -> { requests: Array[App::Request], checks: Array[App::Check] }
      def parse(text, file = "checks.yml")
        document = YAML.safe_load(text) || {}
        raise StudyError.new(file, "expected the keys requests and checks") unless known?(document)

        {
          requests: entries(document, "requests", file) { |entry| request(entry, entry["body"]) },
          checks: entries(document, "checks", file) { |entry| check(entry) },
        }
      rescue YAML::Exception => error
        raise StudyError.new(file, "is not valid YAML: #{error.message}")
      end

      def known?(document) = document.is_a?(Hash) && (document.keys - KEYS.keys).empty?

      def entries(document, section, file)
        Array(document[section]).each_with_index.map do |entry, index|
          unknown = entry.is_a?(Hash) ? entry.keys - KEYS[section] - methods_of(entry) : [entry]
          raise UsageError, "#{unknown.first.inspect} is not known here" if unknown.any?
          raise UsageError, "needs one of get, post, ... with a path" unless methods_of(entry).one?

          yield entry
        rescue UsageError => error
          raise StudyError.new("#{file}: #{section}/#{index}", error.message)
        end
      end

      def methods_of(entry) = entry.keys.select { |key| Request::METHODS.include?(key.to_s.upcase) }

      def request(entry, body)
        method = methods_of(entry).first
        Request.build(method:, path: entry[method], headers: entry["headers"] || {}, body:,
                      weight: entry["weight"] || 1, expect: entry["expect"])
      end

      def check(entry)
        Check.new(request: request(entry, entry["send"]), status: entry["status"] || 200,
                  type: entry["type"], body: entry["body"]).freeze
      end

      private_class_method :known?, :entries, :methods_of, :request, :check
    end
  end
end
