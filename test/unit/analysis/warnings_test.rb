# frozen_string_literal: true

require "test_helper"

# Each warning: raised where it should be, silent where it should not.
class WarningsTest < Mohs::TestCase
  EQUAL = [0.001, 0.002, -0.001, 0.0, 0.001].freeze
  UNDECIDED = [0.02, -0.03, 0.01, 0.0, 0.03].freeze

  def warnings(differences = EQUAL, **options)
    Mohs::Stored.comparison(CompareResult.new(differences, **options).to_h).warnings
  end

  def texts(...) = Mohs::Stored.texts(warnings(...))

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
    assert_equal "the app slows with every request (+0.8 % per 1 000); what is measured depends " \
                 "on when", Mohs::Stored.texts(found).first
    assert_empty texts(slice: slower(->(_, index, _) { 1.001**index })), "2 % are the host's"
    assert_equal %w[growth], warnings(slice: slower(->(_, index, _) { 1.0028**index })).map(&:code)
    once = slower(->(_, index, cohort) { cohort.zero? ? 1.05**index : 1.0 })
    refute_includes texts(slice: once).join, "slows", "one cohort of five"
  end

  test "growth is told by the servers whose CPU time is known" do
    grows = slower(->(_, index, _) { 1.008**index })
    known = lambda do |slice, name, index, cohort|
      grows.call(slice, name, index, cohort)
      slice[:cpu_ns] = nil if name == "b"
    end

    assert_includes warnings(slice: known).map(&:code), "growth"
  end

  test "growth of one side alone is found too" do
    text = texts(slice: slower(->(name, index, _) { name == "b" ? 1.02**index : 1.0 })).first
    assert_includes text, "slows with every request"
  end

  test "unsteady: a lead that moves in every cohort alike" do
    moves = lambda do |slice, name, index, _|
      slice[:wall_ns] = (slice[:wall_ns] * (name == "b" ? 1.004**index : 1)).round
    end
    found = warnings(slice: moves)
    steady = warnings([0.3, 0.31, 0.29], slice: moves)

    assert_equal ["not steady: B's lead over A changed by -6.9 % while it was measured"],
                 Mohs::Stored.texts(found)
    assert found.first.fatal?, "the move is larger than the lead"
    assert_equal [["not_steady", :warn]], steady.map { |one| [one.code, one.severity] },
                 "a lead of 35 % stands"
    shared = ->(slice, _, index, _) { slice[:wall_ns] = (slice[:wall_ns] * (1.01**index)).round }
    assert_empty warnings(slice: shared), "what both live through"
  end

  test "pauses rarer than one slice in five are told where one side has more of them" do
    pauses = lambda do |slice, name, index, _|
      slice[:wall_ns] *= 5 if name == "b" && index == 8
    end
    text = texts(slice: pauses).first

    assert_match(/\AB pauses more: over all slices, .*, B's requests a second are -1\d % /, text)
    assert_match(/\AB pauses more/, texts(EQUAL.first(3), slice: pauses).first)
    assert_empty warnings(EQUAL.first(2), slice: pauses), "two cohorts tell no chance"
    both = ->(slice, _, index, _) { slice[:wall_ns] *= 5 if index == 8 }
    assert_empty warnings(slice: both)
  end

  test "pauses are not looked for in a cohort in which a side got nothing done" do
    silent = ->(slice, name, _, cohort) { slice[:good] = 0 if name == "b" && cohort.zero? }

    refute_includes warnings(slice: silent).map(&:code), "pauses"
  end

  test "halves: a half of the machine that is slower for both" do
    slow = lambda do |trial, _, _|
      next unless trial[:facts][:worker] == 1

      trial[:slices].each { |slice| slice[:wall_ns] = (slice[:wall_ns] * 1.2).round }
    end
    assert_equal ["one half of the machine serves 20 % more than the other, whoever is on it: " \
                  "something else runs there"], texts(trial: slow)
    unknown = lambda do |trial, name, position|
      slow.call(trial, name, position)
      trial[:facts] = trial[:facts].except(:worker) if position.zero?
    end
    assert_equal %w[halves], warnings(UNDECIDED, trial: unknown).map(&:code)
    wandering = lambda do |slice, _, index, _|
      half = index % 2
      slice[:facts] = { **slice[:facts].to_h, half: }
      slice[:wall_ns] = (slice[:wall_ns] * 1.2).round if half == 1
    end
    assert_match(/one half of the machine serves 20 %/, texts(slice: wandering).join)
    in_turns = ->(trial, _, position) { slow.call(trial, nil, position) if position.even? }
    refute_includes texts(trial: in_turns).join, "half"
  end

  test "dilution: told where the driver takes a quarter of the CPU time or more" do
    driver = ->(share) { ->(slice, *) { slice[:driver_cpu_ns] = (slice[:cpu_ns] * share).round } }

    assert_includes texts(slice: driver.call(0.5)).first, "the driver takes 33 % of the CPU time"
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

    assert_equal ["beyond what is compared, these differ too: jit (off, yjit), rack 3.0 / 3.1, " \
                  "json none / 2"], texts(trial: attests(**facts))
    assert_empty texts(trial: attests(**facts), variants: [{ ruby: "1" }, { ruby: "2" }])
    yjit = [{ flags: [] }, { flags: ["--yjit"] }]
    assert_equal ["beyond what is compared, these differ too: rack 3.0 / 3.1, json none / 2"],
                 texts(trial: attests(**facts), variants: yjit)
  end

  test "beyond: what one side can't attest is no difference" do
    assert_empty warnings(trial: attests(jit: nil, gems: { "rack" => "3.0" }))
  end

  test "beyond: of many the first are told, and how many more" do
    gems = %w[a b c d e].to_h { |name| [name, "1"] }.merge("rack" => "3.0")
    assert_operator texts(trial: attests(gems:)).first, :end_with?, "c none / 1 and 2 more"
  end

  test "answers: other ones from one boot to the next are no one thing to measure" do
    other = lambda do |trial, name, position|
      length = name == "b" && position > 2 ? 9000 : 4507
      answers = SampleResult::ANSWERS.map { |answer| { **answer, length: } }
      trial[:facts] = trial[:facts].merge(answers:)
    end
    found = warnings(UNDECIDED, trial: other).first

    assert found.fatal?
    assert_equal "B gives different responses after a reboot: GET / returned 9000 bytes " \
                 "where an earlier boot returned 4507", Mohs::Stored.texts([found]).first
  end

  test "answers: a trial without them says nothing of the others" do
    none = lambda do |trial, _, position|
      trial[:facts] = trial[:facts].except(:answers) if position == 2
    end

    assert_empty warnings(trial: none)
  end

  test "noise alone raises no fatal warning more often than one comparison in twenty" do
    fatal = Array.new(40) do |seed|
      noise = Noise.new(seed)
      jitter = lambda do |slice, *|
        slice[:wall_ns] = (slice[:wall_ns] * Math.exp(0.1 * noise.normal)).round
      end
      cohorts = CompareResult.new([0.0] * 8, slice: jitter).to_h
      (3..8).any? { |count| Mohs::Stored.comparison(first(cohorts, count)).warnings.any?(&:fatal?) }
    end

    assert_operator fatal.count(true), :<=, 3
  end

  private

  def first(result, count)
    { **result, cohorts: result[:cohorts].first(count) }
  end
end
