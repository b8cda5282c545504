# frozen_string_literal: true

module Mohs
  # A progress output that gets events, under a clock that is set by hand.
  module ProgressHelper
    # Stands still until it is moved on.
    class HandClock
      attr_reader :mono_ns

      def initialize = @mono_ns = 0

      def pass(seconds) = @mono_ns += (seconds * 1_000_000_000).to_i
    end

    def setup
      @clock = HandClock.new
      @study = fixture_study(rounds: 2)
      @plan = @study.procedure.plan(seed: 1) # two cohorts of 8 s
    end

    # What the progress output has written.
    def progress(kind, out, **style)
      style = Report::Terminal::Style.new(**style)
      yield kind.new(out, style:, clock: @clock)
      out.string
    end

    def cohort(number)
      { cohort: number, of: 2, round: number + 1, variants: @plan.cohorts[number].variants }
    end
  end
end
