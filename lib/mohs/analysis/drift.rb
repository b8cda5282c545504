# frozen_string_literal: true

module Mohs
  module Analysis
    # "Not steady": does the difference between two variants itself move from the first block to the
    # last, in all cohorts alike (Theil-Sen; method, section 5)? Then one of the two was still
    # warming up, or slows down with every request. The rule is the same for a run and a comparison;
    # the caller supplies the test, because a run is judged once, at its end, with all candidates as
    # one family, and a comparison is looked at after each cohort (Compare::Warnings#certain).
    module Drift
      # With fewer blocks than this and one more, a slope says nothing.
      FEWEST = 3

      module_function

      # blocks: for each cohort, the log differences of its blocks, in order. margin: a smaller move
      # does not matter. lead: the log difference that moves; a move larger than this is fatal,
      # unless the lead itself is not `sure`. The block gives the interval of the cohorts' moves.
      # The values name who moved against whom.
      #: (Array[Array[Float]], margin: Float, lead: Float, ?sure: bool, **untyped) { (Array[Float]) -> Stats::Interval } -> Analysis::Finding?
      def call(blocks, margin:, lead:, sure: true, **values)
        interval = yield(blocks.filter_map { |differences| move(differences) })
        return if interval.low.nil? || !(interval.low * interval.high).positive?
        return if interval.value.abs < Stats::Margin.log(margin)

        severity = sure && interval.value.abs > lead.abs ? :bad : :warn
        Finding.new(code: "not_steady", severity:,
                    values: { ratio: Math.exp(interval.value), **values })
      end

      # The move from the first block to the last; nil with too few blocks.
      def move(differences)
        slope = Stats::TheilSen.slope(differences) if differences.size > FEWEST
        slope && (slope * (differences.size - 1))
      end

      private_class_method :move
    end
  end
end
