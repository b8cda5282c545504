# frozen_string_literal: true

require "test_helper"

class TuneScheduleTest < Mohs::TestCase
  include Mohs::Tuned

  test "what openings have measured of the next rounds takes no time again" do
    # Nine servers took 80 s. The rounds 2 and 3 need six more, which takes 53 s.
    fit, short = [268, 264].map do |budget_s|
      tuning(rounds: 1, opening: %w[yours 2x3], limit: "p90 < 5 ms", budget_s:)
    end

    assert_equal SPEEDS.keys, fit.schedule.racers
    assert_equal 3, short.schedule.racers.size
  end

  test "what is left is searched, and the present setting with it though it was dropped" do
    found = tuning(rounds: 6, limit: "p90 < 20 ms")

    assert_equal [:search, :equal], [found.schedule.next, found.race_ended]
    searches = found.schedule.searches
    assert_equal [%w[2x3 2x5 yours], 5], [searches.names.sort, searches.rounds]
    assert_in_delta ((600 - 120) / 15.0) - (20 / 4.0), found.schedule.searches.search_s, 0.01
  end

  test "half of the budget is for the race" do
    many = { **TIED, **%w[2x1 2x2 2x8 2x16].to_h { |name| [name, 1000.0] } }
    last, over = [11, 13].map do |rounds|
      tuning(many, rounds:, boot_sd: 0.05, limit: "p90 < 5 ms", budget_s: 510)
    end

    assert_equal [:continue, 8], [over.race.state, over.race.alive.size]
    assert_equal(%i[race search], [last, over].map { |one| one.schedule.next })
  end

  test "without time for searches the race goes on until there is time for one that checks" do
    restless = { rounds: 3, boot_sd: 0.02, limit: "p90 < 20 ms" } # a search needs 14 s
    next_of = ->(budget_s) { tuning(**restless, budget_s:).schedule.next }

    assert_equal(%i[race search], [95, 85].map(&next_of))
    long = { **restless, limit: "p99 < 200 ms" } # more than half of the budget
    assert_equal(%i[race nothing], [75, 65].map { |s| tuning(**long, budget_s: s).schedule.next })
  end

  test "without time for searches that count, single ones check the queue's model, if they fit" do
    short = { rounds: 6, limit: "p90 < 20 ms" } # a search needs 14 s, a boot 5 s
    found = [200, 145, 130].map { |more_s| tuning(**short, budget_s: more_s).schedule }

    assert_equal(%i[search search nothing], found.map(&:next))
    assert_equal [[%w[2x3 yours], 1], [%w[2x3], 1]],
                 (found.first(2).map { |one| [one.searches.names.sort, one.searches.rounds] })
    needed_s = found.first.likely_needed_s
    found.first(2).each { |one| assert_includes needed_s..(1.25 * needed_s), one.searches.search_s }
    assert_nil found.last.searches
    assert_equal([false, false, true], found.map(&:over_without_searches?))
  end

  test "where the rounds up to a decision don't fit, the best so far go on, with the present one" do
    soon = { rounds: 1, limit: "p90 < 5 ms" }
    found = tuning(**soon, budget_s: 110) # a round takes 20 s, and two more are needed

    assert_equal [:race, %w[yours 2x3 2x5]], [found.schedule.next, found.schedule.racers]
    assert_equal "yours", found.schedule.common
    assert_equal %w[yours 2x3].size, tuning(**soon, budget_s: 92).schedule.racers.size
    assert_equal :nothing, tuning(rounds: 1, budget_s: 38).schedule.next
    assert_equal SPEEDS.keys, tuning(rounds: 1, budget_s: 60).schedule.racers, "nothing follows"
    assert_equal SPEEDS.keys, tuning(rounds: 1).schedule.racers
  end

  test "all that are left are searched as soon as the rest of the budget is enough for that" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 60 ms" } # a search needs 34 s, a boot 5 s
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
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 60 ms" } # a search needs 34 s, a boot 5 s
    found = [5 * 4, 5 * 3, 5 * 2, 4 * 2, 3 * 2, 5].map do |searches|
      tuning(TIED, **tied, budget_s: 60 + (searches * 40)).schedule.searches
    end

    assert_equal [[4, 5], [3, 5], [2, 5], [2, 4], [2, 3]],
                 (found.first(5).map { |one| [one.names.size, one.rounds] })
    assert_equal 1, found.last.rounds
    assert_equal %w[1x1 yours], found[2].names
    assert(found.all? { |one| one.search_s >= 34 })
  end

  test "the race ends before another round would leave time for fewer searches" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 60 ms" } # a round takes 20 s
    ends, goes_on = [0, 30].map { |more_s| tuning(TIED, **tied, budget_s: 660 + more_s).schedule }

    assert_equal [[:search, 3], [:race, 3]], ([ends, goes_on].map do |steps|
      [steps.next, steps.searches.names.size]
    end)
    assert_equal :race, tuning(TIED, **tied, budget_s: 150).schedule.next, "no time for two anyway"
    five, goes_on = [0, 20].map { |more_s| tuning(TIED, **tied, budget_s: 460 + more_s).schedule }
    assert_equal [[:search, 5], [:race, 5]],
                 [five, goes_on].map { |steps| [steps.next, steps.searches.rounds] }
  end

  test "a race that ended since all that were left are searched says so" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 60 ms" }
    all = TIED.transform_values { 700.0 }
    ends = [all, all.slice("yours", "2x3")].map do |searched|
      tuning(TIED, **tied, searched:, budget_s: 900).race_ended
    end
    assert_equal %i[searched budget], ends

    short = tuning(TIED, **tied, searched: all, budget_s: 60 + (5 * 4 * 38))
    cut = SampleTuning.new(TIED, **tied, searched: all.except("1x1")).to_h
    cut[:cohorts][2][:trials].reject! { |trial| trial[:variant] == "1x1" }
    cut[:cohorts][2][:spec][:variants] -= %w[1x1]
    cut = Mohs::Stored.analysis(cut).result
    assert_equal [%i[budget budget], "cut"], [[short, cut].map(&:race_ended),
                                              setting(cut, "1x1").state]
  end

  test "with a wanted rate the race ends once the cheapest that serve it can be searched" do
    tied = { rounds: 3, boot_sd: 0.05, limit: "p99 < 60 ms", wanted_per_s: 300, budget_s: 1200 }
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
      tuning(speeds, rounds:, budget_s: 300 + (20 * rounds), boot_sd:, limit: "p90 < 5 ms").schedule
    end

    assert_equal %w[2x1 2x5 2x2 1x6 yours], early.searches.names, "two boots may err by more"
    assert_equal %w[yours 2x5 2x2 2x1],
                 tuning(speeds, rounds: 2, budget_s: 104, boot_sd: 0.001).schedule.racers.first(4)
    refute_includes late.searches.names, "2x1"
  end

  test "a boot whose connections were all accepted by one process decides nothing" do
    names = { "2x2" => 995.0, "2x8" => 1200.0 }.map do |name, rate|
      speeds = { "yours" => 500.0, "2x3" => 1000.0, "1x3" => 900.0, "2x1" => 1000.0, name => rate }
      made = SampleTuning.new(speeds, shapes: SHAPES, rounds: 3, limit: "p90 < 5 ms").to_h
      slow = made[:cohorts][1][:trials].find { |trial| trial[:variant] == name }
      slow[:slices].each { |slice| slice[:wall_ns] *= 2 }
      Mohs::Stored.analysis(made).result.schedule.searches.names
    end

    assert_includes names.first.first(3), "2x2"
    assert_equal "2x8", names.last.first, "although 2x3 leads by the means"
  end

  test "a race that took more than its share is over" do
    found = tuning(rounds: 3, boot_sd: 0.02, budget_s: 65)

    steps = found.schedule
    assert_equal [:continue, [], :nothing], [found.race.state, steps.racers, steps.next]
  end

  test "a setting that was not raced further is cut, and never searched" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3).to_h
    hash[:cohorts].drop(1).each do |cohort|
      cohort[:spec][:variants] = cohort[:spec][:variants] - %w[1x1]
      cohort[:trials].reject! { |trial| trial[:variant] == "1x1" }
    end
    found = Mohs::Stored.analysis(hash).result

    assert_equal ["cut", nil, 1], setting(found, "1x1").to_h.values_at(:state, :reason, :boots)
    refute_includes found.schedule.searches.names, "1x1"
    assert_equal %w[yours], found.race.dropped.keys
  end

  test "waiting for another mohs is no part of its time" do
    hash = SampleTuning.new(SPEEDS, shapes: SHAPES, rounds: 3).to_h
    hash[:cohorts].each do |cohort|
      cohort[:trials].each { |trial| trial[:started_ms] = cohort[:started_ms] + 15_000 }
    end

    assert_in_delta 15, Mohs::Stored.analysis(hash).result.spent_s
    assert_in_delta 60, tuning(rounds: 3).spent_s
  end

  test "a long budget has more boots, not longer turns" do
    searches = tuning(rounds: 6, budget_s: 7200, limit: "p99 < 60 ms").schedule.searches

    assert_operator searches.rounds, :>, 20
    assert_operator searches.search_s, :<, Mohs::Tune::Budget::LONGEST_S
  end

  test "once searches were planned nothing more is" do
    assert_equal :nothing, tuning(searched: { "2x3" => 900.0 }).schedule.next
  end

  test "where a rate is wanted the cheapest that should serve it are searched, and the fastest" do
    soon = { rounds: 6, limit: "p90 < 5 ms" }
    found = tuning(WANTED, **soon, wanted_per_s: 500.0)

    assert_includes found.race.dropped, "1x3"
    assert_equal [found.race.leader, "1x1", "1x3"], found.schedule.searches.names.first(3)
    assert_includes found.schedule.searches.names, "yours"
    hardly = tuning(WANTED, **soon, wanted_per_s: 850.0).schedule.searches.names
    assert_equal ["yours", "1x3"], hardly.last(2), "1x1 can't, and these may"
    beyond = tuning(WANTED, **soon, wanted_per_s: 5000.0)
    assert_equal [beyond.race.leader, "yours"].sort, beyond.schedule.searches.names.sort
  end

  test "where a rate is wanted, too, as many are searched as there is time for, else one boot" do
    counts = [1900, 1200, 800, 235, 205].map do |budget_s|
      searches = tuning(WANTED, rounds: 6, wanted_per_s: 500.0, budget_s:,
                                limit: "p99 < 60 ms").schedule.searches
      [searches.names.size, searches.rounds]
    end

    assert_equal [[4, 7], [4, 5], [3, 4], [2, 1], [2, 1]], counts
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

  test "searches on more than five boots are longer than they need to be" do
    searches = tuning(SLOW, rounds: 3, limit: "p90 < 200 ms", budget_s: 3600).schedule.searches
    needed_s = caution("tune_little_time", SLOW, rounds: 1, limit: "p90 < 200 ms", budget_s: 600)
               .values[:needed_s]

    assert_operator searches.rounds, :>, 5
    assert_operator searches.search_s, :>=, 1.2 * needed_s
  end

  test "one that failed in the race is not searched, whatever it served before" do
    found = tuning(WANTED, rounds: 3, failing: %w[1x1], wanted_per_s: 500.0)

    refute_includes found.schedule.searches.names, "1x1"
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
end
