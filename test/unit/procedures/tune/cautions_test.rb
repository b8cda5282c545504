# frozen_string_literal: true

require "test_helper"

class TuneCautionsTest < Mohs::TestCase
  include Mohs::Tuned

  test "the budget that a caution names is enough for a race that ends at its first look" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 20 ms" }
    named = ->(tuning) { tuning.cautions.find { |one| one.code == "tune_little_time" }&.values }
    racing = named.(tuning(TIED, **tied, budget_s: 300))
    enough = tuning(TIED, **tied, budget_s: racing.fetch(:budget_s))

    assert_equal [:search, nil], [enough.schedule.next, named.(enough)]
    assert_in_delta after_look_s(4, search_s: racing.fetch(:needed_s)), racing.fetch(:budget_s)
    found = TIED.transform_values do
      SampleTuning.found(700.0, searched_s: 10, needed_s: 1.9 * 29)
    end
    found["1x1"] = 700.0
    short = tuning(TIED, **tied, budget_s: 300, searched: found)
    told = short.cautions.find { |one| one.code == "tune_short_searches" }.values
    enough = tuning(TIED, **tied, budget_s: told.fetch(:budget_s))
    assert_equal [:budget, :search], [short.race_ended, enough.schedule.next]
  end

  test "other processes that take more than a little of the CPU are told" do
    told = lambda do |host|
      made = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3).to_h
      made[:cohorts].each { |cohort| cohort[:host] = host }
      Mohs::Tune::Document.new(Mohs::Stored.analysis(made)).document[:warnings]
                          .find { |one| one[:code] == "busy_host" }
    end

    assert_nil told.({ foreign_cpu_share: 0.04 })
    found = told.({ foreign_cpu_share: 0.06 })
    assert_equal ["warn", { share: 0.06 }], [found[:severity].to_s, found[:values]]
    assert_nil told.({})
  end

  test "a present setting with fewer database connections than threads is told" do
    told = lambda do |pools|
      made = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 3).to_h
      made[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
        attested = { **trial[:facts][:attested], pool: pools[trial[:variant]] }.compact
        trial[:facts] = { **trial[:facts], attested: }
      end
      Mohs::Stored.analysis(made).result.cautions
                  .find { |one| one.code == "tune_present_pool" }&.values
    end

    assert_equal({ present: "yours", pool: 3, threads: 5 }, told.({ "yours" => 3, "2x5" => 5 }))
    assert_equal [nil, nil], [{ "yours" => 5, "2x5" => 3 }, {}].map { |pools| told.(pools) }
  end

  test "settings that are preloaded unlike the present one are told" do
    told = lambda do |present, others|
      made = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3).to_h
      made[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
        preload = trial[:variant] == "yours" ? present : others[trial[:variant]]
        attested = { **trial[:facts][:attested], preload: }.compact
        trial[:facts] = { **trial[:facts], attested: }
      end
      Mohs::Stored.analysis(made).result.cautions
                  .find { |one| one.code == "tune_preload_differs" }&.values
    end

    assert_equal({ present: "yours", preloaded: true, names: %w[2x3 2x5], all: true },
                 told.(true, { "2x3" => false, "2x5" => false }))
    assert_equal({ present: "yours", preloaded: false, names: %w[2x3], all: false },
                 told.(false, { "2x3" => true, "2x5" => false }))
    assert_nil told.(true, { "2x3" => true })
    assert_nil told.(nil, { "2x3" => true }), "one process has nothing to preload"
  end

  # Three rounds of so many settings, then searches on five boots; and a twentieth. A boot takes
  # 5 s.
  def after_look_s(settings, search_s:)
    1.05 * ((3 * settings * 5) + (5 * settings * (5 + search_s)))
  end

  test "searches on one boot are told, with the budget for five" do
    finding = caution("tune_few_boots", rounds: 6, searched: SEARCHED, searches: 1, budget_s: 150)

    assert_equal [1, 5], finding.values.values_at(:boots, :needed)
    assert_in_delta after_look_s(4, search_s: 6), finding.values[:budget_s]
    assert_nil caution("tune_few_boots", rounds: 6, searched: SEARCHED)
  end

  test "with the budget that a caution names there is time enough" do
    ["p90 < 20 ms", "p90 < 200 ms"].each do |limit|
      [90, 600].each do |budget_s|
        finding = caution("tune_little_time", SLOW, rounds: 1, limit:, budget_s:)
        budget_s = finding.values[:budget_s]
        found = tuning(SLOW, rounds: 1, limit:, budget_s:)
        searches = tuning(SLOW, rounds: 6, limit:, budget_s:).schedule.searches

        assert_empty found.cautions, limit
        assert_operator searches.rounds, :>=, 3
        assert_operator searches.search_s, :>=, finding.values[:needed_s]
      end
    end
  end

  MANY = { **SLOW, "1x2" => 31.0, "1x3" => 32.0, "1x5" => 33.0, "1x8" => 34.0, "2x1" => 61.0,
           "2x16" => 60.0, "2x32" => 59.0 }.freeze

  # The race ended without time for searches. The longest request took as long as told here.
  test "where neither searches nor the model know a rate, the caution says why" do
    told = ->(**of) { caution("tune_no_model", rounds: 6, budget_s: 130, **of)&.values }
    assert_nil told.()
    short = told.(limit: "p99 < 2 ms")
    assert_equal ["p99 < 2 ms", 2], short.values_at(:limit, :times)
    assert_operator short[:longest_ms], :>, 1
    alone = SPEEDS.except("1x1")
    found = tuning(alone, rounds: 6, budget_s: 130)
    assert_nil found.cautions.find { |one| one.code == "tune_no_model" }.values[:longest_ms]
    refute_predicate found, :modelled?
    early = caution("tune_little_time", SLOW, rounds: 1, limit: "p99 < 2 ms", budget_s: 90)
    assert_equal 2, early.values[:times]
  end

  test "a budget of more than an hour is advised for no setting" do
    told = [90, 600].map do |budget_s|
      caution("tune_little_time", SLOW, rounds: 1, limit: "p99.9 < 200 ms", budget_s:).values
    end

    told.each { |values| assert_equal [nil, nil], values.values_at(:least_s, :budget_s) }
    long = SampleTuning.found(60.0, searched_s: 40.0, needed_s: 900.0)
    short = caution("tune_short_searches", SLOW, rounds: 3, searched: { "yours" => long,
                                                                        "2x3" => 60.0 })
    assert_equal [nil, nil], short.values.values_at(:least_s, :budget_s)
  end

  test "nor does the caution come back while thirteen slow settings race in that budget" do
    [5, 8, 10].each do |trial_s|
      slow = { limit: "p90 < 200 ms", seconds: MANY.size * trial_s, boot_sd: 0.05 }
      short = caution("tune_little_time", MANY, **slow, rounds: 1, budget_s: 1000).values
      named = (1..3).map { |rounds| tuning(MANY, **slow, rounds:, budget_s: short[:budget_s]) }

      assert_empty named.flat_map(&:cautions), trial_s
      assert_equal 5, named.last.schedule.searches.names.size
    end
  end

  test "the budget named for searches that were too short is larger, and has longer ones" do
    slow = { limit: "p90 < 200 ms", rounds: 3 }
    { 1200 => 130.0, 2000 => 90.0, 3000 => 100.0 }.each do |budget_s, needed_s|
      short = SampleTuning.found(60.0, searched_s: 0.4 * needed_s, needed_s:)
      searched = { "yours" => short, "2x3" => 60.0 }
      told = caution("tune_short_searches", SLOW, **slow, searched:, budget_s:).values
      again = tuning(SLOW, **slow, budget_s: told[:budget_s]).schedule.searches

      assert_operator told[:budget_s], :>, budget_s
      assert_operator again.search_s, :>=, told[:needed_s]
    end
  end

  test "a caution names the budget for two settings, too, unless this one is enough for them" do
    five = SLOW.except("2x8")
    short, enough = [90, 900].map do |budget_s|
      caution("tune_little_time", five, rounds: 1, limit: "p90 < 200 ms", budget_s:).values
    end
    steps = (3..6).map do |rounds|
      tuning(five, rounds:, limit: "p90 < 200 ms", budget_s: short[:least_s]).schedule
    end
    searches = steps.find { |one| one.next == :search }.searches

    assert_nil enough[:least_s]
    assert_nil caution("tune_little_time", SLOW, rounds: 1, limit: "p90 < 200 ms", budget_s: 90,
                                                 wanted_per_s: 40.0).values[:least_s]
    assert_operator short[:least_s], :<, 0.5 * short[:budget_s]
    assert_operator searches.search_s, :>=, short[:needed_s]
    assert_equal 2, searches.names.size
    few = { "yours" => 50.0, "2x3" => SampleTuning.found(60.0, searched_s: 1.0, needed_s: 90.0) }
    told = caution("tune_short_searches", SLOW, rounds: 6, searched: few, budget_s: 90).values
    assert_equal 5, told[:settings]
    assert_operator told[:least_s], :<, 0.8 * told[:budget_s]
  end

  test "time for fewer settings is told as that, and none that is enough for all" do
    fewer, short = [900, 90].map do |budget_s|
      caution("tune_little_time", SLOW, rounds: 1, limit: "p90 < 200 ms", budget_s:)
    end
    searches = tuning(SLOW, rounds: 3, limit: "p90 < 200 ms", budget_s: 900).schedule.searches

    assert_equal [searches.names.size, 0], ([fewer, short].map { |one| one.values[:searchable] })
    assert_operator searches.search_s, :>=, fewer.values[:needed_s]
    assert_includes 2..4, searches.names.size
    whole = { rounds: 1, limit: "p90 < 200 ms", budget_s: fewer.values[:budget_s].ceil }
    assert_nil caution("tune_little_time", SLOW, **whole)
    many = { **SLOW, "2x1" => 61.0, "2x16" => 60.0 }
    late = tuning(many, rounds: 3, boot_sd: 0.05, limit: "p90 < 200 ms", budget_s: 2400)
    assert_equal [:race, []], [late.schedule.next, late.cautions]
    two = { "yours" => 50.0, "2x1" => 65.0 }
    told = caution("tune_little_time", two, rounds: 1, limit: "p90 < 200 ms", budget_s: 200)
    assert_equal [2, nil], told.values.values_at(:settings, :least_s)
    assert_operator told.values[:searchable], :<, 2
  end

  test "one slow boot does not change how long searches need to be, by the caution either" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 20 ms", budget_s: 300 }
    even, uneven = Array.new(2) { SampleTuning.new(TIED, shapes: SHAPES, **tied).to_h }
    uneven[:cohorts][1][:trials].each do |trial|
      trial[:slices].each { |slice| slice[:wall_ns] *= 2 }
    end
    needed = [even, uneven].map do |made|
      found = Mohs::Stored.analysis(made).result
      told = found.cautions.find { |one| one.code == "tune_little_time" }
      [told.values[:needed_s], found.schedule.likely_needed_s]
    end

    needed.flatten.each { |time| assert_in_delta needed[0][0], time, 2 }
  end

  test "while the race goes on it says that its searches will be too short for the limit" do
    rare = { rounds: 1, limit: "p99 < 20 ms", budget_s: 200 }
    finding = caution("tune_little_time", **rare)

    assert_equal [3, 4, "rare"], finding.values.values_at(:boots, :settings, :cure)
    needed_s = finding.values[:needed_s]
    slowest = Mohs::Analysis::RateSearch.needed_s(limit: Mohs::Load::Limit.parse(rare[:limit]),
                                                  rate_per_s: 700.0)
    assert_in_delta (1.3 * slowest / 2) + 2, needed_s, 5, "of the slowest, with the load beyond"
    assert_in_delta after_look_s(4, search_s: needed_s), finding.values[:budget_s], 0.01
    easy = { rounds: 1, limit: "p90 < 20 ms" }
    assert_nil caution("tune_little_time", **easy)
    assert_equal "tighter", caution("tune_little_time", rounds: 1).values[:cure]
    assert_nil caution("tune_little_time", **rare, rounds: 6), "the race is over"
  end

  test "with a wanted rate the searches of the cheapest settings have to be long enough" do
    speeds = { "yours" => 160.0, "1x1" => 25.0, "1x2" => 30.0, "2x3" => 150.0, "2x5" => 155.0,
               "3x5" => 165.0, "4x5" => 170.0 }
    rare = { rounds: 1, limit: "p90 < 50 ms", budget_s: 300 }
    fast, cheap = [nil, 15.0].map do |wanted_per_s|
      caution("tune_little_time", speeds, **rare, wanted_per_s:).values[:needed_s]
    end

    assert_in_delta ((1.3 * 24 * 20 * 10 / 150) / 2) + 2, fast, 2
    assert_in_delta ((1.3 * 24 * 20 * 10 / 25) / 2) + 2, cheap, 10
  end

  test "settings that serve more within the limit than with all threads busy are told" do
    faster = { **SEARCHED, "2x5" => 1400.0 }

    assert_equal({ names: %w[2x5] },
                 caution("tune_slow_race", rounds: 6, searched: faster).values)
    assert_nil caution("tune_slow_race", rounds: 6, searched: SEARCHED)
    short = SampleTuning.found(1400.0, searched_s: 10.0, needed_s: 100.0)
    assert_nil caution("tune_slow_race", rounds: 6, searched: { "2x5" => short })
  end

  test "searches that are too short for the limit are told, with what would do" do
    short = SampleTuning.found(900.0, searched_s: 10.0, needed_s: 200.0)
    finding = caution("tune_short_searches", rounds: 6, searched: { **SEARCHED, "2x3" => short })

    assert_equal 10, finding.values[:searched_s]
    assert_in_delta (1.3 * 200 / 2) + 2, finding.values[:needed_s]
    assert_in_delta after_look_s(4, search_s: 132), finding.values[:budget_s]
    assert_equal ["tighter", %w[2x3]], finding.values.values_at(:cure, :names)
    all = SEARCHED.transform_values { short }
    assert_nil caution("tune_short_searches", rounds: 6, searched: all), "then there is the model"
    { "p99.9 < 20 ms" => "rare", "p90 < 5 ms" => nil, "p99 < 200 ms" => "tighter" }
      .each do |limit, cure|
      needed_s = Mohs::Analysis::RateSearch.needed_s(limit: Mohs::Load::Limit.parse(limit),
                                                     rate_per_s: 1170.0)
      short = SampleTuning.found(900.0, searched_s: 1.0, needed_s:)
      found = caution("tune_short_searches", rounds: 6, limit:,
                                             searched: { **SEARCHED, "2x3" => short })
      cure ? assert_equal(cure, found.values[:cure]) : assert_nil(found.values[:cure])
    end
    assert_nil caution("tune_short_searches", rounds: 6, searched: SEARCHED)
  end
end
