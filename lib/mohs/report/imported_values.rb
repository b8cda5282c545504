# frozen_string_literal: true

module Mohs
  module Report
    # Values of one measure of imported files, as people read them: seconds as milliseconds if some
    # are below one. unit: nil if the measure's name says it.
    class ImportedValues < Struct.new(:unit, :each, keyword_init: true)
      include Value

      # measures: as in docs/json.md, at least one.
      #: (Array[Hash[Symbol, untyped]]) -> Report::ImportedValues
      def self.of(measures)
        unit = measures.first[:unit]
        return new(unit: nil, each: 1) if unit == Analysis::Imports::PER_S

        small = unit == Analysis::Imports::TIME.unit &&
                measures.any? { |one| one[:value].to_f < 1 }
        small ? new(unit: "ms", each: 1000) : new(unit:, each: 1)
      end

      #: (Numeric) -> String
      def figure(value) = Numbers.figure(value * each)
    end
  end
end
