# frozen_string_literal: true

module Mohs
  # Made-up trials from a cold start.
  module ColdStarts
    # Twenty batches of a hundred responses: the first `slow` at a quarter of this rate, the others
    # at the rate. slow: nil for a server that gets faster to the end.
    def cold_trial(rate, slow: 0, **facts)
      rates = Array.new(20) { |index| slow && index < slow ? rate / 4.0 : rate }
      rates = Array.new(20) { |index| rate * (index + 1) / 20.0 } unless slow
      cold_trial_at(rates, **facts)
    end

    # A trial at these rates, batch by batch. jit: what was compiled before the batches and by the
    # end of each. code: what was saved of the compiled code.
    def cold_trial_at(rates, p50: nil, p99: nil, stalls: nil, boot_ms: nil, jit: [], code: nil)
      batches = rates.zip(jit.drop(1)).map do |rate, compiled|
        Analysis::ColdStart::Batch.new(good: 100, seconds: 100.0 / rate, p50_ms: p50, p99_ms: p99,
                                       stalls:, jit: compiled)
      end
      Analysis::ColdStart::Trial.new(boot_ms:, batches:, jit_at_start: jit.first, code:)
    end

    # Changes the stored rows of a run: each of its trials has twenty batches of 100 ms, except for
    # the first `slow`, which have 400. jit: what was compiled before them and by the end of each.
    def record_cold_starts(result, slow:, jit: nil)
      result[:run][:study][:cold_start] = { batches: 20, requests: 100 }
      batches = Array.new(20) do |index|
        { good: 100, wall_ns: (index < slow ? 4 : 1) * 100_000_000, p50_ns: 1_500_000,
          p99_ns: 2_000_000, stalls: [{ inside: 0, beside: 0 }] * 2, jit: }
      end
      result[:cohorts].flat_map { |cohort| cohort[:trials] }.each do |trial|
        warm_up = { outcome: "warm", batches:, jit_at_start: jit }
        trial[:facts] = { **trial[:facts], warm_up: }
      end
    end

    # As Probes::SavedCode#compiled returns it, for methods with so many versions.
    def saved_code(versions)
      versions.map { |name, count| { name:, at: "a.rb:1", versions: count, lines: [9] * count } }
    end
  end
end
