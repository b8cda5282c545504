# frozen_string_literal: true

require "uri"

module Mohs
  module Load
    class Scenario
      # Text with {names} of variables in it, split into literals and the variable after each:
      # parts: [[literal, name | nil, escape]]. A brace around anything else is text.
      class Template < Struct.new(:parts)
        NAME = /\{([A-Za-z_]\w*)\}/

        # escape: the context that values must not break. A block changes the literals.
        #: (String, escape: Symbol) ?{ (String) -> String } -> Scenario::Template
        def self.parse(text, escape:)
          pieces = text.split(NAME, -1)
          new(pieces.each_slice(2).map do |literal, name|
            [block_given? ? yield(literal) : literal, name, escape]
          end)
        end

        # A path: values after its question mark are escaped like those of a form.
        #: (String) -> Scenario::Template
        def self.path(text)
          path, mark, query = text.partition("?")
          parse("#{path}#{mark}", escape: :path) + parse(query, escape: :form)
        end

        # The body of a form: { name => text }.
        #: (Hash[String, String]) -> Scenario::Template
        def self.form(fields)
          fields.each_with_index.reduce(new([])) do |sum, ((name, text), index)|
            key = "#{'&' if index.positive?}#{URI.encode_www_form_component(name)}="
            sum + new([[key, nil, :form]]) +
              parse(text, escape: :form) { |literal| URI.encode_www_form_component(literal) }
          end
        end

        #: (Scenario::Template) -> Scenario::Template
        def +(other) = self.class.new(parts + other.parts)

        # As it was written, except for what was escaped.
        #: () -> String
        def to_s = parts.map { |text, name,| name ? "#{text}{#{name}}" : text }.join

        # The names of the variables in it.
        #: () -> Array[String]
        def names = parts.filter_map { |_, name,| name }

        #: (Hash[String, Integer]) -> Array[Hash[Symbol, untyped]]
        def packed(numbers)
          parts.map do |text, name, escape|
            { literal: text.b, variable: name && numbers.fetch(name), escape: }
          end
        end
      end
    end
  end
end
