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

      # A server that ends under load may do so where it is slow: the batches of its other boots
      # would favour it. One that only still got faster has all of its batches.
      def fatal = super || (ended_early if @run.is_a?(Analysis::Run))

      def ended_early
        @test.levels.map(&:variant).uniq.each do |variant|
          trials = @run.stored.trials.select { |one| one.variant == variant && !one.lost? }
          ended = trials.count { |one| one.ended_under_load? && !one.still_rose? }
          return Analysis::Finding.new(code: "ended_under_load", severity: :bad, subject: variant,
                                       values: { variant:, ended:, trials: trials.size }) \
            if ended.positive?
        end
        nil
      end

      # They have no totals.
      def missing = note("repro_no_figure", metric: metric.title)
    end
  end
end
