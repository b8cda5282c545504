# frozen_string_literal: true

require_relative "sample_tuning"

module Mohs
  # Made-up tunings (SampleTuning) of four settings or more, and what was found in them.
  module Tuned
    SPEEDS = { "yours" => 1000.0, "1x1" => 700.0, "2x3" => 1300.0, "2x5" => 1295.0 }.freeze

    SHAPES = { "yours" => [nil, nil] }.freeze

    TIED = { "yours" => 1000.0, "1x1" => 990.0, "2x3" => 1010.0, "2x5" => 1005.0 }.freeze

    SEARCHED = { "yours" => 700.0, "2x3" => 900.0, "2x5" => 905.0 }.freeze

    WANTED = { "yours" => 1000.0, "1x1" => 700.0, "1x3" => 900.0, "2x3" => 1300.0,
               "2x5" => 1295.0 }.freeze

    SLOW = { "yours" => 50.0, "1x1" => 30.0, "2x3" => 65.0, "2x5" => 64.0, "2x2" => 63.0,
             "2x8" => 62.0 }.freeze

    def tuning(speeds = SPEEDS, **options)
      SampleTuning.new(speeds, shapes: SHAPES, **options).tuning
    end

    # A tuning in which the servers of the present setting's file attest [processes, threads], and
    # perhaps whether they preload.
    def attesting(shape, speeds = SPEEDS, preload: nil, **options)
      hash = SampleTuning.new(speeds, shapes: SHAPES, **options).to_h
      trials = hash[:cohorts].flat_map { |one| one[:trials] }
      trials.select { |one| one[:variant] == "yours" }.each do |trial|
        attested = { **trial[:facts].fetch(:attested, {}), workers: shape.first,
                     threads: shape.last, preload: }.compact
        trial[:facts] = { **trial[:facts], attested: }
      end
      Mohs::Stored.analysis(hash).result
    end

    def setting(tuning, name) = tuning.settings.find { |one| one.name == name }

    def caution(code, speeds = SPEEDS, **options)
      tuning(speeds, **options).cautions.find { |one| one.code == code }
    end

    # Memory of these settings in megabytes.
    def sized(sizes, searched, speeds: SPEEDS, rounds: 6, **rules)
      hash = SampleTuning.new(speeds, shapes: SHAPES, rounds:, searched:, **rules).to_h
      hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
        memory = { at_end: { tree_bytes: sizes.fetch(trial[:variant], 200) * 1_000_000 } }
        trial[:facts] = { **trial[:facts], memory: }
      end
      Mohs::Stored.analysis(hash).result
    end
  end
end
