# frozen_string_literal: true

module Mohs
  # Why something was refused or failed: the `summary` in a sentence, and the `remedy`, what to try;
  # nil if nothing is known to help. Where the words differ for one and the same cause, because
  # they name a Ruby, say, `code` ("ruby_not_allowed") and `values` (plain data that survives JSON)
  # identify it; nil and empty elsewhere.
  class Reason < Struct.new(:summary, :remedy, :code, :values, keyword_init: true)
    # Of a text alone (#to_s): what was stored before the parts were. nil for nil.
    #: (String?) -> Reason?
    def self.parse(text)
      summary, remedy = text&.split("\n", 2)
      summary && new(summary:, remedy:)
    end

    # As it was stored: its `parts` (#to_h), of old rows its text alone. nil if there is neither.
    #: (Hash[Symbol, untyped]?, String?) -> Reason?
    def self.restore(parts, text) = parts ? new(**parts) : parse(text)

    #: (summary: String, ?remedy: String?, ?code: String?, ?values: Hash[Symbol, untyped]) -> void
    def initialize(summary:, remedy: nil, code: nil, values: {})
      super(summary:, remedy:, code:, values: values.freeze)
      freeze
    end

    # The same for two reasons of one cause, whatever their words.
    #: () -> (Reason | [String, Hash[Symbol, untyped]])
    def cause = code ? [code, values] : self

    # The same with each text changed by the block.
    #: () { (String) -> String } -> Reason
    def map(&block)
      texts = values.transform_values { |value| value.is_a?(String) ? yield(value) : value }
      Reason.new(summary: yield(summary), remedy: remedy&.then(&block), code:, values: texts)
    end

    # The summary, and the remedy on lines of its own.
    #: () -> String
    def to_s = [summary, *remedy].join("\n")
  end
end
