# frozen_string_literal: true

require "test_helper"

class TuneResultTest < Mohs::TestCase
  include Mohs::Tuned
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-tune"

  def advice(tuning) = tuning.recommendation

  test "the race goes on while settings are neither told apart nor equal" do
    found = tuning(rounds: 2)

    assert_equal [:race, 2, nil], [found.schedule.next, found.race.rounds, found.race_ended]
    assert_equal SPEEDS.keys, found.race.alive
    assert(found.settings.all? { |one| one.state == "waiting" })
  end

  test "before its first round is over the race shows who leads of those that opened it" do
    found = tuning(rounds: 0, opening: %w[yours 2x3 2x5])
    opening = found.opening

    assert_equal ["2x3", 1, 0], [opening.leader, opening.follow, found.race.rounds]
    assert_in_delta 1.3, opening.gain.value, 0.02
    assert_operator opening.gain.low, :>, 1.2
    assert_equal [3, nil], [setting(found, "2x3").busy.count, setting(found, "1x1").busy]
    one = tuning(rounds: 0, opening: %w[yours], openings: 1).opening
    assert_equal ["yours", nil, 3], one.to_a
  end

  test "a setting with fewer than three boots has the widest interval of these" do
    one, two, three = [1, 2, 3].map do |openings|
      tuning(rounds: 0, opening: %w[yours 2x3], openings:, boot_sd: 0.1)
    end
    only, both = [one, two].map { |found| found.race.busy_on_boots_per_s("2x3") }

    assert_includes Range.new(*only), setting(one, "2x3").busy.value
    assert_operator only.last / only.first, :<, 1.02
    assert_equal only, (only.map { |per_s| per_s.clamp(*both) })
    assert_operator both.last / both.first, :>, 1.03
    assert_equal [nil, nil], [three.race.busy_on_boots_per_s("2x3"),
                              one.race.busy_on_boots_per_s("1x1")]
  end

  test "openings count as parts of their rounds: nobody is cut for them" do
    found = tuning(rounds: 1, opening: %w[yours 2x3 2x5])

    assert_equal [nil, 1, SPEEDS.keys], [found.opening, found.race.rounds, found.race.alive]
    assert_equal [:race, 3], [found.schedule.next, setting(found, "2x5").busy.count]
    whole = tuning(rounds: 3, opening: %w[yours 2x3 2x5])
    assert_equal %w[1x1 yours], whole.race.dropped.keys.sort
  end

  test "the setting that the present one's file sets is raced once, and not recommended" do
    found = attesting([2, 5], TIED, rounds: 3)

    assert_equal [%w[2x5], "same"], [found.race.out.keys, setting(found, "2x5").state]
    refute_includes found.race.alive, "2x5"
    assert_equal %w[yours 1x1 2x3], found.race.alive
    assert_empty attesting([2, 8], TIED, rounds: 3).race.out
    assert_empty attesting([2, nil], TIED, rounds: 3).race.out
    assert_empty attesting([2, 5], TIED, rounds: 3, preload: true).race.out
  end

  test "where a rate is wanted, the present setting stands for what it is, too" do
    found = attesting([2, 5], WANTED, rounds: 3, wanted_per_s: 500)

    assert_equal ["same", :search], [setting(found, "2x5").state, found.schedule.next]
    refute_includes found.schedule.searches.names, "2x5"
  end

  test "a race that opens with the present setting twice has it lead once" do
    found = attesting([2, 3], SPEEDS, rounds: 0, opening: %w[yours 2x3 2x5])

    assert_equal "2x5", found.opening.leader
  end

  test "those that serve fewer are dropped at the first look, and say by how much" do
    found = tuning(rounds: 3)

    assert_equal %w[1x1 yours], found.race.dropped.keys.sort
    dropped = setting(found, "1x1")
    assert_equal ["dropped", "2x3", 3], [dropped.state, dropped.drop.leader, dropped.drop.round]
    assert_in_delta Math.log(1300 / 700.0), dropped.drop.interval.value, 0.02
  end

  test "settings whose responses were refused before the first round have their reason" do
    made = SampleTuning.new(SPEEDS, rounds: 0, opening: %w[yours 2x3], openings: 1).to_h
    made[:cohorts].first[:trials].each do |trial|
      trial.update(state: "refused", slices: [], reason: "GET / returned 302 to /login.")
    end
    found = Mohs::Stored.analysis(made).result

    assert_predicate found, :hopeless?
    assert_equal %w[failed waiting failed waiting],
                 (SPEEDS.keys.map { |name| setting(found, name).state })
    assert_match(/302/, setting(found, "2x3").reason.to_s)
    assert_nil setting(found, "1x1").reason
  end

  test "memory that is not known fits no limit" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched: SEARCHED,
                                    memory_bytes: 10**12).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:facts] = { **trial[:facts], memory: {} } if trial[:variant] == "2x5"
    end

    found = Mohs::Stored.analysis(hash).result
    assert_equal ["2x3", "memory_unknown"],
                 [found.recommended.name, setting(found, "2x5").reason.code]
  end

  test "the highest rate of each has the interval of its boots" do
    found = tuning(rounds: 6, searched: SEARCHED)
    one = setting(found, "2x3")

    assert_equal ["searched", 3], [one.state, one.rate.count]
    assert_in_delta 900, one.rate.value, 15
    assert_operator one.rate.low, :<, one.rate.value
    assert_in_delta 190, one.figure_ms.value
    assert_equal [false, { share: 0.97, collapses: false }], [one.bound, one.beyond]
  end

  test "the best come first, with marks of those not told apart" do
    found = tuning(rounds: 6, searched: SEARCHED)

    assert_equal [%w[2x3 2x5], "yours", "1x1"],
                 [found.settings.first(2).map(&:name).sort, *found.settings.last(2).map(&:name)]
    marks = found.settings.first(3).map(&:mark)
    assert_equal marks[0], marks[1]
    refute_equal marks[1], marks[2]
  end

  test "of settings within the margin the one that takes least memory is recommended" do
    larger = lambda do |hash|
      hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
        next unless trial[:variant] == "2x5"

        memory = { at_end: { tree_bytes: 99_000_000 } }
        trial[:facts] = { **trial[:facts], memory: }
      end
      hash
    end
    made = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched: SEARCHED)
    found = Mohs::Stored.analysis(larger.call(made.to_h)).result

    assert_equal "2x3", found.recommended.name
    assert_equal %w[2x3], advice(found).frontier & %w[2x3]
    assert_in_delta 900 / 700.0, advice(found).gain.value, 0.05
    assert_operator advice(found).gain.low, :>, 1
    refute advice(found).present_is_best?
  end

  # The settings worth choosing from. sizes: megabytes, nil where unknown.
  def frontier(sizes)
    rates = { "yours" => 100.0, "1x1" => 300.0, "2x3" => 300.0, "2x5" => 90.0 }
    searched = rates.transform_values { |rate| SampleTuning.found(rate) }
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched:).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      size = sizes.fetch(trial[:variant])
      memory = size ? { at_end: { tree_bytes: size * 1_000_000 } } : {}
      trial[:facts] = { **trial[:facts], memory: }
    end
    advice(Mohs::Stored.analysis(hash).result).frontier
  end

  test "worth choosing from are settings that no other beats in rate and memory" do
    assert_equal %w[1x1 yours], frontier("yours" => 50, "1x1" => 200, "2x3" => 210, "2x5" => 60)
    assert_equal %w[2x3 1x1], frontier("yours" => 200, "1x1" => 200, "2x3" => 200, "2x5" => 201)
    assert_equal %w[2x3 yours 2x5],
                 frontier("yours" => 60, "1x1" => 201, "2x3" => 200, "2x5" => 50)
  end

  test "a setting without a figure of its memory is beside those that have one" do
    unknown = frontier("yours" => 50, "1x1" => nil, "2x3" => 210, "2x5" => 60)

    assert_equal %w[2x3 yours], unknown
    assert_equal %w[2x3 1x1], frontier(SPEEDS.transform_values { nil })
  end

  test "memory that was limited leaves out what needs more, the present setting too" do
    assert_nil tuning(rounds: 6, searched: SEARCHED, memory_bytes: 1).recommended

    sizes = { "yours" => 900, "2x3" => 300, "2x5" => 300 }
    found = sized(sizes, { **SEARCHED, "yours" => 990.0 }, memory_bytes: 500_000_000)
    assert_includes %w[2x3 2x5], found.recommended.name
    assert_equal [found.recommended.name], advice(found).frontier
    refute_nil advice(found).present_is_best?
    refute_predicate advice(found), :present_is_best?
  end

  test "what needs more memory than it may says by what, and how much" do
    sizes = { "yours" => 300, "2x3" => 600, "2x5" => 300 }
    reasons = lambda do |**rules|
      found = sized(sizes, SEARCHED, **rules)
      [found.recommended.name, setting(found, "2x3").reason&.cause]
    end
    values = { needed_bytes: 600_000_000, limit_bytes: 500_000_000 }

    assert_equal ["2x5", ["needs_more_memory", { **values, by: "option" }]],
                 reasons.(memory_bytes: 500_000_000)
    group = { cores: nil, memory_bytes: 500_000_000, processes: nil }
    assert_equal ["2x5", ["needs_more_memory", { **values, by: "cgroup" }]], reasons.(cgroup: group)
    assert_equal "option", reasons.(cgroup: { **group, memory_bytes: 550_000_000 },
                                    memory_bytes: 500_000_000).last.last[:by]
    assert_nil reasons.(cgroup: { **group, memory_bytes: 700_000_000 }).last
  end

  test "a wanted rate is not surely served by one boot, nor by searches that were too short" do
    found = tuning(WANTED, rounds: 6, searched: SEARCHED, searches: 1, wanted_per_s: 500.0)
    assert_equal [nil, nil, 1, true],
                 [advice(found).enough?(found.recommended), advice(found).present_is_best?,
                  advice(found).few_boots,
                  advice(found).seems_enough?(found.recommended)]

    short = SampleTuning.found(900.0, searched_s: 10.0, needed_s: 21.0)
    found = tuning(WANTED, rounds: 6, searched: { "yours" => short }, wanted_per_s: 500.0)
    assert_equal [true, true, "modelled"],
                 [advice(found).enough?(found.recommended), advice(found).present_is_best?,
                  found.recommended.state]
    some = { "yours" => short, "2x3" => 900.0 }
    found = tuning(WANTED, rounds: 6, searched: some, wanted_per_s: 500.0)
    assert_equal [nil, true], [advice(found).enough?(setting(found, "yours")),
                               advice(found).enough?(setting(found, "2x3"))]
    enough = tuning(WANTED, rounds: 6, searched: SEARCHED, wanted_per_s: 500.0)
    assert_equal [true, nil, false], [advice(enough).enough?(enough.recommended),
                                      advice(enough).few_boots,
                                      advice(enough).seems_enough?(enough.recommended)]
  end

  test "where none is surely enough, the cheapest that seems to be is named, not the fastest" do
    searched = { "yours" => 600.0, "1x3" => 550.0, "2x3" => 900.0 }
    found = sized({ "yours" => 300, "1x3" => 200, "2x3" => 400 }, searched,
                  speeds: WANTED, searches: 1, wanted_per_s: 500.0)

    assert_equal ["1x3", 1], [found.recommended.name, advice(found).few_boots]
  end

  test "one boot of each does not say whether the present setting is among the best" do
    searched = { "yours" => 900.0, "2x3" => 800.0 }

    assert_nil advice(tuning(rounds: 6, searched:, searches: 1)).present_is_best?
    assert advice(tuning(rounds: 6, searched:)).present_is_best?
    none = SampleTuning.found(12.0, outcome: "none")
    assert_nil tuning(rounds: 6, searched: { "yours" => none, "2x3" => 800.0 }, searches: 1)
                 .recommendation.present_is_best?
  end

  test "what seems to be enough does so after two boots as after one, and only if it is asked" do
    [1, 2].each do |searches|
      found = tuning(WANTED, rounds: 6, searched: SEARCHED, searches:, wanted_per_s: 500.0)
      assert advice(found).seems_enough?(found.recommended)
      fastest = tuning(WANTED, rounds: 6, searched: SEARCHED, searches:)
      refute advice(fastest).seems_enough?(fastest.recommended)
    end
  end

  # By how much 2x3 serves more than yours, on each boot.
  def gains(run)
    found_rates(run).values_at("2x3", "yours").transpose.map { |two, one| Math.log(two / one) }
  end

  def searched(searched, **options)
    SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched:, searches: 5, **options).analysis
  end

  test "all settings that were searched beside the present one share the level of the gain" do
    alone, beside = [{}, { "2x5" => 600.0 }].map do |others|
      searched({ "yours" => 700.0, "2x3" => 900.0, **others }, search_sd: 0.1)
    end

    { alone => 0.05, beside => 0.05 / 2 }.each do |run, alpha|
      wanted = Mohs::Stats::Effect.of(gains(run)).interval(alpha:)
      assert_in_delta wanted.low, advice(run.result).gain.low, 1e-9
      assert_in_delta wanted.high, advice(run.result).gain.high, 1e-9
    end
  end

  test "an undecided gain says how long a tuning of the two alone takes to show it" do
    rates = { "yours" => 700.0, "2x3" => 900.0, "2x5" => 600.0 }
    run = searched(rates, search_sd: 0.14)
    further, effect = advice(run.result).further, Mohs::Stats::Effect.of(gains(run))

    assert_operator advice(run.result).gain.low, :<, 1
    assert_equal "2x3", further.name
    assert_in_delta Math.exp(effect.least), further.gain
    boots = effect.needed(delta: effect.least, alpha: 0.05, most: 60)
    # Six servers race, for 5 s each; each search takes a minute with its boot.
    assert_in_delta 1.05 * ((6 * 5) + (2 * boots * 60)), further.budget_s
    two = SampleTuning.new(SPEEDS.slice("yours", "2x3"), shapes: SHAPES, seconds: 10,
                                                         budget_s: further.budget_s,
                                                         limit: "p90 < 5 ms")
    assert_operator two.tuning.schedule.searches.rounds, :>=, boots
    assert_nil advice(searched(rates).result).further, "it is decided"
  end

  test "a gain that would not be worth a change needs no further tuning" do
    hardly, worth = [[705.0, 0.02], [720.0, 0.04]].map do |rate, search_sd|
      searched({ "yours" => 700.0, "2x3" => rate }, search_sd:)
    end

    [hardly, worth].each { |run| assert_includes 0.97..1, advice(run.result).gain.low }
    assert_includes 1..1.03, Math.exp(Mohs::Stats::Effect.of(gains(hardly)).least)
    assert_equal [true, false], [hardly, worth].map { |run| advice(run.result).further.nil? }
    long = searched({ "yours" => 700.0, "2x3" => 710.0 }, search_sd: 0.04).result
    assert_nil advice(long).further, "it would take more than an hour"
  end

  test "until all planned boots are done it is unknown whether the present setting is the best" do
    done, under_way = [0, 2].map do |open_searches|
      searched({ "yours" => 700.0, "2x3" => 900.0 }, open_searches:).result
    end

    assert_equal [nil, [5, 7]], [done, under_way].map { |one| one.rates.boots_so_far }
    assert_equal [false, nil], [done, under_way].map { |one| advice(one).present_is_best? }
    wanted = [0, 2].map do |open_searches|
      searched({ "yours" => 700.0, "2x3" => 900.0 }, open_searches:, wanted_per_s: 300).result
    end
    assert_equal [true, nil], wanted.map { |one| advice(one).present_is_best? }
  end

  test "the present setting as a neighbour has the interval of the gain" do
    shapes = { "1x5" => 700.0, "2x5" => 900.0 }
    found = tuning({ "1x5" => 1000.0, "2x5" => 1300.0 }, rounds: 6, searched: shapes, searches: 5,
                                                         search_sd: 0.1)
    step = advice(found).steps.first

    assert_equal %w[1x5 limit], [step.name, step.by]
    assert_in_delta 1 / advice(found).gain.high, step.ratio.low
    assert_in_delta 1 / advice(found).gain.low, step.ratio.high
  end

  test "the cheapest that surely serves the wanted rate is recommended, and yours is held to it" do
    sizes = { "yours" => 300, "1x3" => 200, "2x3" => 400 }
    found = lambda do |rate, **searched|
      sized(sizes, { "yours" => 700.0, "2x3" => 900.0, **searched }, wanted_per_s: rate)
    end
    picked = ->(rate, **searched) { found.(rate, **searched).recommended.name }

    assert_equal %w[yours 2x3 2x3], [picked.(600.0), picked.(800.0), picked.(9000.0)]
    assert_equal [true, false, nil, false],
                 [600.0, 800.0, 700.0, 9000.0].map { |rate| advice(found.(rate)).present_is_best? }
    tuned = found.(800.0)
    assert_equal [true, false, nil], [setting(tuned, "2x3"), setting(tuned, "yours"),
                                      setting(tuned, "1x1")].map { advice(tuned).enough?(_1) }
    assert_nil advice(tuning(rounds: 6, searched: SEARCHED)).enough?(setting(tuned, "2x3"))
  end

  test "one that serves the wanted rate with clearly more memory than needed is not the best" do
    sizes = { "yours" => 500, "2x3" => 400 }
    searched = { "yours" => 900.0, "2x3" => 900.0 }

    found = sized(sizes, searched, wanted_per_s: 800.0)
    assert_equal ["2x3", false], [found.recommended.name, advice(found).present_is_best?]
    found = sized({ **sizes, "yours" => 420 }, searched, wanted_per_s: 800.0)
    assert advice(found).present_is_best?
    large = sized(sizes, searched, wanted_per_s: 800.0, memory_bytes: 450_000_000)
    refute advice(large).present_is_best?
  end

  test "what needs more memory than it may has no part in the race of the others" do
    sizes = { "2x3" => 400, "2x5" => 420, "yours" => 290 }
    soon = { speeds: WANTED, memory_bytes: 300_000_000, limit: "p90 < 5 ms" }
    found = sized(sizes, {}, **soon)

    assert_equal [%w[2x3 2x5], %w[1x1 1x3], "yours"],
                 [found.race.out.keys.sort, found.race.dropped.keys.sort, found.race.leader]
    one = setting(found, "2x3")
    assert_equal ["too_large", "needs_more_memory", 400_000_000],
                 [one.state, one.reason.code, one.reason.values[:needed_bytes]]
    assert_equal %w[yours], found.schedule.searches.names
    wanted = sized(sizes, {}, **soon, wanted_per_s: 500.0)
    assert_equal %w[1x1 1x3 yours], wanted.schedule.searches.names.sort
  end

  test "the present setting is searched though it needs too much memory; where all do, it ends" do
    found = sized({ "yours" => 400 }, {}, memory_bytes: 300_000_000, limit: "p90 < 5 ms")
    assert_equal ["too_large", true],
                 [setting(found, "yours").state, found.schedule.searches.names.include?("yours")]

    all = sized({}, {}, memory_bytes: 100_000_000)
    assert_equal [[], :nobody, :nothing, 0],
                 [all.race.alive, all.race_ended, all.schedule.next, all.race.rounds]
    assert(all.settings.all? { |one| one.state == "too_large" })
  end

  test "a little less memory decides nothing: then fewer threads do" do
    picks = [[920.0, 100, 95], [920.0, 100, 85], [920.0, 95, 100], [990.0, 85, 100]]
            .map do |rate, small, large|
      sized({ "2x3" => small, "2x5" => large }, { **SEARCHED, "2x5" => rate }).recommended.name
    end

    assert_equal %w[2x3 2x5 2x3 2x5], picks
  end

  test "a server that ended or stopped answering in a search is no setting to rely on" do
    gone = SampleTuning.found(900.0, outcome: "gone", rate_per_s: nil, low: nil, high: nil)
    found = tuning(rounds: 6, searched: { **SEARCHED, "2x3" => gone })
    assert_equal ["failed", nil], setting(found, "2x3").to_h.values_at(:state, :rate)

    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched: SEARCHED).to_h
    dead = hash[:cohorts].last[:trials].find { |trial| trial[:variant] == "2x5" }
    dead.update(state: "failed", reason: "the server died: exit 3", facts: {})
    found = Mohs::Stored.analysis(hash).result
    assert_equal ["failed", "the server died: exit 3"],
                 [setting(found, "2x5").state, setting(found, "2x5").reason.to_s]
    assert_equal "2x3", found.recommended.name
  end

  test "a present setting that broke down in its search is not the best, if another did not" do
    gone = SampleTuning.found(900.0, outcome: "gone", rate_per_s: nil, low: nil, high: nil)
    found = [nil, 500.0].map do |wanted_per_s|
      advice(tuning(rounds: 6, searched: { **SEARCHED, "yours" => gone }, wanted_per_s:))
        .present_is_best?
    end
    assert_equal [false, false], found
    assert_nil advice(tuning(rounds: 6, searched: { "yours" => gone })).present_is_best?
  end

  test "a present setting whose server ended in the race is not the best" do
    found = tuning(rounds: 3, failing: %w[yours], searched: { "2x3" => 900.0 })

    assert_equal ["failed", "2x3", false],
                 [setting(found, "yours").state, found.recommended.name,
                  advice(found).present_is_best?]
  end

  test "the ratio of a bound is a bound, to a rate that is known" do
    least = SampleTuning.bound(900.0)
    found = tuning(rounds: 6, searched: { "yours" => 700.0, "2x3" => least })
    assert_equal ["2x3", false], [found.recommended.name, advice(found).present_is_best?]
    assert_in_delta 900 / 700.0, advice(found).gain.value, 0.02
    assert_operator advice(found).gain.low, :>, 1.2
    assert_nil advice(found).gain.high
    hardly = tuning(rounds: 6, searched: { "yours" => 890.0, "2x3" => least })
    assert_nil advice(hardly).present_is_best?, "2x3 may serve far more"
    known = tuning(rounds: 6, searched: { "yours" => least, "2x3" => 1000.0 })
    assert_equal ["2x3", nil, nil],
