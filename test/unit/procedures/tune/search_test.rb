# frozen_string_literal: true

require "test_helper"

# On servers played by the mock driver, and a played clock.
class TuneSearchTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-tune"

  MS = 1_000_000

  Clock = Struct.new(:mono_ns)

  # Its play moves the clock.
  class Player < SimpleDelegator
    def initialize(clock, driver)
      super(driver)
      @clock = clock
    end

    def run(steps) = super.tap { |results| @clock.mono_ns += results.sum(&:wall_ns) }
  end

  def search(limit = "p90 < 20ms", script: ->(*) { 10 * MS }, seconds: 14, beyond: nil,
             busy_per_s: nil, slots: nil)
    clock = Clock.new(0)
    given = @given = []
    counts = @counts = []
    driver = lambda do |cpus:, **options|
      given << cpus
      counts << options[:targets].first.to_h.values_at(:connections, :max_connections)
      behind = beyond && options[:drain_s] == Mohs::Tune::Result::BEYOND_S
      script_of = behind ? beyond : script
      Player.new(clock, Mohs::Drivers::Mock.new(script: script_of, cpus:, **options))
    end
    target = Mohs::Load::Target.new(host: "127.0.0.1", port: 1, connections: 2)
    limit = Mohs::Load::Limit.parse(limit)
    Mohs::Tune::Search.new(limit:, seconds:, seed: 1, cpus: [3],
                                 driver:, clock:).search(target, slots:, busy_per_s:)
  end

  test "the rate, what is limited just below it, and what is served beyond it" do
    found = search

    assert_equal "found", found[:outcome]
    assert_in_delta 127, found[:rate_per_s], 12 # as LoadRun::RateFinder's test has it
    assert_operator found[:low], :<, found[:rate_per_s]
    assert_operator found[:figure_ms], :<, 20
    assert_in_delta 200, found[:capacity_per_s], 3
    assert_operator found[:beyond_share], :>, 1, "1.5 times that rate is below its capacity"
    assert_equal [[3]], @given.uniq
  end

  test "of a server that was seen busy the rate is no higher than that, and a bit" do
    free, found = [nil, 150.0].map { |busy_per_s| search("p90 < 2s", busy_per_s:) }

    assert_operator free[:high], :>, 1.12 * 203
    assert_includes (1.05 * 200)..(1.12 * 203), found[:high], "by a cell of the search"
    assert_equal "at_least", search("p90 < 2s", script: ->(*) { MS / 10 }, seconds: 6)[:outcome]
  end

  test "a rate at the highest that may be tried is a bound if its server then serves more" do
    fast = ->(*) { 5 * MS }
    outcomes = { "p50 < 2s" => fast, "p90 < 20ms" => fast, "p50 < 3s" => nil }
               .to_h { |limit, beyond| [limit, search(limit, beyond:, busy_per_s: 150.0)] }

    assert_equal %w[at_least found found], (outcomes.values.map { |found| found[:outcome] })
    assert_operator outcomes["p50 < 2s"][:needed_s], :>, 2 * 12, "too short"
    refute Mohs::Tune::SearchTime.short?(outcomes["p50 < 2s"])
  end

  test "closed loops, and the load beyond, have the target's connections, the probes one a slot" do
    search(slots: 1)

    assert_equal [[2, 2], [2, 2], [1, 1]], @counts.first(3)
    assert_equal [[1, 1], [2, 2]], [@counts[2..-2].uniq, @counts.last(1)].flatten(1)
    search
    assert_equal [[2, 2]], @counts.uniq
  end

  test "a limit that holds nowhere has no beyond" do
    assert_equal ["none", nil], search("p90 < 5ms").values_at(:outcome, :beyond_share)
  end

  test "a server that hangs beyond its rate is gone, and one that refuses for a while is not" do
    hangs = ->(*) { "in_flight_at_end" }
    after = search(beyond: hangs)
    assert_operator after[:beyond_share], :<, 0.1, "it answers again"

    silent = false
    found = search(script: ->(*) { silent ? "in_flight_at_end" : 10 * MS },
                   beyond: ->(*) { (silent = true) && "in_flight_at_end" })
    assert_equal ["gone", nil, nil, nil, nil],
                 found.values_at(:outcome, :rate_per_s, :low, :figure_ms, :beyond_share)
    assert_operator found[:capacity_per_s], :>, 0
  end

  # What a search knows of a trial. samples: of each its block, its good responses and its seconds.
  Served = Struct.new(:slots, :samples, :found, keyword_init: true) do
    def target = :target

    def take(found, error: nil)
      self.found = found
      raise error if error
    end
  end

  # Hears what it is to search, and finds what the test says.
  class Told < Mohs::Tune::Search
    attr_reader :asked

    def initialize(found)
      super(limit: Mohs::Load::Limit.parse("p50 < 1s"), seconds: 5, seed: 1, cpus: [])
      @found = found
    end

    def search(target, **facts)
      @asked = [target, facts]
      @found
    end
  end

  def told(found, slots: 2, samples: [[nil, 9, 1], [0, 30, 2], [1, 30, 1]])
    samples = samples.map do |block, good, seconds|
      result = Mohs::Load::StepResult.new(good:, wall_ns: seconds * 1_000_000_000)
      Mohs::Trial::Sample.new(block:, result:)
    end
    trial, told = Served.new(slots:, samples:), Told.new(found)
    told.call(trial)
    [trial.found, *told.asked]
  end

  test "a trial takes what is found, knowing what it served with all threads busy" do
    found = { outcome: "found" }

    assert_equal [found, :target, { slots: 2, busy_per_s: 20.0 }], told(found)
    assert_equal({ slots: 2, busy_per_s: nil }, told(found, samples: [[nil, 9, 1]]).last)
    assert_equal({ slots: nil, busy_per_s: nil }, told(found, slots: nil).last, "are all busy?")
  end

  test "a server that no longer answers has failed, and says when" do
    error = assert_raises(Mohs::TrialError) { told({ outcome: "gone" }) }

    assert_equal [:failed, "stopped_in_search"], [error.state, error.reason.code]
    assert_said(Mohs::Report::Render.reason(error.reason).summary)
  end

  test "what is found survives the store" do
    found = search
    assert_equal found, JSON.parse(JSON.generate(found), symbolize_names: true)
  end
end
