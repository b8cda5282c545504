# frozen_string_literal: true

module Mohs
  module Cohort
    # How each trial of a cohort is warmed up.
    class WarmUps
      # spreads: gives the Cohort::Spread of a trial under load. cap_s: seconds, the cap of each
      # warm-up; nil: its engine's. The others: as in Session.
      #: (spreads: ^(Trial) -> Cohort::Spread, ?cap_s: Numeric?, ?cold_start: Study::ColdStart?, ?recorded: Array[String], ?streams: Study::Streams?) -> void
      def initialize(spreads:, cap_s: nil, cold_start: nil, recorded: [], streams: nil)
        @spreads = spreads
        @cap_s = cap_s
        @cold_start = cold_start
        @recorded = recorded
        @streams = streams
      end

      # The rule of a trial that has booted. The block returns what a budget leaves for it, in
      # seconds; nil: as long as it needs.
      #: (Trial) { () -> Numeric? } -> (Trial::WarmUp | Trial::Batches | Trial::StreamWarmUp)
      def for(trial, &)
        return stream(trial) if @streams
        return usual(trial, &) if @cold_start.nil? || @recorded.include?(trial.name)

        Trial::Batches.new(@cold_start) { usual(trial, &) }
      end

      private

      def stream(trial)
        Trial::StreamWarmUp.new(settle_s: rule(trial).settle_s, cap_s: @cap_s)
      end

      # What is left of a budget is asked for last: to tell pages apart may take a while.
      def usual(trial)
        connections = connections(trial)
        workers = [trial.attested[:workers], connections].compact.min
        pages = trial.pages
        rule(trial, workers:, pages:, settle: !trial.rate.nil?, left_s: yield) do |results|
          @spreads.call(trial).least_share(results, **{ among: connections }.compact)
        end
      end

      def rule(trial, **options, &)
        setup = trial.setup
        Trial::WarmUp.for(setup.engine, cap_s: @cap_s, jit: jit(trial), flags: setup.all_flags,
                                        **options, &)
      end

      # How many there are if each stays with one worker: the others get no requests, and need not
      # be warm. nil if any worker may get any request.
      def connections(trial)
        return if trial.over? || trial.rate

        target = trial.target
        target.connections if target.keep_alive == :on
      end

      # The application may turn a JIT on with a response: "off" is certain only if it can't.
      def jit(trial)
        jit = trial.attested[:jit]
        jit unless jit == Rubies::Engines::Base::NO_JIT && trial.setup.own_jit?
      end
    end
  end
end