[known.recommended.name, advice(known).gain, advice(known).present_is_best?]

    none = SampleTuning.found(12.0, outcome: "none")
    found = tuning(rounds: 6, searched: { "yours" => none, "2x3" => 900.0 })
    assert_equal [0.0, nil, false],
                 [setting(found, "yours").rate.value, advice(found).gain,
                  advice(found).present_is_best?]
  end

  def found_rates(run)
    trials = run.stored.trials.select(&:found).group_by(&:variant)
    trials.transform_values { |all| all.map { |one| one.found[:rate_per_s] } }
  end

  test "the intervals hold for all searched settings together, by how all of them vary" do
    run = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched: SEARCHED).analysis
    rates = found_rates(run)
    rounds = Array.new(3) { |at| rates.transform_values { |all| Math.log(all[at]) } }
    expected = Mohs::Stats::RoundMeans.new(rounds).interval("2x3", level: 1 - (0.05 / 3)).exp

    assert_equal expected, setting(run.result, "2x3").rate
  end

  test "where a rate is a bound on one boot its own rates alone tell how it varies" do
    found = [1000.0, 900.0, SampleTuning.bound(800.0)]
    searched = { **SEARCHED, "2x3" => found }
    run = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched:).analysis
    varying = Mohs::Stats::Interval.of_positive(found_rates(run)["2x3"], level: 1 - (0.05 / 3))

    assert_equal varying.bound, setting(run.result, "2x3").rate
    assert_operator varying.low, :<, 750
    one = tuning(rounds: 6, searched: { **searched, "2x3" => found.last(1) }, searches: 1)
    assert_equal [800.0 * 0.95, nil], setting(one, "2x3").rate.to_a.slice(1, 2)
  end

  test "the present setting stays where none is better" do
    found = tuning({ "yours" => 1300.0, "1x1" => 700.0 }, rounds: 4, searched: { "yours" => 900.0 })

    assert_equal ["yours", nil, true],
                 [found.recommended.name, advice(found).gain, advice(found).present_is_best?]
  end

  test "a limit that held at no rate is a rate of 0, and recommends nothing" do
    none = SampleTuning.found(12.0, outcome: "none", beyond_share: nil)
    found = tuning(rounds: 6, searched: { "2x3" => none, "yours" => none })

    assert_equal [0.0, nil, nil],
                 [setting(found, "2x3").rate.value, found.recommended,
                  advice(found).present_is_best?]
    assert_empty advice(found).frontier
  end

  test "one that serves far less beyond its rate collapses" do
    found = tuning(rounds: 6, searched: { "2x3" => SampleTuning.found(900.0, beyond_share: 0.4) })

    assert_equal({ share: 0.4, collapses: true }, setting(found, "2x3").beyond)
  end

  test "a setting that was not measured in a round is out, with its reason" do
    found = tuning(rounds: 3, failing: ["2x5"])

    assert_said(*[setting(found, "2x5").state, setting(found, "2x5").reason.to_s])
    refute_includes found.schedule.searches.names, "2x5"
  end

  STOPPED = { name: "little_law", ok: false, level: "invalid", code: "little_law.below",
              values: { gap: 0.39, connections: 4 } }.freeze

  # The load generator was stopped while 2x5 was measured in these rounds.
  def stopped(*rounds, of: 4)
    cohorts = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: of).to_h
    cohorts[:cohorts].select { |cohort| rounds.include?(cohort[:round]) }.each do |cohort|
      trial = cohort[:trials].find { |one| one[:variant] == "2x5" }
      trial.merge!(state: "invalid", facts: { **trial[:facts], checks: [STOPPED] })
    end
    Mohs::Stored.analysis(cohorts).result
  end

  test "a rate that the load generator spoiled drops no setting, which is raced again" do
    [stopped(1), stopped(1, 2), stopped(2)].each do |found|
      assert_empty found.race.out
      assert_includes found.race.alive, "2x5"
      assert_in_delta SPEEDS["2x5"], found.race.busy("2x5").value, 0.02 * SPEEDS["2x5"]
    end
  end

  test "a setting without a rate by the first look is out, with what spoiled it" do
    found = stopped(1, 2, 3)

    assert_equal({ "2x5" => "failed" }, found.race.out)
    assert_equal "little_law.below", setting(found, "2x5").reason.code
  end

  # Of two cores and half a gigabyte, at 0.03 and 0.01.
  def priced(**rules)
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched: { "2x3" => 1000.0 },
                                    price: { core_hour: 0.03, gb_hour: 0.01 }, **rules).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:facts] = { **trial[:facts], cores: 2, memory: { at_end: { tree_bytes: 500_000_000 } } }
    end
    setting(Mohs::Stored.analysis(hash).result, "2x3")
  end

  test "a million requests cost what the cores and the memory of their hours do" do
    one = priced

    cost = one.cost_per_million
    assert_in_delta (0.06 + 0.005) * 1e6 / 3600 / one.rate.value, cost.value, 1e-9
    assert_operator cost.low, :<, cost.value
    assert_operator cost.value, :<, cost.high
    assert_nil setting(tuning(rounds: 6, searched: SEARCHED), "2x3").cost_per_million
  end

  test "cores that a quota does not give cost nothing" do
    one = priced(cgroup: { cores: 0.5, memory_bytes: nil, processes: 1 })
    assert_in_delta (0.015 + 0.005) * 1e6 / 3600 / one.rate.value, one.cost_per_million.value, 1e-9

    none = priced(cgroup: { cores: nil, memory_bytes: 10**9, processes: nil })
    assert_in_delta priced.cost_per_million.value, none.cost_per_million.value, 1e-9
  end
end
