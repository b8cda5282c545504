# frozen_string_literal: true

require "json"

module Mohs
  # Why something was refused or failed. `code` ("ruby_not_allowed") and `values` (plain data that
  # survives JSON) identify the cause: what differs by chance, or names the variant, is no part of
  # them. `summary` says it in a sentence, where the facts for that are at hand only there; nil:
  # Report::Phrase.reason puts it into words. `remedy` is what to try; nil if nothing is known to
  # help. Only a reason from before there were codes has words alone.
  class Reason < Struct.new(:summary, :remedy, :code, :values, keyword_init: true)
    # Of a text alone (#to_s): what was stored before the parts were. nil for nil.
    #: (String?) -> Reason?
    def self.parse(text)
      summary, remedy = text&.split("\n", 2)
      summary && new(code: nil, summary:, remedy:)
    end

    # As it was stored: its `parts` (#to_h), of old rows its text alone. nil if there is neither.
    #: (Hash[Symbol, untyped]?, String?) -> Reason?
    def self.restore(parts, text) = parts ? new(code: nil, **parts) : parse(text)

    #: (code: String?, ?summary: String?, ?remedy: String?, ?values: Hash[Symbol, untyped]) -> void
    def initialize(code:, summary: nil, remedy: nil, values: {})
      raise ArgumentError, "a reason needs a summary or a code" unless summary || code

      super(summary:, remedy:, code:, values: values.freeze)
      freeze
    end

    # The same for two reasons of one cause, whatever their words (without a code, of equal words).
    #: () -> (Reason | [String, Hash[Symbol, untyped]])
    def cause = code ? [code, values] : self

    # The same with each text changed by the block.
    #: () { (String) -> String } -> Reason
    def map(&block) = Reason.new(**to_h.transform_values { |value| mapped(value, &block) }, code:)

    # The summary, or code and values where there is none, and the remedy on lines of its own.
    #: () -> String
    def to_s = [summary || "#{code} #{JSON.generate(values)}", *remedy].join("\n")

    private

    def mapped(value, &block)
      case value
      when String then yield(value)
      when Array then value.map { |item| mapped(item, &block) }
      when Hash then value.transform_values { |item| mapped(item, &block) }
      else value
      end
    end
  end
end
