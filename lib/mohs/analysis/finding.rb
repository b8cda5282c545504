# frozen_string_literal: true

module Mohs
  module Analysis
    # One thing that speaks for or against figures. `code` identifies it ("not_steady", or
    # "trend.slower" of a self-check: the family member, then the case); nothing decides by its
    # text, which Report::Render has. `severity` is one of SEVERITIES. `subject` is what it is
    # about: a variant's name, "A" or "B" of a comparison, nil for all of it. `values` are the
    # figures and names that the text needs, plain data that survives JSON.
    class Finding < Struct.new(:code, :severity, :subject, :values, keyword_init: true)
      # From harmless to fatal: passed; can't be decided here; worth knowing; interpret the figures
      # with care; the figures mean nothing.
      SEVERITIES = %i[ok unknown info warn bad].freeze

      # From a row stored with `code` and `values`. A row without a code has its sentence, `detail`.
      #: (Hash[Symbol, untyped], Symbol) -> Analysis::Finding
      def self.restore(row, severity)
        return new(code: row[:code], severity:, values: row[:values]) if row[:code]

        new(code: "#{row[:name]}.recorded", severity:, values: row.slice(:detail))
      end

      # A finding that is worth knowing.
      #: (String, **untyped) -> Analysis::Finding
      def self.note(code, **values) = new(code:, severity: :info, values:)

      #: (code: String | Symbol, severity: Symbol, ?subject: String?, ?values: Hash[Symbol, untyped]) -> void
      def initialize(code:, severity:, subject: nil, values: {})
        unless SEVERITIES.include?(severity)
          raise ArgumentError, "#{severity.inspect} is not a severity: #{SEVERITIES.join(', ')}"
        end

        super(code: -code.to_s, severity:, subject:, values: values.freeze)
        freeze
      end

      #: () -> bool
      def fatal? = severity == :bad

      # The name of the family member: "trend" for "trend.slower"; the whole code if it has no dot.
      #: () -> String?
      def member = code[/\A[^.]+/]

      # Does it count against the figures?
      #: () -> bool
      def against? = %i[warn bad].include?(severity)

      # The higher, the worse.
      #: () -> Integer
      def rank = SEVERITIES.index(severity)
    end
  end
end
