# frozen_string_literal: true

module Mohs
  module Load
    class Scenario
      # One step of a scenario's file.
      class StepReader
        METHODS = Study::File::METHODS
        WITHIN = /(?<=[a-z\d.])\.\.(?=\d)/
        STATUSES = (100..599)
        MOST_CAPTURES = 64
        LONGEST_THINK_S = 3600

        # headers: those of all steps.
        #: (Hash[String, untyped], String, headers: Hash[String, untyped]) -> void
        def initialize(entry, path, headers:)
          @entry = entry
          @path = path
          all = headers.merge(entry.fetch("headers", {}))
          @headers = all.to_h { |name, text| [name.to_s, text.to_s] }
        end

        #: () -> Scenario::Request
        def step
          fault(nil, "should have one of #{METHODS.join(', ')}") unless (@entry.keys & METHODS).one?
          Request.new(method: method.upcase, path:, headers: request.headers, body:, captures:,
                      think:, expect: statuses, text:)
        end

        private

        def method = (@entry.keys & METHODS).first

        def path
          text = @entry[method].to_s
          return text if text.start_with?("/", "{")

          fault(method, "#{text} should begin with a slash or a variable")
        end

        # The same request with plain values for its variables: it shows what can't be sent, and
        # gives a body its Content-Type.
        def request
          plain = ->(text) { text.gsub(Template::NAME, "x") }
          sample = path.sub(/\A#{Template::NAME}/, "/x")
          at(nil) do
            headers = @headers.transform_values(&plain)
            body = @entry.key?("form") ? "x=y" : @entry["body"]&.to_s
            built = App::Request.build(method:, path: plain.call(sample), headers:, body:)
            App::Request.new(**built.to_h, headers: built.headers.merge(@headers))
          end
        end

        def body
          return unless @entry["form"] || @entry["body"]

          fault("body", "excludes form") if @entry["form"] && @entry["body"]
          fault(method, "has no body") if %w[get head].include?(method)
          return Template.form(@entry["form"].transform_values(&:to_s)) if @entry["form"]

          text = @entry["body"].to_s
          Template.parse(text, escape: text.match?(/\A\s*[\[{]/) ? :json : :nothing)
        end

        def captures
          found = @entry.fetch("capture", {}).map { |name, entry| capture(name, entry) }
          fault("capture", "has more than #{MOST_CAPTURES}") if found.size > MOST_CAPTURES
          found
        end

        def capture(name, entry)
          where = "capture/#{name}"
          fault(where, "should be of letters, digits and _") unless name.to_s.match?(Variables::NAME)
          entry = { "match" => entry } unless entry.is_a?(Hash)
          match, json, header = entry.values_at("match", "json", "header")
          fault(where, "match and json can't be combined") if match && json
          fault(where, "needs match, json or header") unless match || json || header
          at(where) do
            Capture.new(name:, header:, html: entry.fetch("html", false),
                        pattern: match && Pattern.parse(match.to_s),
                        pointer: json && Capture.pointer(json.to_s))
          end
        end

        def think
          texts = @entry.fetch("think", 0).to_s.split(WITHIN, 2)
          low, high = at("think") { texts.map { |text| seconds(text) } }
          high ||= low
          fault("think", "ends before it begins") if high < low
          fault("think", "is longer than an hour") if high > LONGEST_THINK_S
          low..high
        end

        def seconds(text) = text.match?(/\A0+(ms|s|m|h)?\z/) ? 0 : Study::Duration.parse(text)

        # Numbers are statuses; a string is text that the body must contain.
        def expected = [@entry.fetch("expect", [])].flatten

        def statuses
          numbers = expected.grep(Numeric)
          strange = numbers.find { |status| !STATUSES.cover?(status) }
          fault("expect", "#{strange} is not a valid status") if strange
          numbers.empty? ? [200] : numbers
        end

        def text
          texts = expected.grep(String)
          fault("expect", "has more than one text") if texts.size > 1
          fault("expect", "has an empty text") if texts.include?("")
          fault("expect", "has a text, but a head response has no body") if
            texts.any? && method == "head"
          texts.first
        end

        def at(key)
          yield
        rescue UsageError => error
          fault(key, error.message)
        end

        def fault(key, message) = raise(StudyError.new([@path, *key].join("/"), message))
      end
    end
  end
end
