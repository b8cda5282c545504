# frozen_string_literal: true

require "test_helper"

# Each warning: raised where it should be, silent where it should not.
class WarningsTest < Mohs::TestCase
  EQUAL = [0.001, 0.002, -0.001, 0.0, 0.001].freeze
  UNDECIDED = [0.02, -0.03, 0.01, 0.0, 0.03].freeze

  def warnings(differences = EQUAL, **options)
    Mohs::Stored.comparison(CompareResult.new(differences, **options).to_h).warnings
  end

  def codes(...) = warnings(...).map(&:code)

  def values(...) = warnings(...).map(&:values)

  # Changes of slices are by their place: the first is warm-up, then two a block.
  def slower(factor_at)
    lambda do |slice, name, index, cohort|
      factor = factor_at.call(name, index, cohort)
      %i[wall_ns cpu_ns].each { |key| slice[key] = (slice[key] * factor).round }
    end
  end

  test "nothing is said of a comparison without fault" do
    assert_empty warnings
    assert_empty warnings([0.3, 0.31, 0.29])
    assert_empty warnings([])
  end

  test "growth: an application that slows with every request has no verdict, but a slope" do
    grows = slower(->(_, index, _) { 1.008**index })
    found = warnings(slice: grows)

    assert_equal [["growth", :bad]], found.map { |one| [one.code, one.severity] }
    assert_equal 1000, found.first.values[:requests]
    assert_in_delta 0.008, found.first.values[:growth], 0.0005
    assert_empty warnings(slice: slower(->(_, index, _) { 1.001**index })), "2 % are the host's"
    assert_equal %w[growth], codes(slice: slower(->(_, index, _) { 1.0028**index }))
    once = slower(->(_, index, cohort) { cohort.zero? ? 1.05**index : 1.0 })
    refute_includes codes(slice: once), "growth", "one cohort of five"
  end

  test "growth is told by the servers whose CPU time is known" do
    grows = slower(->(_, index, _) { 1.008**index })
    known = lambda do |slice, name, index, cohort|
      grows.call(slice, name, index, cohort)
      slice[:cpu_ns] = nil if name == "b"
    end

    assert_includes codes(slice: known), "growth"
  end

  test "growth of one side alone is found too" do
    found = codes(slice: slower(->(name, index, _) { name == "b" ? 1.02**index : 1.0 }))
    assert_equal "growth", found.first
  end

  test "unsteady: a lead that moves in every cohort alike" do
    moves = lambda do |slice, name, index, _|
      slice[:wall_ns] = (slice[:wall_ns] * (name == "b" ? 1.004**index : 1)).round
    end
    found = warnings(slice: moves)
    steady = warnings([0.3, 0.31, 0.29], slice: moves)

    assert_equal [["not_steady", "B", "A"]],
                 found.map { |one| [one.code, *one.values.values_at(:of, :over)] }
    assert_in_delta 0.931, found.first.values[:ratio], 0.0005
    assert found.first.fatal?, "the move is larger than the lead"
    assert_equal [["not_steady", :warn]], steady.map { |one| [one.code, one.severity] },
                 "a lead of 35 % stands"
    shared = ->(slice, _, index, _) { slice[:wall_ns] = (slice[:wall_ns] * (1.01**index)).round }
    assert_empty warnings(slice: shared), "what both live through"
  end

  # Comparisons of event streams, of which a server may drop some.
  class StreamResult < CompareResult
    def study = { **super, streams: Mohs::Study::Streams.new.to_h }
  end

  # dropped: of 100 streams of each slice, by variant. B is sooner by `sooner` (log).
  def of_streams(dropped, sooner: 0.1, metric: "first-event")
    slice = lambda do |one, name, *|
      one[:p50_ns] = 1_000_000 * Math.exp(name == "b" ? -sooner : 0)
      Mohs::StreamedSlices.streamed(one, messages: nil, dropped: dropped.fetch(name, 0))
    end
    result = StreamResult.new([sooner, sooner, sooner], slice:, comparison: { metric: })
    Mohs::Stored.comparison(result.to_h)
  end

  test "a server that drops connections does not win by those that it left" do
    found = of_streams({ "b" => 40 })
    finding = found.warnings.find { |one| one.code == "held_fewer" }

    assert_equal [:invalid, "held_fewer", "B"],
                 [found.verdict.outcome, found.verdict.findings.first.code, finding.subject]
    assert_in_delta 0.6, finding.values[:share]
    assert_in_delta 1, finding.values[:other]
    assert_equal :invalid, of_streams({ "b" => 40 }, sooner: 0).verdict.outcome, "nor is it equal"
    assert_equal "A", of_streams({ "a" => 40 }, sooner: -0.1).warnings.first.subject
  end

  test "a server that drops connections and is behind has lost; what both drop is no matter" do
    behind = of_streams({ "b" => 40 }, sooner: -0.1)

    assert_equal [:slower, [["held_fewer", :warn]]],
                 [behind.verdict.outcome, behind.warnings.map { |one| [one.code, one.severity] }]
    assert_empty of_streams({ "a" => 40, "b" => 40 }).warnings
    assert_equal :faster, of_streams({ "a" => 40, "b" => 40 }).verdict.outcome
    assert_equal :faster, of_streams({ "a" => 40 }).verdict.outcome
    assert_equal :slower, of_streams({ "b" => 40 }, metric: "held").verdict.outcome
  end

  test "a server that holds no connection at all has no ratio of what is held" do
    none, neither = of_streams({ "b" => 100 }), of_streams({ "a" => 100, "b" => 100 })
    lines = [none, neither].map { |one| one.lines.find { |line| line.metric.name == "held" } }

    assert_equal %i[invalid faster], [none, neither].map { |one| one.verdict.outcome }
    assert_equal [["none_held", { cohorts: 3, of: 3 }]] * 2,
                 lines.map { |line| [line.missing&.code, line.missing&.values] }
  end

  test "pauses rarer than one slice in five are told where one side has more of them" do
    pauses = lambda do |slice, name, index, _|
      slice[:wall_ns] *= 5 if name == "b" && index == 8
    end
    found = warnings(slice: pauses).first

    assert_equal ["pauses", "B", "B"], [found.code, found.subject, found.values[:side]]
    assert_includes 0.8..0.9, found.values[:ratio]
    assert_equal "pauses", codes(EQUAL.first(3), slice: pauses).first
    assert_empty warnings(EQUAL.first(2), slice: pauses), "two cohorts tell no chance"
    both = ->(slice, _, index, _) { slice[:wall_ns] *= 5 if index == 8 }
    assert_empty warnings(slice: both)
  end

  test "pauses are not looked for in a cohort in which a side got nothing done" do
    silent = ->(slice, name, _, cohort) { slice[:good] = 0 if name == "b" && cohort.zero? }

    refute_includes warnings(slice: silent).map(&:code), "pauses"
  end

  # Of the last cohort, in which each is alone.
  def alone(differences, ratio, **options)
    result = CompareResult.new([*differences, Math.log(ratio)], **options).to_h
    result[:cohorts][differences.size][:spec] = { scheme: "whole", solo: true }
    found = Mohs::Stored.comparison(result).warnings
    found.find { |one| %w[contention measured_alone].include?(one.code) }
  end

  LARGE = [0.20, 0.21, 0.19].freeze # sd 1 %: an interval of +-6.4 %

  test "a larger difference of each alone is contention only beyond what one cohort varies by" do
    found = [1.50, 1.32].map { |ratio| alone(LARGE, ratio) }

    assert_equal [%w[contention warn], %w[measured_alone info]],
                 (found.map { |one| [one.code, one.severity.to_s] })
    assert_nil alone(LARGE, 1.22), "within the interval"
    assert_equal([1.50, 1.32], found.map { |one| one.values[:ratio].round(2) })
  end

  test "contention shrinks a difference: a smaller one of each alone is no sign of it" do
    assert_equal %w[measured_alone measured_alone],
                 [alone(LARGE, 1.05), alone(LARGE.map(&:-@), 1 / 1.05)].map(&:code)
    assert_equal "contention", alone(LARGE.map(&:-@), 1 / 1.50).code
    assert_equal "measured_alone", alone(LARGE.map(&:-@), 1.50).code
  end

  # The single cohort varies twice as much as those of the duet.
  test "two that don't disturb each other contend in one of a hundred" do
    noise = Noise.new(5)
    claimed = Array.new(count = times(60, 150)) do
      together = Array.new(4) { 0.2 + (0.0052 * noise.normal) }
      alone(together, Math.exp(0.2 + (0.0115 * noise.normal)), planned: 5)&.code
    end

    assert_operator claimed.count("contention"), :<=, count / 30
    assert_operator claimed.count("measured_alone"), :>, 0
  end

  test "halves: a half of the machine that is slower for both" do
    slow = lambda do |trial, _, _|
      next unless trial[:facts][:worker] == 1

      trial[:slices].each { |slice| slice[:wall_ns] = (slice[:wall_ns] * 1.2).round }
    end
    found = warnings(trial: slow)
    assert_equal %w[halves], found.map(&:code)
    assert_in_delta 0.2, found.first.values[:share], 0.005
    unknown = lambda do |trial, name, position|
      slow.call(trial, name, position)
      trial[:facts] = trial[:facts].except(:worker) if position.zero?
    end
    assert_equal %w[halves], codes(UNDECIDED, trial: unknown)
    wandering = lambda do |slice, _, index, _|
      half = index % 2
      slice[:facts] = { **slice[:facts].to_h, half: }
      slice[:wall_ns] = (slice[:wall_ns] * 1.2).round if half == 1
    end
    found = warnings(slice: wandering).find { |one| one.code == "halves" }
    assert_in_delta 0.2, found.values[:share], 0.005
    in_turns = ->(trial, _, position) { slow.call(trial, nil, position) if position.even? }
    refute_includes codes(trial: in_turns), "halves"
  end

  test "dilution: told where the driver takes a quarter of the CPU time or more" do
    driver = ->(share) { ->(slice, *) { slice[:driver_cpu_ns] = (slice[:cpu_ns] * share).round } }

    found = warnings(slice: driver.call(0.5)).first
    assert_equal "dilution", found.code
    assert_in_delta 1 / 3.0, found.values[:share], 0.001
    assert_empty warnings(slice: driver.call(0.2))
    assert_empty warnings(slice: ->(slice, *) { slice[:cpu_ns] = nil }), "no CPU clock"
  end

  # Facts that B attests beyond those of A.
  def attests(**facts)
    lambda do |trial, name, _|
      more = name == "b" ? facts : { gems: { "rack" => "3.0" }, jit: "off" }
      trial[:facts] = trial[:facts].merge(attested: SampleResult::ATTESTED.merge(**more))
    end
  end

  test "beyond: what differs without having been declared" do
    facts = { jit: "yjit", gems: { "rack" => "3.1", "json" => "2" } }

    jit = { name: "jit", a: "off", b: "yjit" }
    gems = [{ gem: "rack", a: "3.0", b: "3.1" }, { gem: "json", a: nil, b: "2" }]

    assert_equal %w[differ_beyond], codes(trial: attests(**facts))
    assert_equal [{ differing: [jit, *gems], more: 0 }], values(trial: attests(**facts))
    assert_empty warnings(trial: attests(**facts), variants: [{ ruby: "1" }, { ruby: "2" }])
    yjit = [{ flags: [] }, { flags: ["--yjit"] }]
    assert_equal [{ differing: gems, more: 0 }], values(trial: attests(**facts), variants: yjit)
  end

  test "beyond: what one side can't attest is no difference" do
    assert_empty warnings(trial: attests(jit: nil, gems: { "rack" => "3.0" }))
  end

  test "beyond: of many the first are told, and how many more" do
    gems = %w[a b c d e].to_h { |name| [name, "1"] }.merge("rack" => "3.0")
    found = values(trial: attests(gems:)).first
    assert_equal [%w[a b c], 2], [found[:differing].map { |one| one[:gem] }, found[:more]]
  end

  test "answers: other ones from one boot to the next are no one thing to measure" do
    other = lambda do |trial, name, position|
      length = name == "b" && position > 2 ? 9000 : 4507
      answers = SampleResult::ANSWERS.map { |answer| { **answer, length: } }
      trial[:facts] = trial[:facts].merge(answers:)
    end
    found = warnings(UNDECIDED, trial: other).first

    assert found.fatal?
    assert_equal ["answers_change", "B"], [found.code, found.subject]
    assert_equal({ side: "B", request: "GET /", kind: "length", answer: 9000, other: 4507 },
                 found.values)
  end

  test "answers: a trial without them says nothing of the others" do
    none = lambda do |trial, _, position|
      trial[:facts] = trial[:facts].except(:answers) if position == 2
    end

    assert_empty warnings(trial: none)
  end

  test "noise alone raises no fatal warning more often than one comparison in twenty" do
    fatal = Array.new(times(16, 40)) do |seed|
      noise = Noise.new(seed)
      jitter = lambda do |slice, *|
        slice[:wall_ns] = (slice[:wall_ns] * Math.exp(0.1 * noise.normal)).round
      end
      cohorts = CompareResult.new([0.0] * 8, slice: jitter).to_h
      (3..8).any? { |count| Mohs::Stored.comparison(first(cohorts, count)).warnings.any?(&:fatal?) }
    end

    assert_operator fatal.count(true), :<=, 0.075 * fatal.size
  end

  private

  def first(result, count)
    { **result, cohorts: result[:cohorts].first(count) }
  end
end
