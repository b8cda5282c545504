# frozen_string_literal: true

require "json"

module Mohs
  # Why something was refused or failed. `code` ("ruby_not_allowed") and `values` (plain data that
  # survives JSON) identify the cause: what differs by chance, or names the variant, is not part of
  # them. `summary` says it in words, if only the code that raises it knows the facts; nil:
  # Report::Render.reason puts it into words. It never ends with a full stop, as other sentences
  # embed it: the last words of a log, for one, lose theirs here. `remedy` is what to try; nil if no
  # remedy is known.
  # A reason read from its text alone has just words.
  class Reason < Struct.new(:summary, :remedy, :code, :values, keyword_init: true)
    # From a text alone (#to_s). nil for nil.
    #: (String?) -> Reason?
    def self.parse(text)
      summary, remedy = text&.split("\n", 2)
      summary && new(code: nil, summary:, remedy:)
    end

    # As it was stored: from its `parts` (#to_h) or, without these, from its text. nil if there is
    # neither.
    #: (Hash[Symbol, untyped]?, String?) -> Reason?
    def self.restore(parts, text) = parts ? new(code: nil, **parts) : parse(text)

    # One full stop at the end; an ellipsis is none.
    STOP = /(?<!\.)\.\z/
    private_constant :STOP

    #: (code: String?, ?summary: String?, ?remedy: String?, ?values: Hash[Symbol, untyped]) -> void
    def initialize(code:, summary: nil, remedy: nil, values: {})
      raise ArgumentError, "a reason needs a summary or a code" unless summary || code

      super(summary: summary&.sub(STOP, ""), remedy:, code:, values: values.freeze)
      freeze
    end

    # Equal for two reasons with the same cause, whatever their words (without a code, for equal
    # words) and whatever is to be typed: that may name the variant's Ruby, in values as well.
    #: () -> (Reason | [String, Hash[Symbol, untyped]])
    def cause = code ? [code, without_remedies(values)] : self

    # The same reason with each text changed by the block.
    #: () { (String) -> String } -> Reason
    def map(&block) = Reason.new(**to_h.transform_values { |value| mapped(value, &block) }, code:)

    # The summary, or code and values if there is none; the remedy follows on lines of its own.
    #: () -> String
    def to_s = [summary || "#{code} #{JSON.generate(values)}", *remedy].join("\n")

    private

    def without_remedies(value)
      return value unless value.is_a?(Hash)

      value.except(:remedy).transform_values { |one| without_remedies(one) }
    end

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
