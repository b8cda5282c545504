# frozen_string_literal: true

require "yaml"

module Mohs
  class Study
    # Checks a parsed study.yml against the annotated examples: a key is known if an example has it,
    # and its value must be of the example's type. A list of one may be written without brackets,
    # and a number may replace text (YAML reads 3.4 as a number).
    class Schema
      # Below these keys every name is allowed, and values are text.
      FREE = %w[env headers services].freeze
      KINDS = {
        Hash => "a map", Array => "a list", String => "text", Integer => "a whole number",
        Float => "a number",
      }.freeze

      # Parses YAML text into plain data; empty text gives {}. Raises StudyError.
      #: (String) -> untyped
      def self.parse(text)
        YAML.safe_load(text) || {}
      rescue Psych::DisallowedClass, Psych::BadAlias => error
        raise StudyError.new("the whole", error.message)
      rescue SystemStackError
        raise StudyError.new("the whole", "is nested too deeply")
      rescue Psych::SyntaxError => error
        raise StudyError.new("line #{error.line}", error.message)
      end

      # free: keys below which every name is allowed and values are text. named: keys below which
      # every name is allowed, but each value must be of the type of an example's value.
      #: (?Hash[String, untyped], ?free: Array[String], ?named: Array[String]) -> void
      def initialize(example = Sections.example, free: FREE, named: [])
        @example = example
        @free = free
        @named = named
      end

      # Raises StudyError with the key path of the first fault.
      #: (untyped) -> void
      def check(document) = value(document, [@example], [])

      private

      # examples: everything that the examples have in this place.
      def value(value, examples, path)
        case value
        when Hash then map(value, examples, path)
        when Array then list(value, examples, path)
        else scalar(value, examples, path)
        end
      end

      def map(map, examples, path)
        maps = examples.flatten(1).grep(Hash)
        fault(path, "should be #{kinds(examples)}, not a map") if maps.empty?
        return map.each { |key, value| plain(value, [*path, key]) } if free?(path)
        return each_named(map, maps, path) if @named.include?(path.last)

        map.each do |key, value|
          known = maps.select { |example| example.key?(key) }
          unknown(key, maps.flat_map(&:keys).uniq, path) if known.empty?
          value(value, known.map { |example| example[key] }, [*path, key])
        end
      end

      def each_named(map, maps, path)
        map.each { |key, value| value(value, maps.flat_map(&:values), [*path, key]) }
      end

      def list(list, examples, path)
        lists = examples.grep(Array)
        fault(path, "should be #{kinds(examples)}, not a list") if lists.empty?
        fault(path, "is an empty list: leave the key out where nothing is meant") if list.empty?
        list.each_with_index { |item, index| value(item, lists.flatten(1), [*path, index + 1]) }
      end

      def scalar(value, examples, path)
        fault(path, "should be a finite number") if value.is_a?(Float) && !value.finite?
        likes = examples.flatten(1)
        return if likes.any? { |example| like?(value, example) }

        fault(path, "should be #{kinds(examples)}, not #{value.inspect}")
      end

      def like?(value, example)
        case example
        when String then [String, Numeric].any? { |type| value.is_a?(type) }
        when Integer then value.is_a?(Integer)
        when Float then value.is_a?(Numeric)
        when true, false then [true, false].include?(value)
        end
      end

      def plain(value, path)
        return unless value.nil? || value.is_a?(Array) || value.is_a?(Hash)

        fault(path, "should be text, not #{value.inspect}")
      end

      # A map in a list of environments is as free as a single map elsewhere.
      def free?(path) = @free.include?(path.reject { |key| key.is_a?(Integer) }.last)

      def kinds(examples)
        examples.map { |example| KINDS.fetch(example.class, "true or false") }.uniq.join(" or ")
      end

      def unknown(key, known, path)
        fault([*path, key], "no such key. #{Suggest.hint(key.to_s, known)}")
      end

      def fault(path, message)
        raise StudyError.new(path.empty? ? "the whole" : path.join("/"), message)
      end
    end
  end
end
