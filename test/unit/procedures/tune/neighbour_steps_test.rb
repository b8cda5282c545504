# frozen_string_literal: true

require "test_helper"

# The curve over threads, and the settings one step from the recommended one.
class TuneNeighbourStepsTest < Mohs::TestCase
  include Mohs::Tuned

  THREADS = { "yours" => 1000.0, "1x1" => 700.0, "2x1" => 1300.0, "2x2" => 2000.0, "2x3" => 2300.0,
              "2x5" => 2290.0, "1x2" => 1000.0 }.freeze

  test "threads of as many processes as the recommended setting has make a curve" do
    found = tuning(THREADS, rounds: 4, searched: { "yours" => 700.0, "2x3" => 1500.0 }).scaling

    assert_equal [2, [1, 2, 3, 5]], [found.processes, found.levels.map(&:threads)]
    assert_in_delta 2300, found.levels[2].rate.value, 40
    assert_in_delta 1400, found.levels[0].predicted_per_s, 20 # two processes as fast as one alone
    assert_in_delta 2 / (0.9 / 700), found.levels[3].predicted_per_s, 40
  end

  test "a quota bounds what is predicted" do
    cgroup = { cores: 0.5, memory_bytes: nil, processes: nil }
    found = tuning(THREADS, rounds: 4, searched: { "2x3" => 1500.0 }, cgroup:)

    assert_in_delta 0.5 / (0.9 / 700), found.scaling.levels.last.predicted_per_s, 10
  end

  test "before the race is over, and of fewer than three numbers of threads, there is no curve" do
    assert_nil tuning(THREADS, rounds: 2).scaling
    assert_nil tuning(rounds: 6, searched: SEARCHED).scaling
    shapes = { **SHAPES, "2x2" => [2, nil] }
    assert_equal 3, SampleTuning.new(THREADS, shapes:, rounds: 4).tuning.scaling.levels.size
  end

  test "where the recommended setting's processes have too few levels, others are taken" do
    speeds = { "yours" => 1000.0, "1x1" => 700.0, "1x2" => 900.0, "1x3" => 950.0, "2x3" => 1900.0 }
    found = tuning(speeds, rounds: 4, searched: { "yours" => 700.0, "2x3" => 1500.0 })

    assert_equal ["2x3", 1], [found.recommended.name, found.scaling.processes]
  end

  test "the present setting of a file stands for the curve of its processes, not in it" do
    speeds = { **THREADS, "1x3" => 1100.0, "yours" => 3000.0 }
    found = tuning(speeds, rounds: 4, searched: { "yours" => 2500.0 })

    assert_equal "yours", found.recommended.name
    assert_equal [1, [1, 2, 3]], [found.scaling.processes, found.scaling.levels.map(&:threads)]
  end

  test "threads that have no connection are no level" do
    made = SampleTuning.new(THREADS, shapes: SHAPES, rounds: 4)
    hash = made.to_h
    hash[:run][:study][:connections] = 6

    assert_equal [1, 2, 3], Mohs::Stored.analysis(hash).result.scaling.levels.map(&:threads)
  end

  test "drift between the cohorts of a round is no part of a curve" do
    hash = SampleTuning.new(THREADS, shapes: SHAPES, rounds: 3, boot_sd: 0.0).to_h
    hash[:cohorts] = hash[:cohorts].flat_map { |cohort| in_two(cohort, slower: 0.8) }
    rates = Mohs::Stored.analysis(hash).result.scaling.levels.to_h { |one|
      [one.threads, one.rate.value]
    }

    assert_in_delta 2300 / 1300.0, rates[3] / rates[1], 0.02
  end

  # The cohort as two, of which the second was measured at a worse time.
  def in_two(cohort, slower:)
    common, *others = cohort[:trials]
    others.each_slice(3).with_index.map do |part, index|
      trials = [common, *part]
      trials = trials.map { |trial| slowed(trial, slower) } if index == 1
      spec = { **cohort[:spec], variants: trials.map { |one| one[:variant] } }
      { **cohort, trials:, spec: }
    end
  end

  def slowed(trial, factor)
    slices = trial[:slices].map { |one| { **one, wall_ns: (one[:wall_ns] / factor).round } }
    { **trial, slices: }
  end

  STEPS = { **THREADS, "2x8" => 2280.0, "1x3" => 1100.0 }.freeze

  def steps(found) = found.recommendation.steps.to_h { |one| [one.name, one] }

  test "one step from the recommended setting are the next threads and processes" do
    searched = { "yours" => 700.0, "2x3" => 1500.0, "2x5" => 1400.0 }
    found = steps(tuning(STEPS, rounds: 4, searched:))

    assert_equal %w[1x3 2x2 2x5], found.keys.sort
    assert_equal %w[race race limit], found.sort.map { |_, one| one.by }
    assert_in_delta 1400 / 1500.0, found["2x5"].ratio.value, 0.02
    assert_in_delta 1100 / 2300.0, found["1x3"].ratio.value, 0.02
    ratios = found.values.map(&:ratio)
    assert(ratios.all? { |one| one.low < one.value && one.value < one.high })
    assert_operator found["1x3"].ratio.high, :<, 1
  end

  test "a step to where the limit held at no rate serves nothing; to a bound the race counts" do
    none = SampleTuning.found(12.0, outcome: "none", beyond_share: nil)
    searched = { "yours" => 700.0, "2x3" => 1500.0, "2x5" => none,
                 "2x2" => SampleTuning.bound(1400.0) }
    found = steps(tuning(STEPS, rounds: 4, searched:))

    assert_equal [0.0, nil, "limit"], [*found["2x5"].ratio.to_h.values_at(:value, :low),
                                       found["2x5"].by]
    assert_equal "race", found["2x2"].by
  end

  test "searched on one boot, or raced in less than three rounds, a setting is no step" do
    searched = { "yours" => 700.0, "2x3" => 1500.0, "2x5" => 1400.0 }

    assert_empty tuning(STEPS, rounds: 2, searched:, searches: 1).recommendation.steps
    raced = steps(tuning(STEPS, rounds: 4, searched:, searches: 1))
    assert_equal %w[race race race], raced.values.map(&:by)
  end

  test "a setting that was not measured is no step, nor is one beside another file or Ruby" do
    hash = SampleTuning.new(STEPS, shapes: { "yours" => [2, 2] }, rounds: 3, failing: %w[2x2],
                                   searched: { "2x3" => 1500.0 }).to_h
    other = hash[:run][:study][:variants].find { |one| one[:name] == "1x3" }
    other[:flags] = ["--yjit"]

    assert_equal %w[2x5], Mohs::Stored.analysis(hash).result.recommendation.steps.map(&:name)
    assert_empty tuning(STEPS, rounds: 4, limit: "p90 < 5 ms").recommendation.steps
  end

  test "plain settings and preloaded ones are no steps of each other, unless one forks none" do
    names = { "2x3" => false, "2x5" => false, "preload, 2x5" => true, "preload, 2x8" => true,
              "1x3" => false }
    speeds = { "yours" => 900.0, **names.transform_values { 2300.0 } }
    hash = SampleTuning.new(speeds, shapes: SHAPES, rounds: 4, searched: { "2x3" => 1500.0 }).to_h
    hash[:run][:study][:variants].each { |one| one[:preload] = true if names[one[:name]] }

    assert_equal %w[1x3 2x5], Mohs::Stored.analysis(hash).result.recommendation.steps.map(&:name)
  end

  test "a setting whose server broke down in its search is no step, whatever it raced" do
    gone = SampleTuning.found(900.0, outcome: "gone", rate_per_s: nil, low: nil, high: nil)
    found = tuning(STEPS, rounds: 4, searched: { "2x3" => 1500.0, "2x5" => gone })

    assert_equal %w[1x3 2x2], found.recommendation.steps.map(&:name)
  end

  test "beside a setting whose threads are not known there are no steps" do
    hash = SampleTuning.new(STEPS, shapes: SHAPES, rounds: 4, searched: { "yours" => 1500.0 }).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:facts] = { **trial[:facts], attested: trial[:facts][:attested].except(:threads) }
    end
    found = Mohs::Stored.analysis(hash).result

    assert_equal ["yours", []], [found.recommended.name, found.recommendation.steps]
  end

  test "a pool smaller than the threads of a process binds" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:facts] = { **trial[:facts], attested: { **trial[:facts][:attested], pool: 4 } }
    end
    binding = Mohs::Stored.analysis(hash).result.bounds

    assert_equal ["pool_below_threads"], binding.map(&:code)
    assert_equal({ names: "yours, 2x5", threads: [5, 5], pool: 4 }, binding.first.values)
    assert_empty tuning.bounds
  end

  test "a round without its common setting beside all others is told by the rates themselves" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3).to_h
    hash[:cohorts].each do |cohort|
      cohort[:trials].reject! { |trial| trial[:variant] == "yours" }
    end
    found = Mohs::Stored.analysis(hash).result

    assert_equal [%w[yours], %w[1x1]], [found.race.out.keys, found.race.dropped.keys]
    assert_equal "2x3", found.schedule.common
  end
end
