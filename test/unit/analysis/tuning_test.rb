# frozen_string_literal: true

require "test_helper"

class AnalysisTuningTest < Mohs::TestCase
  SPEEDS = { "yours" => 1000.0, "1x1" => 700.0, "2x3" => 1300.0, "2x5" => 1295.0 }.freeze
  SHAPES = { "yours" => [nil, nil] }.freeze

  def tuning(speeds = SPEEDS, **options)
    SampleTuning.new(speeds, shapes: SHAPES, **options).tuning
  end

  def setting(tuning, name) = tuning.settings.find { |one| one.name == name }

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
    only, both = [one, two].map { |found| found.busy_on_boots_per_s(setting(found, "2x3")) }

    assert_includes Range.new(*only), setting(one, "2x3").busy.value
    assert_operator only.last / only.first, :<, 1.02
    assert_equal only, (only.map { |per_s| per_s.clamp(*both) })
    assert_operator both.last / both.first, :>, 1.03
    assert_equal [nil, nil], [three.busy_on_boots_per_s(setting(three, "2x3")),
                              one.busy_on_boots_per_s(setting(one, "1x1"))]
  end

  test "openings count as parts of their rounds: nobody is cut for them" do
    found = tuning(rounds: 1, opening: %w[yours 2x3 2x5])

    assert_equal [nil, 1, SPEEDS.keys], [found.opening, found.race.rounds, found.race.alive]
    assert_equal [:race, 3], [found.schedule.next, setting(found, "2x5").busy.count]
    whole = tuning(rounds: 3, opening: %w[yours 2x3 2x5])
    assert_equal %w[1x1 yours], whole.race.dropped.keys.sort
  end

  test "what openings have measured of the next rounds takes no time again" do
    # Nine servers took 80 s. The rounds 2 and 3 need six more, which takes 53 s.
    fit, short = [268, 264].map do |budget_s|
      tuning(rounds: 1, opening: %w[yours 2x3], budget_s:)
    end

    assert_equal SPEEDS.keys, fit.schedule.racers
    assert_equal 3, short.schedule.racers.size
  end

  test "those that serve fewer are dropped at the first look, and say by how much" do
    found = tuning(rounds: 3)

    assert_equal %w[1x1 yours], found.race.dropped.keys.sort
    dropped = setting(found, "1x1")
    assert_equal ["dropped", "2x3", 3], [dropped.state, dropped.drop.leader, dropped.drop.round]
    assert_in_delta Math.log(1300 / 700.0), dropped.drop.interval.value, 0.02
  end

  test "what is left is searched, and the present setting with it though it was dropped" do
    found = tuning(rounds: 6)

    assert_equal [:search, :equal], [found.schedule.next, found.race_ended]
    searches = found.schedule.searches
    assert_equal [%w[2x3 2x5 yours], 3], [searches.names.sort, searches.rounds]
    assert_in_delta ((600 - 120) / 9.0) - (20 / 4.0), found.schedule.searches.search_s, 0.01
  end

  test "half of the budget is for the race" do
    restless = { rounds: 3, boot_sd: 0.02 }
    found = tuning(**restless, budget_s: 139)

    assert_equal [:continue, 2], [found.race.state, found.race.alive.size]
    assert_equal :search, found.schedule.next
    assert_equal :race, tuning(**restless, budget_s: 141).schedule.next
  end

  test "of a short budget fewer settings are searched, on one boot each, the best first" do
    searches = tuning(rounds: 3, budget_s: 90).schedule.searches

    assert_equal [%w[2x3 yours], 1], [searches.names.sort_by { |one|
 -SPEEDS[one] }, searches.rounds]
    assert_operator searches.search_s, :>=, Mohs::Analysis::Tuning::SearchTime::LEAST_S
  end

  test "where the rounds up to a decision don't fit, the best so far go on, with the present one" do
    found = tuning(rounds: 1, budget_s: 110) # a round takes 20 s, and two more are needed

    assert_equal [:race, %w[yours 2x3 2x5]], [found.schedule.next, found.schedule.racers]
    assert_equal "yours", found.schedule.common
    assert_equal %w[yours 2x3].size, tuning(rounds: 1, budget_s: 85).schedule.racers.size
    assert_equal :search, tuning(rounds: 1, budget_s: 60).schedule.next
    assert_equal SPEEDS.keys, tuning(rounds: 1).schedule.racers
  end

  TIED = { "yours" => 1000.0, "1x1" => 990.0, "2x3" => 1010.0, "2x5" => 1005.0 }.freeze

  test "all that are left are searched as soon as the rest of the budget is enough for that" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 20 ms" } # a search needs 34 s, a boot 5 s
    enough = tuning(TIED, **tied, budget_s: 60 + (5 * 4 * 40))
    short = tuning(TIED, **tied, budget_s: 60 + (5 * 4 * 38))

    assert_equal [:continue, %w[yours 1x1 2x3 2x5]], [enough.race.state, enough.race.alive]
    steps = enough.schedule
    assert_equal [:search, [], nil], [steps.next, steps.racers, enough.race_ended]
    assert_equal [enough.race.alive.sort, 5], [steps.searches.names.sort, steps.searches.rounds]
    assert_operator enough.schedule.searches.search_s, :>=, 34
    assert_equal [:race, TIED.keys], [short.schedule.next, short.schedule.racers]
    early = tuning(TIED, **tied, rounds: 2, budget_s: 900)
    assert_equal :race, early.schedule.next, "it may drop one yet"
  end

  test "none is cut for lack of time if all that serve the wanted rate can be searched" do
    many = { **TIED, **%w[1x2 1x3 2x1 2x2 2x8 2x16].to_h { |name| [name, 1000.0] } }
    slow = { rounds: 1, boot_sd: 0.05, limit: "p90 < 5 ms", seconds: 80 } # a search needs 6.7 s
    wanted = { **slow, wanted_per_s: 300 }
    found = tuning(many, **wanted, budget_s: 80 + (5 * 5 * 14.8)) # no time for two rounds more

    assert_equal [:continue, :search], [found.race.state, found.schedule.next]
    searches = found.schedule.searches
    assert_equal [5, 5], [searches.names.size, searches.rounds]
    assert_equal :race, tuning(many, **wanted, budget_s: 80 + (5 * 5 * 14.4)).schedule.next
  end

  test "fewer settings, but two at least, where only then searches are long enough" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 20 ms" } # a search needs 34 s, a boot 5 s
    found = [5 * 4, 5 * 3, 5 * 2, 4 * 2, 3 * 2, 5].map do |searches|
      tuning(TIED, **tied, budget_s: 60 + (searches * 40)).schedule.searches
    end

    assert_equal [[4, 5], [3, 5], [2, 5], [2, 4], [2, 3], [4, 3]],
                 (found.map { |one| [one.names.size, one.rounds] })
    assert_equal %w[1x1 yours], found[2].names
    assert_equal([*[true] * 5, false], found.map { |one| one.search_s >= 34 })
  end

  test "the race ends before another round would leave time for fewer searches" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 20 ms" } # a round takes 20 s
    ends, goes_on = [0, 30].map { |more_s| tuning(TIED, **tied, budget_s: 660 + more_s).schedule }

    assert_equal [[:search, 3], [:race, 3]], ([ends, goes_on].map do |steps|
      [steps.next, steps.searches.names.size]
    end)
    assert_equal :race, tuning(TIED, **tied, budget_s: 150).schedule.next, "no time for two anyway"
    five, goes_on = [0, 20].map { |more_s| tuning(TIED, **tied, budget_s: 460 + more_s).schedule }
    assert_equal [[:search, 5], [:race, 5]],
                 [five, goes_on].map { |steps| [steps.next, steps.searches.rounds] }
  end

  test "settings whose responses were refused before the first round have their reason" do
    made = SampleTuning.new(SPEEDS, rounds: 0, opening: %w[yours 2x3], openings: 1).to_h
    made[:cohorts].first[:trials].each do |trial|
      trial.update(state: "refused", slices: [], reason: "GET / returned 302 to /login.")
    end
    found = Mohs::Stored.analysis(made).tuning

    assert_predicate found, :hopeless?
    assert_equal %w[failed waiting failed waiting],
                 (SPEEDS.keys.map { |name| setting(found, name).state })
    assert_match(/302/, setting(found, "2x3").reason.to_s)
    assert_nil setting(found, "1x1").reason
  end

  test "a race that ended since all that were left are searched says so" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 20 ms" }
    all = TIED.transform_values { 700.0 }
    ends = [all, all.slice("yours", "2x3")].map do |searched|
      tuning(TIED, **tied, searched:, budget_s: 900).race_ended
    end
    assert_equal %i[searched budget], ends

    short = tuning(TIED, **tied, searched: all, budget_s: 60 + (5 * 4 * 38))
    cut = SampleTuning.new(TIED, **tied, searched: all.except("1x1")).to_h
    cut[:cohorts][2][:trials].reject! { |trial| trial[:variant] == "1x1" }
    cut[:cohorts][2][:spec][:variants] -= %w[1x1]
    cut = Mohs::Stored.analysis(cut).tuning
    assert_equal [%i[budget budget], "cut"], [[short, cut].map(&:race_ended),
                                              setting(cut, "1x1").state]
  end

  test "with a wanted rate the race ends once the cheapest that serve it can be searched" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 20 ms", wanted_per_s: 300, budget_s: 1200 }
    more = { **TIED, "1x2" => 1000.0, "1x3" => 1000.0, "2x8" => 1000.0 }
    wanted, most = [tied, tied.except(:wanted_per_s)].map { |rules| tuning(more, **rules) }

    assert_equal 7, wanted.race.alive.size
    assert_equal(%i[search race], [wanted, most].map { |found| found.schedule.next })
    assert_includes wanted.schedule.searches.names, "1x1"
    searched = wanted.schedule.searches.names.to_h { |name| [name, 500.0] }
    assert_equal :searched, tuning(more, **tied, searched:).race_ended
  end

  test "of those that serve about as many, those with the fewest threads are searched" do
    speeds = { "yours" => 500.0, "2x16" => 1000.0, "2x8" => 1001.0, "2x5" => 1016.0,
               "2x3" => 999.0, "2x2" => 935.0, "2x1" => 900.0, "1x6" => 1008.0 }
    early, late = [[2, 0.001], [3, 0.02]].map do |rounds, boot_sd|
      tuning(speeds, rounds:, budget_s: 64 + (20 * rounds), boot_sd:).schedule
    end

    assert_equal %w[2x1 2x5 2x2 1x6 yours], early.searches.names, "two boots may err by more"
    assert_equal %w[yours 2x5 2x2 2x1], early.racers
    refute_includes late.searches.names, "2x1"
  end

  test "a boot whose connections were all accepted by one process decides nothing" do
    names = { "2x2" => 995.0, "2x8" => 1200.0 }.map do |name, rate|
      speeds = { "yours" => 500.0, "2x3" => 1000.0, "1x3" => 900.0, "2x1" => 1000.0, name => rate }
      made = SampleTuning.new(speeds, shapes: SHAPES, rounds: 3).to_h
      slow = made[:cohorts][1][:trials].find { |trial| trial[:variant] == name }
      slow[:slices].each { |slice| slice[:wall_ns] *= 2 }
      Mohs::Stored.analysis(made).tuning.schedule.searches.names
    end

    assert_includes names.first.first(3), "2x2"
    assert_equal "2x8", names.last.first, "although 2x3 leads by the means"
  end

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
    short = tuning(TIED, **tied, budget_s: 300, searched: found)
    told = short.cautions.find { |one| one.code == "tune_short_searches" }.values
    enough = tuning(TIED, **tied, budget_s: told.fetch(:budget_s))
    assert_equal [:budget, :search], [short.race_ended, enough.schedule.next]
  end

  test "a race that took more than its share is over" do
    found = tuning(rounds: 3, boot_sd: 0.02, budget_s: 90)

    steps = found.schedule
    assert_equal [:continue, [], :search], [found.race.state, steps.racers, steps.next]
  end

  test "a setting that was not raced further is cut, and never searched" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3).to_h
    hash[:cohorts].drop(1).each do |cohort|
      cohort[:spec][:variants] = cohort[:spec][:variants] - %w[1x1]
      cohort[:trials].reject! { |trial| trial[:variant] == "1x1" }
    end
    found = Mohs::Stored.analysis(hash).tuning

    assert_equal ["cut", nil, 1], setting(found, "1x1").to_h.values_at(:state, :reason, :boots)
    refute_includes found.schedule.searches.names, "1x1"
    assert_equal %w[yours], found.race.dropped.keys
  end

  test "waiting for another mohs is no part of its time" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3).to_h
    hash[:cohorts].each do |cohort|
      cohort[:trials].each { |trial| trial[:started_ms] = cohort[:started_ms] + 15_000 }
    end

    assert_in_delta 15, Mohs::Stored.analysis(hash).tuning.spent_s
    assert_in_delta 60, tuning(rounds: 3).spent_s
  end

  test "a long budget has more boots, not longer turns" do
    searches = tuning(rounds: 6, budget_s: 7200, limit: "p99 < 20 ms").schedule.searches

    assert_operator searches.rounds, :>, 20
    assert_operator searches.search_s, :<, Mohs::Analysis::Tuning::Budget::LONGEST_S
  end

  test "memory that is not known fits no limit" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched: SEARCHED,
                                    memory_bytes: 10**12).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:facts] = { **trial[:facts], memory: {} } if trial[:variant] == "2x5"
    end

    found = Mohs::Stored.analysis(hash).tuning
    assert_equal ["2x3", "memory_unknown"],
                 [found.recommended.name, setting(found, "2x5").reason.code]
  end

  test "once searches were planned nothing more is" do
    assert_equal :nothing, tuning(searched: { "2x3" => 900.0 }).schedule.next
  end

  SEARCHED = { "yours" => 700.0, "2x3" => 900.0, "2x5" => 905.0 }.freeze

  test "the highest rate of each has the interval of its boots" do
    found = tuning(rounds: 6, searched: SEARCHED)
    one = setting(found, "2x3")

    assert_equal ["searched", 3], [one.state, one.rate.count]
    assert_in_delta 900, one.rate.value, 15
    assert_operator one.rate.low, :<, one.rate.value
    assert_in_delta 190, one.figure_ms.value
    assert_equal [false, { share: 0.97, collapses: false }], [one.at_least, one.beyond]
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
    found = Mohs::Stored.analysis(larger.call(made.to_h)).tuning

    assert_equal "2x3", found.recommended.name
    assert_equal %w[2x3], found.frontier & %w[2x3]
    assert_in_delta 900 / 700.0, found.gain.value, 0.05
    assert_operator found.gain.low, :>, 1
    refute found.present_is_best?
  end

  test "memory that was limited leaves out what needs more, the present setting too" do
    assert_nil tuning(rounds: 6, searched: SEARCHED, memory_bytes: 1).recommended

    sizes = { "yours" => 900, "2x3" => 300, "2x5" => 300 }
    found = sized(sizes, { **SEARCHED, "yours" => 990.0 }, memory_bytes: 500_000_000)
    assert_includes %w[2x3 2x5], found.recommended.name
    assert_equal [found.recommended.name], found.frontier
    refute_nil found.present_is_best?
    refute_predicate found, :present_is_best?
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

  test "a quota bounds what is predicted" do
    cgroup = { cores: 0.5, memory_bytes: nil, processes: nil }
    found = tuning(THREADS, rounds: 4, searched: { "2x3" => 1500.0 }, cgroup:)

    assert_in_delta 0.5 / (0.9 / 700), found.scaling.levels.last.predicted_per_s, 10
  end

  WANTED = { "yours" => 1000.0, "1x1" => 700.0, "1x3" => 900.0, "2x3" => 1300.0,
             "2x5" => 1295.0 }.freeze

  test "where a rate is wanted the cheapest that should serve it are searched, and the fastest" do
    found = tuning(WANTED, rounds: 6, wanted_per_s: 500.0)

    assert_includes found.race.dropped, "1x3"
    assert_equal [found.race.leader, "1x1", "1x3"], found.schedule.searches.names.first(3)
    assert_includes found.schedule.searches.names, "yours"
    hardly = tuning(WANTED, rounds: 6, wanted_per_s: 850.0).schedule.searches.names
    assert_equal ["yours", "1x3"], hardly.last(2), "1x1 can't, and these may"
    beyond = tuning(WANTED, rounds: 6, wanted_per_s: 5000.0)
    assert_equal [beyond.race.leader, "yours"].sort, beyond.schedule.searches.names.sort
  end

  test "where a rate is wanted fewer settings are searched on three boots before more on one" do
    counts = [1900, 1200, 800, 235, 205].map do |budget_s|
      searches = tuning(WANTED, rounds: 6, wanted_per_s: 500.0, budget_s:,
                                limit: "p99 < 20 ms").schedule.searches
      [searches.names.size, searches.rounds]
    end

    assert_equal [[4, 7], [4, 5], [3, 4], [3, 3], [4, 1]], counts
    fastest = tuning(WANTED, rounds: 6, budget_s: 205).schedule.searches
    assert_equal [3, 1], [fastest.names.size, fastest.rounds]
  end

  test "a wanted rate is not surely served by one boot, nor by searches that were too short" do
    found = tuning(WANTED, rounds: 6, searched: SEARCHED, searches: 1, wanted_per_s: 500.0)
    assert_equal [nil, nil, 1, true],
                 [found.enough?(found.recommended), found.present_is_best?, found.few_boots,
                  found.seems_enough?(found.recommended)]

    short = SampleTuning.found(900.0, searched_s: 10.0, needed_s: 21.0)
    found = tuning(WANTED, rounds: 6, searched: { "yours" => short }, wanted_per_s: 500.0)
    assert_equal [nil, nil, nil],
                 [found.enough?(found.recommended), found.present_is_best?, found.few_boots]
    enough = tuning(WANTED, rounds: 6, searched: SEARCHED, wanted_per_s: 500.0)
    assert_equal [true, nil, false], [enough.enough?(enough.recommended), enough.few_boots,
                                      enough.seems_enough?(enough.recommended)]
  end

  test "where none is surely enough, the cheapest that seems to be is named, not the fastest" do
    searched = { "yours" => 600.0, "1x3" => 550.0, "2x3" => 900.0 }
    found = sized({ "yours" => 300, "1x3" => 200, "2x3" => 400 }, searched,
                  speeds: WANTED, searches: 1, wanted_per_s: 500.0)

    assert_equal ["1x3", 1], [found.recommended.name, found.few_boots]
  end

  test "one boot of each does not say whether the present setting is among the best" do
    searched = { "yours" => 900.0, "2x3" => 800.0 }

    assert_nil tuning(rounds: 6, searched:, searches: 1).present_is_best?
    assert tuning(rounds: 6, searched:).present_is_best?
    none = SampleTuning.found(12.0, outcome: "none")
    assert_nil tuning(rounds: 6, searched: { "yours" => none, "2x3" => 800.0 }, searches: 1)
                 .present_is_best?
  end

  test "what seems to be enough does so after two boots as after one, and only if it is asked" do
    [1, 2].each do |searches|
      found = tuning(WANTED, rounds: 6, searched: SEARCHED, searches:, wanted_per_s: 500.0)
      assert found.seems_enough?(found.recommended)
      fastest = tuning(WANTED, rounds: 6, searched: SEARCHED, searches:)
      refute fastest.seems_enough?(fastest.recommended)
    end
  end

  def caution(code, speeds = SPEEDS, **options)
    tuning(speeds, **options).cautions.find { |one| one.code == code }
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
      assert_in_delta wanted.low, run.tuning.gain.low, 1e-9
      assert_in_delta wanted.high, run.tuning.gain.high, 1e-9
    end
  end

  test "an undecided gain says how long a tuning of the two alone takes to show it" do
    rates = { "yours" => 700.0, "2x3" => 900.0, "2x5" => 600.0 }
    run = searched(rates, search_sd: 0.14)
    further, effect = run.tuning.further, Mohs::Stats::Effect.of(gains(run))

    assert_operator run.tuning.gain.low, :<, 1
    assert_equal "2x3", further.name
    assert_in_delta Math.exp(effect.least), further.gain
    boots = effect.needed(delta: effect.least, alpha: 0.05, most: 60)
    # Six servers race, for 5 s each; each search takes a minute with its boot.
    assert_in_delta 1.05 * ((6 * 5) + (2 * boots * 60)), further.budget_s
    two = SampleTuning.new(SPEEDS.slice("yours", "2x3"), shapes: SHAPES, seconds: 10,
                                                         budget_s: further.budget_s,
                                                         limit: "p90 < 5 ms")
    assert_operator two.tuning.schedule.searches.rounds, :>=, boots
    assert_nil searched(rates).tuning.further, "it is decided"
  end

  test "a gain that would not be worth a change needs no further tuning" do
    hardly, worth = [[705.0, 0.02], [710.0, 0.04]].map do |rate, search_sd|
      searched({ "yours" => 700.0, "2x3" => rate }, search_sd:)
    end

    [hardly, worth].each { |run| assert_includes 0.97..1, run.tuning.gain.low }
    assert_includes 1..1.03, Math.exp(Mohs::Stats::Effect.of(gains(hardly)).least)
    assert_equal [true, false], [hardly, worth].map { |run| run.tuning.further.nil? }
  end

  test "until all planned boots are done it is unknown whether the present setting is the best" do
    done, under_way = [0, 2].map do |open_searches|
      searched({ "yours" => 700.0, "2x3" => 900.0 }, open_searches:).tuning
    end

    assert_equal [nil, [5, 7]], [done, under_way].map(&:boots_so_far)
    assert_equal [false, nil], [done, under_way].map(&:present_is_best?)
    wanted = [0, 2].map do |open_searches|
      searched({ "yours" => 700.0, "2x3" => 900.0 }, open_searches:, wanted_per_s: 300).tuning
    end
    assert_equal [true, nil], wanted.map(&:present_is_best?)
  end

  test "the present setting as a neighbour has the interval of the gain" do
    shapes = { "1x5" => 700.0, "2x5" => 900.0 }
    found = tuning({ "1x5" => 1000.0, "2x5" => 1300.0 }, rounds: 6, searched: shapes, searches: 5,
                                                         search_sd: 0.1)
    step = found.steps.first

    assert_equal %w[1x5 limit], [step.name, step.by]
    assert_in_delta 1 / found.gain.high, step.ratio.low
    assert_in_delta 1 / found.gain.low, step.ratio.high
  end

  test "a present setting with fewer database connections than threads is told" do
    told = lambda do |pools|
      made = SampleTuning.new(SPEEDS, shapes: { "yours" => [1, 5] }, rounds: 3).to_h
      made[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
        attested = { **trial[:facts][:attested], pool: pools[trial[:variant]] }.compact
        trial[:facts] = { **trial[:facts], attested: }
      end
      Mohs::Stored.analysis(made).tuning.cautions
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
      Mohs::Stored.analysis(made).tuning.cautions
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

  SLOW = { "yours" => 50.0, "1x1" => 30.0, "2x3" => 65.0, "2x5" => 64.0, "2x2" => 63.0,
           "2x8" => 62.0 }.freeze

  test "with the budget that a caution names there is time enough" do
    ["p99 < 200 ms", "p99 < 20 ms", "p90 < 200 ms"].each do |limit|
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

  test "nor does the caution come back while thirteen slow settings race in that budget" do
    [25, 30, 40].each do |trial_s|
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
      searched = { "yours" => short, "2x3" => short }
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

  test "of a slow application the race goes on with the best alone, to leave time to search them" do
    many = { **SLOW, "2x1" => 61.0, "2x16" => 60.0, "1x2" => 31.0, "1x3" => 32.0 }
    slow = { limit: "p90 < 200 ms", boot_sd: 0.01, seconds: 60 } # a search needs about 72 s
    one = tuning(many, **slow, rounds: 1, budget_s: 1000).schedule
    ample, short = [1400, 400].map do |budget_s|
      tuning(many, **slow, rounds: 1, budget_s:).schedule
    end

    assert_equal 5, one.racers.size
    assert_empty one.racers & %w[1x1 1x2 1x3]
    assert_includes one.racers, "yours"
    assert_equal many.keys.sort, ample.racers.sort
    assert_equal 10, short.racers.size, "it has no time to search two as long anyway"
  end

  test "cautions and the schedule need searches of one length: a slow boot changes neither" do
    uneven = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3, limit: "p99 < 20 ms").to_h
    uneven[:cohorts][1][:trials].each do |trial|
      trial[:slices].each { |slice| slice[:wall_ns] *= 2 }
    end
    even, uneven = [tuning(limit: "p99 < 20 ms"), Mohs::Stored.analysis(uneven).tuning]

    assert_in_delta even.schedule.likely_needed_s, uneven.schedule.likely_needed_s, 1
  end

  test "searches on more than five boots are longer than they need to be" do
    searches = tuning(SLOW, rounds: 3, limit: "p90 < 200 ms", budget_s: 3600).schedule.searches
    needed_s = caution("tune_little_time", SLOW, rounds: 1, limit: "p90 < 200 ms", budget_s: 600)
               .values[:needed_s]

    assert_operator searches.rounds, :>, 5
    assert_operator searches.search_s, :>=, 1.2 * needed_s
  end

  test "while the race goes on it says that its searches will be too short for the limit" do
    rare = { rounds: 1, limit: "p99.9 < 50 ms" }
    finding = caution("tune_little_time", **rare)

    assert_equal [3, 4, "rare"], finding.values.values_at(:boots, :settings, :cure)
    assert_in_delta ((600 / 2) / 12.0) - 5, finding.values[:search_s], 0.01
    needed_s = finding.values[:needed_s]
    slowest = Mohs::Analysis::RateSearch.needed_s(limit: Mohs::Load::Limit.parse(rare[:limit]),
                                                  rate_per_s: 700.0)
    assert_in_delta (1.3 * slowest / 2) + 2, needed_s, 5, "of the slowest, with the load beyond"
    assert_in_delta after_look_s(4, search_s: needed_s), finding.values[:budget_s], 0.01
    easy = { rounds: 1, limit: "p90 < 20 ms" }
    assert_nil caution("tune_little_time", **easy)
    assert_nil caution("tune_little_time", **easy, budget_s: 150).values[:search_s],
               "no time for three boots"
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

  test "one that failed in the race is not searched, whatever it served before" do
    found = tuning(WANTED, rounds: 3, failing: %w[1x1], wanted_per_s: 500.0)

    refute_includes found.schedule.searches.names, "1x1"
  end

  test "the cheapest that surely serves the wanted rate is recommended, and yours is held to it" do
    sizes = { "yours" => 300, "1x3" => 200, "2x3" => 400 }
    found = lambda do |rate, **searched|
      sized(sizes, { "yours" => 700.0, "2x3" => 900.0, **searched }, wanted_per_s: rate)
    end
    picked = ->(rate, **searched) { found.(rate, **searched).recommended.name }

    assert_equal %w[yours 2x3 2x3], [picked.(600.0), picked.(800.0), picked.(9000.0)]
    assert_equal [true, false, nil, false],
                 [600.0, 800.0, 700.0, 9000.0].map { |rate| found.(rate).present_is_best? }
    tuned = found.(800.0)
    assert_equal [true, false, nil], [setting(tuned, "2x3"), setting(tuned, "yours"),
                                      setting(tuned, "1x1")].map { |one| tuned.enough?(one) }
    assert_nil tuning(rounds: 6, searched: SEARCHED).enough?(setting(tuned, "2x3"))
  end

  test "one that serves the wanted rate with clearly more memory than needed is not the best" do
    sizes = { "yours" => 500, "2x3" => 400 }
    searched = { "yours" => 900.0, "2x3" => 900.0 }

    found = sized(sizes, searched, wanted_per_s: 800.0)
    assert_equal ["2x3", false], [found.recommended.name, found.present_is_best?]
    found = sized({ **sizes, "yours" => 420 }, searched, wanted_per_s: 800.0)
    assert found.present_is_best?
    refute sized(sizes, searched, wanted_per_s: 800.0, memory_bytes: 450_000_000).present_is_best?
  end

  test "what needs more memory than it may has no part in the race of the others" do
    sizes = { "2x3" => 400, "2x5" => 420, "yours" => 290 }
    found = sized(sizes, {}, speeds: WANTED, memory_bytes: 300_000_000)

    assert_equal [%w[2x3 2x5], %w[1x1 1x3], "yours"],
                 [found.race.out.keys.sort, found.race.dropped.keys.sort, found.race.leader]
    one = setting(found, "2x3")
    assert_equal ["too_large", "needs_more_memory", 400_000_000],
                 [one.state, one.reason.code, one.reason.values[:needed_bytes]]
    assert_equal %w[yours], found.schedule.searches.names
    wanted = sized(sizes, {}, speeds: WANTED, memory_bytes: 300_000_000, wanted_per_s: 500.0)
    assert_equal %w[1x1 1x3 yours], wanted.schedule.searches.names.sort
  end

  test "with a wanted rate the race does not wait for candidates that need too much memory" do
    large = %w[2x3 2x5 2x8].to_h { |name| [name, 400] }
    speeds = { "yours" => 200.0, "1x8" => 345.0, "1x16" => 350.0, "2x3" => 400.0, "2x5" => 410.0,
               "2x8" => 420.0 }
    found = sized(large, {}, speeds:, rounds: 3, boot_sd: 0.05, memory_bytes: 300_000_000,
                             wanted_per_s: 300.0, limit: "p90 < 20 ms")

    assert_equal [:continue, :search], [found.race.state, found.schedule.next]
    assert_equal %w[1x16 1x8 yours], found.schedule.searches.names.sort
  end

  test "the present setting is searched though it needs too much memory; where all do, it ends" do
    found = sized({ "yours" => 400 }, {}, memory_bytes: 300_000_000)
    assert_equal ["too_large", true],
                 [setting(found, "yours").state, found.schedule.searches.names.include?("yours")]

    all = sized({}, {}, memory_bytes: 100_000_000)
    assert_equal [[], :nobody, :nothing, 0],
                 [all.race.alive, all.race_ended, all.schedule.next, all.race.rounds]
    assert(all.settings.all? { |one| one.state == "too_large" })
  end

  # Memory of these settings in megabytes.
  def sized(sizes, searched, speeds: SPEEDS, rounds: 6, **rules)
    hash = SampleTuning.new(speeds, shapes: SHAPES, rounds:, searched:, **rules).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      memory = { at_end: { tree_bytes: sizes.fetch(trial[:variant], 200) * 1_000_000 } }
      trial[:facts] = { **trial[:facts], memory: }
    end
    Mohs::Stored.analysis(hash).tuning
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
    found = Mohs::Stored.analysis(hash).tuning
    assert_equal ["failed", "the server died: exit 3"],
                 [setting(found, "2x5").state, setting(found, "2x5").reason.to_s]
    assert_equal "2x3", found.recommended.name
  end

  test "a present setting that broke down in its search is not the best, if another did not" do
    gone = SampleTuning.found(900.0, outcome: "gone", rate_per_s: nil, low: nil, high: nil)
    found = [nil, 500.0].map do |wanted_per_s|
      tuning(rounds: 6, searched: { **SEARCHED, "yours" => gone }, wanted_per_s:).present_is_best?
    end
    assert_equal [false, false], found
    assert_nil tuning(rounds: 6, searched: { "yours" => gone }).present_is_best?
  end

  test "a present setting whose server ended in the race is not the best" do
    found = tuning(rounds: 3, failing: %w[yours], searched: { "2x3" => 900.0 })

    assert_equal ["failed", "2x3", false],
                 [setting(found, "yours").state, found.recommended.name, found.present_is_best?]
  end

  test "the ratio of a bound is a bound, to a rate that is known" do
    least = SampleTuning.bound(900.0)
    found = tuning(rounds: 6, searched: { "yours" => 700.0, "2x3" => least })
    assert_equal ["2x3", false], [found.recommended.name, found.present_is_best?]
    assert_in_delta 900 / 700.0, found.gain.value, 0.02
    assert_operator found.gain.low, :>, 1.2
    assert_nil found.gain.high
    hardly = tuning(rounds: 6, searched: { "yours" => 890.0, "2x3" => least })
    assert_nil hardly.present_is_best?, "2x3 may serve far more"
    known = tuning(rounds: 6, searched: { "yours" => least, "2x3" => 1000.0 })
    assert_equal ["2x3", nil, nil], [known.recommended.name, known.gain, known.present_is_best?]

    none = SampleTuning.found(12.0, outcome: "none")
    found = tuning(rounds: 6, searched: { "yours" => none, "2x3" => 900.0 })
    assert_equal [0.0, nil, false],
                 [setting(found, "yours").rate.value, found.gain, found.present_is_best?]
  end

  test "searches that are too short for the limit are told, with what would do" do
    short = SampleTuning.found(900.0, searched_s: 10.0, needed_s: 400.0)
    finding = caution("tune_short_searches", rounds: 6, searched: { "2x3" => short })

    assert_equal 10, finding.values[:searched_s]
    assert_in_delta (1.3 * 400 / 2) + 2, finding.values[:needed_s]
    assert_in_delta after_look_s(4, search_s: 262), finding.values[:budget_s]
    assert_equal ["tighter", nil], finding.values.values_at(:cure, :names)
    some = caution("tune_short_searches", rounds: 6, searched: { **SEARCHED, "2x3" => short })
    assert_equal %w[2x3], some.values[:names]
    { "p99.9 < 50 ms" => "rare", "p90 < 5 ms" => nil, "p99 < 200 ms" => "tighter" }
      .each do |limit, cure|
      needed_s = Mohs::Analysis::RateSearch.needed_s(limit: Mohs::Load::Limit.parse(limit),
                                                     rate_per_s: 1170.0)
      short = SampleTuning.found(900.0, searched_s: 1.0, needed_s:)
      found = caution("tune_short_searches", rounds: 6, searched: { "2x3" => short }, limit:)
      cure ? assert_equal(cure, found.values[:cure]) : assert_nil(found.values[:cure])
    end
    assert_nil caution("tune_short_searches", rounds: 6, searched: SEARCHED)
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

    assert_equal expected, setting(run.tuning, "2x3").rate
  end

  test "where a rate is a bound on one boot its own rates alone tell how it varies" do
    searched = { **SEARCHED, "2x3" => SampleTuning.bound(900.0) }
    run = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched:).analysis
    varying = Mohs::Stats::Interval.of_positive(found_rates(run)["2x3"], level: 1 - (0.05 / 3))

    assert_equal varying.bound, setting(run.tuning, "2x3").rate
    assert_equal [900.0 * 0.95, nil],
                 setting(tuning(rounds: 6, searched:, searches: 1), "2x3").rate.to_a.slice(1, 2)
  end

  test "the present setting stays where none is better" do
    found = tuning({ "yours" => 1300.0, "1x1" => 700.0 }, rounds: 4, searched: { "yours" => 900.0 })

    assert_equal ["yours", nil, true],
                 [found.recommended.name, found.gain, found.present_is_best?]
  end

  test "a limit that held at no rate is a rate of 0, and recommends nothing" do
    none = SampleTuning.found(12.0, outcome: "none", beyond_share: nil)
    found = tuning(rounds: 6, searched: { "2x3" => none, "yours" => none })

    assert_equal [0.0, nil, nil],
                 [setting(found, "2x3").rate.value, found.recommended, found.present_is_best?]
    assert_empty found.frontier
  end

  test "one that serves far less beyond its rate collapses" do
    found = tuning(rounds: 6, searched: { "2x3" => SampleTuning.found(900.0, beyond_share: 0.4) })

    assert_equal({ share: 0.4, collapses: true }, setting(found, "2x3").beyond)
  end

  test "a setting that was not measured in a round is out, with its reason" do
    found = tuning(rounds: 3, failing: ["2x5"])

    assert_equal ["failed", "no answer within 60 s of its start"],
                 [setting(found, "2x5").state, setting(found, "2x5").reason.to_s]
    refute_includes found.schedule.searches.names, "2x5"
  end

  # Of two cores and half a gigabyte, at 0.03 and 0.01.
  def priced(**rules)
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 6, searched: { "2x3" => 1000.0 },
                                    price: { core_hour: 0.03, gb_hour: 0.01 }, **rules).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:facts] = { **trial[:facts], cores: 2, memory: { at_end: { tree_bytes: 500_000_000 } } }
    end
    setting(Mohs::Stored.analysis(hash).tuning, "2x3")
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

  test "what a request waits follows from one process of one thread" do
    found = tuning.waiting

    assert_in_delta 0.1, found[:share], 0.02 # SampleResult: 90 % of the clock is CPU time
    assert_in_delta 1 / (1 - found[:share]), found[:fit], 1e-9
    assert_nil tuning(SPEEDS.except("1x1")).waiting
  end

  # The facts of its trials changed.
  def changed(hash, names, attested: {}, **facts)
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      next unless names.include?(trial[:variant])

      own = { **trial[:facts][:attested], **attested }
      trial[:facts] = { **trial[:facts], **facts, attested: own }
    end
    Mohs::Stored.analysis(hash).tuning
  end

  test "without a GVL a process computes on all cores that it may use" do
    attested = { engine: "jruby" }
    made = ->(**rules) { SampleTuning.new(SPEEDS, shapes: SHAPES, **rules).to_h }
    found = changed(made.(), SPEEDS.keys, attested:, cores: 4).waiting

    assert_in_delta 4 / 0.9, found[:fit], 0.1
    refute found[:hardly]
    cgroup = { cores: 2.0, memory_bytes: nil, processes: 2 }
    quota = changed(made.(cgroup:), SPEEDS.keys, attested:, cores: 4).waiting
    assert_in_delta 2 / 0.9, quota[:fit], 0.1
  end

  test "what a request waits is that of the recommended setting's Ruby" do
    hash = SampleTuning.new({ **SPEEDS, "3.4, 1x1" => 100.0 },
                            shapes: { **SHAPES, "3.4, 1x1" => [1, 1] }).to_h
    hash[:run][:study][:variants].last[:flags] = ["--yjit"]
    cost = ->(slice) { { **slice, cpu_ns: slice[:cpu_ns] / 5 } }
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:slices] = trial[:slices].map(&cost) if trial[:variant] == "3.4, 1x1"
    end

    assert_in_delta 0.1, Mohs::Stored.analysis(hash).tuning.waiting[:share], 0.02
  end

  THREADS = { "yours" => 1000.0, "1x1" => 700.0, "2x1" => 1300.0, "2x2" => 2000.0, "2x3" => 2300.0,
              "2x5" => 2290.0, "1x2" => 1000.0 }.freeze

  test "threads of as many processes as the recommended setting has make a curve" do
    found = tuning(THREADS, rounds: 4, searched: { "yours" => 700.0, "2x3" => 1500.0 }).scaling

    assert_equal [2, [1, 2, 3, 5]], [found.processes, found.levels.map(&:threads)]
    assert_in_delta 2300, found.levels[2].rate.value, 40
    assert_in_delta 1400, found.levels[0].predicted_per_s, 20 # two processes as fast as one alone
    assert_in_delta 2 / (0.9 / 700), found.levels[3].predicted_per_s, 40
    assert_operator found.law.coherency.low, :>, 0
    assert_in_delta 3.6, found.peak, 0.4
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

    assert_equal [1, 2, 3], Mohs::Stored.analysis(hash).tuning.scaling.levels.map(&:threads)
  end

  test "drift between the cohorts of a round is no part of a curve" do
    hash = SampleTuning.new(THREADS, shapes: SHAPES, rounds: 3, boot_sd: 0.0).to_h
    hash[:cohorts] = hash[:cohorts].flat_map { |cohort| in_two(cohort, slower: 0.8) }
    rates = Mohs::Stored.analysis(hash).tuning.scaling.levels.to_h { |one|
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

  def steps(found) = found.steps.to_h { |one| [one.name, one] }

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

    assert_empty tuning(STEPS, rounds: 2, searched:, searches: 1).steps
    raced = steps(tuning(STEPS, rounds: 4, searched:, searches: 1))
    assert_equal %w[race race race], raced.values.map(&:by)
  end

  test "a setting that was not measured is no step, nor is one beside another file or Ruby" do
    hash = SampleTuning.new(STEPS, shapes: { "yours" => [2, 2] }, rounds: 3, failing: %w[2x2],
                                   searched: { "2x3" => 1500.0 }).to_h
    other = hash[:run][:study][:variants].find { |one| one[:name] == "1x3" }
    other[:flags] = ["--yjit"]

    assert_equal %w[2x5], Mohs::Stored.analysis(hash).tuning.steps.map(&:name)
    assert_empty tuning(STEPS, rounds: 4).steps
  end

  test "plain settings and preloaded ones are no steps of each other, unless one forks none" do
    names = { "2x3" => false, "2x5" => false, "preload, 2x5" => true, "preload, 2x8" => true,
              "1x3" => false }
    speeds = { "yours" => 900.0, **names.transform_values { 2300.0 } }
    hash = SampleTuning.new(speeds, shapes: SHAPES, rounds: 4, searched: { "2x3" => 1500.0 }).to_h
    hash[:run][:study][:variants].each { |one| one[:preload] = true if names[one[:name]] }

    assert_equal %w[1x3 2x5], Mohs::Stored.analysis(hash).tuning.steps.map(&:name)
  end

  test "a setting whose server broke down in its search is no step, whatever it raced" do
    gone = SampleTuning.found(900.0, outcome: "gone", rate_per_s: nil, low: nil, high: nil)
    found = tuning(STEPS, rounds: 4, searched: { "2x3" => 1500.0, "2x5" => gone })

    assert_equal %w[1x3 2x2], found.steps.map(&:name)
  end

  test "beside a setting whose threads are not known there are no steps" do
    hash = SampleTuning.new(STEPS, shapes: SHAPES, rounds: 4, searched: { "yours" => 1500.0 }).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:facts] = { **trial[:facts], attested: trial[:facts][:attested].except(:threads) }
    end
    found = Mohs::Stored.analysis(hash).tuning

    assert_equal ["yours", []], [found.recommended.name, found.steps]
  end

  test "a pool smaller than the threads of a process binds" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES).to_h
    hash[:cohorts].flat_map { |one| one[:trials] }.each do |trial|
      trial[:facts] = { **trial[:facts], attested: { **trial[:facts][:attested], pool: 4 } }
    end
    binding = Mohs::Stored.analysis(hash).tuning.bounds

    assert_equal ["pool_below_threads"], binding.map(&:code)
    assert_equal({ names: "yours, 2x5", threads: [5, 5], pool: 4 }, binding.first.values)
    assert_empty tuning.bounds
  end

  test "a round without its common setting beside all others is told by the rates themselves" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3).to_h
    hash[:cohorts].each do |cohort|
      cohort[:trials].reject! { |trial| trial[:variant] == "yours" }
    end
    found = Mohs::Stored.analysis(hash).tuning

    assert_equal [%w[yours], %w[1x1]], [found.race.out.keys, found.race.dropped.keys]
    assert_equal "2x3", found.schedule.common
  end
end
