# frozen_string_literal: true

module Mohs
  module Stats
    class Sequential
      # Whether a comparison goes on: what a loop that measures one cohort after another asks after
      # each (method, section 4). It answers at looks alone, so that how often it is asked does not
      # matter.
      class Decision
        # `margin`: the difference that matters (0.01 = 1 %), nil where nobody asks whether the two
        # are equal. `precision`: half width of the interval (0.01 = 1 %) that suffices, nil for
        # none.
        #: (Stats::Sequential, margin: Float?, ?precision: Float?) -> void
        def initialize(sequential, margin:, precision: nil)
          @sequential = sequential
          @margin = margin
          @precision = precision && Math.log(1 + precision)
          freeze
        end

        # For the log differences of the cohorts so far: :differs, :equivalent (within the margin),
        # :precise, :exhausted (that was the last look, and nothing is decided) or :continue. What
        # differs within the margin differs.
        #: (Array[Float]) -> Symbol
        def call(differences)
          return exhausted_or_continue(differences.size) unless @sequential.look?(differences.size)
          return :differs if @sequential.differs?(differences)
          return :equivalent if @margin && @sequential.equivalent?(differences, margin: @margin)
          return :precise if @precision && @sequential.half_width(differences) <= @precision

          exhausted_or_continue(differences.size)
        end

        private

        def exhausted_or_continue(count)
          @sequential.next_look(count) ? :continue : :exhausted
        end
      end
    end
  end
end
