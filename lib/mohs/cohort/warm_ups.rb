# frozen_string_literal: true

module Mohs
  module Cohort
    # How each trial of a cohort is warmed up.
    class WarmUps
      # cap_s, cold_start, recorded, streams: as in Session.
      #: (?cap_s: Numeric?, ?cold_start: Study::ColdStart?, ?recorded: Array[String], ?streams: Study::Streams?) -> void
      def initialize(cap_s: nil, cold_start: nil, recorded: [], streams: nil)
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
        Trial::StreamWarmUp.new(settle_s: usual(trial) { nil }.settle_s, cap_s: @cap_s)
      end

      # The application may turn a JIT on with a response: only what it can't is known to be off.
      def usual(trial)
        setup, attested = trial.setup, trial.attested
        jit = attested[:jit] unless setup.own_jit?
        Trial::WarmUp.for(setup.engine, cap_s: @cap_s, left_s: yield, jit:, flags: setup.flags,
                                        workers: attested[:workers], rarest: setup.rarest)
      end
    end
  end
end
