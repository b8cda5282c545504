# frozen_string_literal: true

module Mohs
  module Repro
    # What a run's batches from a cold start say about a claim that compares levels by what only the
    # batches have: the first batch, or how far p99 is from p50. Tested like ratios of rates, and
    # one of the study's tests.
    class BatchEvidence < Evidence
      # sizes: names of the publication's sizes that record a cold start.
      #: (Repro::Claim, Repro::Test, (Analysis::Run | Repro::RawData)?, sizes: Array[String]) -> void
      def initialize(claim, test, run, sizes:)
        super(claim, test, run)
        @sizes = sizes
      end

      private

      def unmeasured = (unrecorded if @run) || super

      def unrecorded
        cold = @run.cold_start or return note("repro_no_batches", sizes: @sizes)

        unrecorded_of(cold, @test.levels.map(&:variant))
      end

      def contrast(metric, rival)
        (@rivals ||= {})[[metric, rival]] ||=
          @run.cold_start.contrast(metric, @test.variant(rival), @test.variant(@statement.of))
      end

      # They have no totals.
      def missing = note("repro_no_figure", metric: metric.title)
    end
  end
end
