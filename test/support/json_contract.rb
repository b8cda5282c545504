# frozen_string_literal: true

module Mohs
  # docs/json.md as a schema: checks whether a document has exactly the keys of its tables, each of
  # the type given there. A slow, plain reading of the page, so that the page itself is tested.
  class JSONContract
    PAGE = File.join(Mohs.root, "docs/json.md")
    ROW = /^\| `(?<key>[^`]+)` \| (?<type>[^|]+) \| (?<meaning>.+) \|$/
    TYPES = {
      "string" => ->(value) { value.is_a?(String) },
      "integer" => ->(value) { value.is_a?(Integer) },
      "number" => ->(value) { value.is_a?(Numeric) },
      "boolean" => ->(value) { [true, false].include?(value) },
      "object" => ->(value) { value.is_a?(Hash) },
      "array" => ->(value) { value.is_a?(Array) },
      "null" => ->(value) { value.nil? },
      "estimate" => lambda do |value|
        value.is_a?(Hash) && value.keys == %i[value low high] &&
          value.values.all? { |number| number.nil? || number.is_a?(Numeric) }
      end,
    }.freeze
    # The keys of every document, which the page gives in sentences.
    ENVELOPE = { "mohs" => "string", "schema" => "integer", "command" => "string" }.freeze

    # { key => [type, meaning] } of the table below the heading that starts with `heading`.
    def self.table(heading)
      section = File.read(PAGE, encoding: "UTF-8").split(/^\#{2,3} /).find do |text|
        text.start_with?(heading)
      end
      raise ArgumentError, "docs/json.md has no section #{heading}" unless section

      section.scan(ROW).to_h { |key, type, meaning| [key, [type.strip, meaning]] }
    end

    # headings: of the tables that together describe the document. bare: a part of a document.
    def initialize(*headings, bare: false)
      @rows = headings.flat_map { |heading| self.class.table(heading).to_a }.to_h
      return if bare

      ENVELOPE.each { |key, type| @rows[key] ||= [type, ""] }
    end

    # What is wrong with the document; [] if nothing is.
    def faults(document, prefix = "")
      here = @rows.keys.grep(/\A#{Regexp.escape(prefix)}\w+\z/)
      wanted = here.map { |path| path.delete_prefix(prefix) }
      keys = document.keys.map(&:to_s)
      missing = (wanted - keys).map { |key| "#{prefix}#{key} is missing" }
      extra = (keys - wanted).map { |key| "#{prefix}#{key} is not documented" }
      missing + extra + (wanted & keys).flat_map { |key| fault(prefix + key, document[key.to_sym]) }
    end

    private

    def fault(path, value)
      type, meaning = @rows.fetch(path)
      return ["#{path} should be #{type}, not #{value.inspect}"] unless type?(value, type)

      case value
      when Hash then nested(path, value, "#{path}.", meaning, type)
      when Array then value.grep(Hash).flat_map do |item|
        nested(path, item, "#{path}[].", meaning, type)
      end
      else []
      end
    end

    def type?(value, type)
      type.split(" or ").any? do |one|
        list, item = one.match(/\Aarray of (.+)\z/)&.then { |match| [true, match[1]] }
        list ? value.is_a?(Array) && value.all? do |each|
          type?(each, item)
        end : TYPES.fetch(one).call(value)
      end
    end

    # Checked by rows of their own, else by the names in the meaning; "(free keys)" may be any.
    def nested(path, value, prefix, meaning, type)
      return [] if type.start_with?("estimate") || meaning.include?("(free keys)")
      return faults(value, prefix) if @rows.keys.any? { |key| key.start_with?(prefix) }

      named = meaning.scan(/`(\w+)`/).flatten
      return [] if named.empty?

      (value.keys.map(&:to_s) - named).map { |key| "#{path} has #{key}, which is not documented" }
    end
  end
end
