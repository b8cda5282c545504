# frozen_string_literal: true

module Mohs
  # Made-up runs of published studies whose servers were sampled.
  module SampledRuns
    # The run and its shares. costs: { variant => { place => microseconds per request } }, with the
    # places of ProfiledTrials; samples: how many each boot has. The block changes the stored rows.
    def sampled(publication, costs, rounds: 4, noise: 0.01, samples: 20_000, **options)
      rates = choose(publication).variants.to_h { |_, notation| [notation.label, 1000] }
      run = reproduced(publication, rates, rounds:, **options) do |result|
        trials = result[:cohorts].flat_map { |cohort| cohort[:trials] }
        trials.each.with_index(1) { |trial, id| trial[:id] = id }
        result[:run][:study][:profile] = true
        yield result if block_given?
      end
      [run, Repro::ProfileShares.of(run, profiles: profiles(run, costs, noise, samples))]
    end

    private

    def profiles(run, costs, noise, samples)
      random = Noise.new(3)
      trials = run.stored.trials.select { |trial| costs.key?(trial.variant) }
      trials.to_h do |trial|
        own = costs.fetch(trial.variant).transform_values do |us|
          us * Math.exp(random.normal * noise)
        end
        [trial.id, profile(own, samples)]
      end
    end

    def profile(costs, samples)
      frames = ProfiledTrials::PLACES.values
      scale = samples * 1000.0 / costs.values.sum
      stacks = costs.to_h do |place, us|
        at = frames.index(ProfiledTrials::PLACES.fetch(place))
        [["cpu", [at]], (us * scale).round]
      end
      Profile.new(profiler: "stackprof", sampler_us: 0, frames:, stacks:)
    end
  end
end
