# frozen_string_literal: true

module Mohs
  module Report
    # Cold starts in documents: each level with its curves, each trial with its batches.
    module ColdStarts
      module_function

      # nil without a cold start.
      #: (Analysis::ColdStart?) -> Array[Hash[Symbol, untyped]]?
      def levels(cold_start) = cold_start&.levels&.map { |level| level(level) }

      def level(level)
        { name: level.name, excluded: level.excluded?, stray: level.stray, p: level.p,
          boot_ms: level.boot_ms, average_per_s: level.average_per_s, last_per_s: level.last_per_s,
          warm_after: level.warm_after, delayed_acks: level.delayed_acks,
          p50_ms: level.settled_ms(:p50_ms), p99_ms: level.settled_ms(:p99_ms),
          curves: %i[per_s p50_ms p99_ms].to_h { |name| [name, level.curve(&name)] },
          timeline: level.timeline&.map { |row| compiled(row) }, code: level.code,
          trials: level.trials.map { |trial| trial(trial) } }
      end

      def trial(trial)
        { boot_ms: trial.boot_ms, average_per_s: trial.average_per_s, last_per_s: trial.last_per_s,
          settled_per_s: trial.settled_per_s, warm_after: trial.warm_after,
          jit_at_start: figures(trial.jit_at_start), code: trial.code,
          batches: trial.batches.map { |one| batch(one) } }
      end

      def batch(batch)
        { **batch.to_h.except(:stalls), per_s: batch.per_s, jit: figures(batch.jit) }
      end

      # All FIGURES of a JIT; nil if nothing is known.
      def figures(known)
        compiled(Analysis::ColdStart::FIGURES.to_h { |name| [name, known[name]] }) if known
      end

      def compiled(figures)
        { **figures.except(:compile_ns), compile_ms: figures[:compile_ns]&./(1e6) }
      end

      private_class_method :level, :trial, :batch, :figures, :compiled
    end
  end
end
