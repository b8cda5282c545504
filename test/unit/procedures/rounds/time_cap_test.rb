# frozen_string_literal: true

require "test_helper"

class RoundsTimeCapTest < Mohs::TestCase
  # A host that is so many times slower than the plan expects, on which a run is walked as Runner
  # does: cohort by cohort, in each of them all boots, all warm-ups, then the measured load, which
  # takes its time anyway and its servers' ends longer.
  class Host
    # Names of the variants that were cut; of rounds, how many of how many.
    def self.called(cuts) = cuts.map { |cut| cut[:name] || cut.values_at(:rounds, :of) }

    attr_reader :clock, :shown, :changes, :walked

    # warm: how many times slower to warm up, if not as much. later: how many times slower from the
    # second cohort on, if not as the first.
    # open: nobody was told a time before the first cohort is over.
    def initialize(study, slower, warm: nil, later: nil, costs: Mohs::Plan::Costs.new, open: false)
      @study = study
      @slower = slower
      @later = later
      @warm = warm
      @costs = costs
      @clock = Mohs::ProgressHelper::HandClock.new
      @plan = study.procedure.plan(seed: 1, costs:)
      estimator = -> { Mohs::Plan::Estimator.new(study.variants, costs) }
      further = Mohs::Rounds::Planner.new(study, seed: 1, costs:).further(@plan)
      @time_cap = Mohs::Rounds::TimeCap.new(study, @plan, own = estimator.call, further:, open:)
      @time = Mohs::Rounds::TimeLeft.new(@plan, own, clock: @clock)
      @screen = Mohs::Rounds::TimeLeft.new(@plan, estimator.call, clock: @clock)
      @open = open
      @announced = open ? [] : [@plan.estimate_s]
      @queued = @plan.cohorts.select(&:baseline).to_h { |one| [one.position, one.variants] }
      @shown = [[]]
      @changes = []
      @walked = []
      @begun = []
    end

    # The times that were announced, one after the other.
    def announced = @announced

    def took_s = @clock.mono_ns / 1e9

    def dropped = Host.called(@plan.dropped)

    def rounds_of(name) = @walked.count { |names| names.include?(name) }

    def run
      while (position, names = @queued.first)
        @queued.delete(position)
        @begun << position
        @walked << names
        both { |time| time.started(position) }
        cohort(names)
        both(&:finished)
        @open ? first : (ask || add)
        @slower = @warm = @later if @later
      end
      self
    end

    private

    def both(&) = [@time, @screen].each(&)

    def cohort(names)
      names.each { |name| stage(name, :boot, cost(name).boot_s * @slower) }
      stage(names.first, :attest, 0)
      ask(sure: false) if @walked.one? && !@open
      names.each { |name| stage(name, :warm, cost(name).warm_up_s * (@warm || @slower)) }
      both { |time| time.trial({ stage: :measure, block: 1, of: 6 }) }
      names.each { |name| pass(cost(name).measure_s + (cost(name).stop_s * @slower)) }
    end

    def cost(name) = @costs.for(@study.variant(name))

    def stage(variant, stage, seconds)
      both { |time| time.trial({ variant:, stage: }) }
      pass(seconds)
    end

    def pass(seconds)
      4.times do
        @clock.pass(seconds / 4.0)
        @shown.last << @screen.shown_s
      end
    end

    def ask(**sure) = change(@time_cap.call(@time.sunk_s, @queued.keys, **sure))

    def first
      @open = false
      change(@time_cap.first(@time.sunk_s, @queued.keys))
    end

    def add = change(@time_cap.more(@time.sunk_s, @queued.keys))

    def change(change)
      return unless change

      @changes << change
      @plan = change.plan
      both { |time| time.replan(@plan, announced_s: change.announced_s) }
      left = @plan.cohorts.reject { |one| @begun.include?(one.position) }
      @queued = left.to_h { |one| [one.position, one.variants] }
      return true unless change.announced_s

      @announced << change.announced_s
      @shown << []
    end
  end

  def variant(name, engine = "ruby", **values)
    Mohs::Study::Variant.new(name:, engine:, ruby: "3.3.8", **values)
  end

  def study(*variants, rounds: nil, budget_s: nil, **given)
    rules = Mohs::Rounds::Rules.new(rounds:, budget_s:)
    Mohs::Study.new(app: "/shop", requests: [], variants:, baseline: variants.first.name, env: {},
                    seed: 1, rules:, **given)
  end

  def chosen = study(variant("own"), variant("own yjit"), variant("new"), variant("new yjit"))

  def run_on(study, slower, **given) = Host.new(study, slower, **given).run

  def kept(host)
    assert_operator host.took_s, :<=, host.announced.last * 1.1
    host.shown.each do |shown|
      least = shown.first
      shown.each do |left|
        assert_operator left, :<=, least * 1.2501
        least = [least, left].min
      end
    end
  end

  test "where the run takes what was announced, nothing is cut" do
    host = run_on(chosen, 1.0)

    assert_equal [[], [112]], [host.changes, host.announced]
    assert_equal 7, host.rounds_of("own")
    assert_empty run_on(chosen, 1.05).changes
  end

  # Runs whose time is not known before the first cohort is over.
  test "what is announced first are as many rounds as fit in two minutes, and that is kept" do
    { 0.5 => 10, 1.0 => 7, 1.5 => 5, 2.0 => 4 }.each do |slower, rounds|
      host = run_on(chosen, slower, open: true)

      kept(host)
      assert_equal [[true], [rounds], []], [host.changes.map(&:first), [host.rounds_of("own")],
                                            host.dropped]
      assert_in_delta host.took_s, host.announced.last, 0.1 * host.took_s
      assert_operator host.announced.last, :<=, 126
    end
  end

  test "a first announcement leaves out variants that don't fit, and never rounds" do
    host = run_on(chosen, 4, open: true)

    kept(host)
    assert_equal [["new yjit"], 3], [host.dropped, host.rounds_of("own")]
    assert_equal [%w[cut_variant]], host.changes.map { |one| one.cut.map { |cut| cut[:code] } }
  end

  test "where less does not do, the first announcement is of that" do
    two = study(variant("own"), variant("own yjit"))
    host = run_on(two, 12, open: true)

    assert_equal [3, true], [host.rounds_of("own"), host.changes.first.first]
    assert_operator host.announced.first, :>, 132
    assert_in_delta host.took_s, host.announced.first, 0.1 * host.took_s
  end

  test "a first announcement is within the budget, and has the rounds that were asked for" do
    named = [variant("a"), variant("b")]
    budget = run_on(study(*named, budget_s: 40, named: true), 1.5, open: true)
    asked = run_on(study(*named, rounds: 7, named: true), 6, open: true)
    both = run_on(study(*named, rounds: 7, budget_s: 60, named: true), 3, open: true)

    assert_operator budget.announced.last, :<=, 40
    assert_equal [7, []], [asked.rounds_of("a"), asked.dropped]
    assert_operator asked.announced.last, :>, 200
    assert_equal 7, both.dropped.first.last
    [budget, asked, both].each { |host| kept(host) }
  end

  # As Plan::Budget plans if it knows the costs.
  test "a budget that three rounds exceed is kept with fewer, and the reason is given once" do
    [[variant("own")], [variant("own"), variant("a")]].each do |variants|
      round_s = run_on(study(*variants, rounds: 1), 5, open: true).took_s
      given = study(*variants, named: true, budget_s: 2.5 * round_s)
      host = run_on(given, 5, open: true)

      assert_equal [2, [[1, 3]], 1, [host.changes.first.announced_s]],
                   [host.rounds_of("own"), host.dropped, host.changes.size, host.announced]
      assert_equal({ round_s: round_s.ceil, budget_s: given.rules.budget_s, needed: 3 },
                   host.changes.first.cut.last.fetch(:values))
      kept(host)
    end
  end

  test "a budget that the first cohort takes leaves nothing to announce" do
    host = run_on(study(variant("own"), variant("a"), named: true, budget_s: 26), 5, open: true)

    assert_equal [1, [[2, 3]], []],
                 [host.rounds_of("own"), host.dropped, host.announced]
    assert_equal([[nil, nil, "dropped_rounds"]],
                 host.changes.map { |one| [one.first, one.announced_s, one.cut.last[:code]] })
  end

  test "rounds that were asked for and exceed the budget are cut below three" do
    host = run_on(study(variant("own"), variant("a"), named: true, rounds: 5, budget_s: 50), 5,
                  open: true)

    assert_operator host.took_s, :<=, 50
    assert_equal 1, host.dropped.size
  end

  test "where the costs that a plan relied on were too low, its budget is kept all the same" do
    given = study(variant("own"), variant("a"), named: true, budget_s: 40)
    host = run_on(given, 4)

    assert_operator host.took_s, :<=, 40
    assert_operator host.rounds_of("own"), :<, 3
  end

  test "where later cohorts take longer than the first, the announced time is kept" do
    host = run_on(chosen, 1.0, later: 1.5, open: true)

    kept(host)
    assert_equal "cut_rounds", host.changes.last.cut.last[:code]
  end

  test "on a host that is slower, rounds are cut down to three, and the time is kept" do
    [1.3, 1.7, 2.2].each do |slower|
      host = run_on(chosen, slower)

      kept(host)
      assert_equal [112], host.announced
      assert_operator host.rounds_of("own"), :>=, 3
      assert_equal 1, %w[own new].concat(["own yjit", "new yjit"]).map { |one| host.rounds_of(one) }
                                 .uniq.size
    end
  end

  test "the first boots already tell: it is cut before the first warm-up" do
    host = Host.new(chosen, 3)
    host.run

    assert_equal "cut_rounds", host.changes.first.cut.last[:code]
    assert_equal 7, host.changes.first.cut.last.dig(:values, :rounds)
  end

  test "two and a half times slower: everything has its three rounds" do
    host = run_on(chosen, 2.5)

    kept(host)
    assert_equal 112, host.announced.max
    assert_equal([3], chosen.variants.map { |variant| host.rounds_of(variant.name) }.uniq)
  end

  test "four times slower: what was chosen last is left out, so that the rest has three rounds" do
    host = run_on(chosen, 4)

    kept(host)
    assert_equal 112, host.announced.max
    assert_equal ["new yjit", "new"], host.dropped.grep(/new/)
    assert_equal [3, 3], [host.rounds_of("own"), host.rounds_of("own yjit")]
  end

  test "where not even three rounds of two fit, another time is announced" do
    host = run_on(chosen, 8)

    kept(host)
    assert_equal 2, host.announced.size
    assert_equal 3, host.rounds_of("own yjit")
  end

  test "rounds that are cut twice are one line" do
    plan = chosen.procedure.plan(seed: 1)
    time_cap = Mohs::Rounds::TimeCap.new(chosen, plan, Mohs::Plan::Estimator.new(chosen.variants))
    queued = plan.cohorts.map(&:position)
    time_cap.call(30, queued.drop(1))
    change = time_cap.call(80, queued.drop(3).first(3))

    assert_equal [[2, 7]], Host.called(change.plan.dropped)
    assert_equal 1, change.plan.dropped.size
    assert_equal 5, change.plan.rounds
  end

  test "rounds that come back after a cut are counted as those that were announced" do
    plan = chosen.procedure.plan(seed: 1)
    time_cap = Mohs::Rounds::TimeCap.new(chosen, plan, Mohs::Plan::Estimator.new(chosen.variants),
                                         open: true)
    queued = plan.cohorts.map(&:position)
    announced = time_cap.first(45, queued.drop(1)).plan
    cut = time_cap.call(90, queued.first(announced.cohorts.size).drop(2)).plan
    grown = time_cap.more(75, cut.cohorts.map(&:position).drop(2)).plan

    assert_equal [6, 4, 5], [announced, cut, grown].map(&:rounds)
    assert_equal [[], [[2, 6]], [[1, 6]]],
                 [announced, cut, grown].map { |one| Host.called(one.dropped) }
    assert_equal 6, grown.dropped.first.dig(:values, :rounds)
  end

  test "experimental JITs go first, then the most expensive" do
    rjit = variant("rjit", flags: ["--rjit"])
    host = run_on(study(variant("own"), rjit, variant("jruby", "jruby"), variant("yjit")), 4)

    kept(host)
    assert_equal %w[rjit jruby], host.dropped.first(2)
    assert_equal 3, host.rounds_of("yjit")
  end

  test "a run that goes faster has more rounds, in the time that was announced" do
    [0.4, 0.6, 0.8].each do |slower|
      host = run_on(chosen, slower)

      kept(host)
      assert_includes 8..10, host.rounds_of("new yjit")
      assert_equal [[]], host.changes.map(&:cut)
      assert_empty host.dropped
    end
  end

  test "a run that ends more than a tenth too early has announced the shorter time by then" do
    [[chosen, 0.4], [chosen, 1.0, 0.6], [chosen, 2.5, 1.0], [chosen, 4, 1], [chosen, 8, 4],
     [study(variant("own"), variant("a"), rounds: 4), 0.5],
     [study(variant("own"), variant("j", "jruby")), 0.5]].each do |given, slower, later|
      host = run_on(given, slower, later:)

      kept(host)
      assert_operator host.took_s, :>=, host.announced.last * 0.9
    end
    assert_equal [112], run_on(chosen, 1.0, later: 0.95).announced
  end

  test "rounds that slow boots cut come back where servers are warm soon" do
    host = run_on(chosen, 2.5, warm: 0.5)

    kept(host)
    first, second = host.changes.map { |change| [change.plan.rounds, change.plan.dropped.size] }
    assert_equal [[3, 1], [6, 1]], [first, second]
    assert_equal [[1, 7]], host.dropped
    assert_equal 6, host.rounds_of("new")
  end

  test "rounds that a slow first cohort cost come back when the next ones are quicker" do
    host = run_on(chosen, 2.5, warm: 2.2, later: 1.2)

    kept(host)
    assert_equal 3, host.changes.first.plan.rounds
    assert_operator host.rounds_of("new"), :>=, 4
    assert_operator host.took_s, :>=, 112 * 0.8
    assert_equal host.rounds_of("new"), host.changes.last.plan.rounds
  end

  test "rounds that were never planned are added after the first cohort only" do
    host = run_on(chosen, 1.0, later: 0.2)

    assert_equal [[7], 7], [host.changes.map { |one| one.plan.rounds }.uniq, host.rounds_of("own")]
  end

  test "where a shorter time was announced, the first one may still be taken: nothing is cut" do
    plan = chosen.procedure.plan(seed: 1)
    time_cap = Mohs::Rounds::TimeCap.new(chosen, plan, Mohs::Plan::Estimator.new(chosen.variants))
    queued = plan.cohorts.map(&:position)
    changes = [time_cap.more(5, queued.drop(3)), time_cap.call(44, queued.drop(3)),
               time_cap.call(52, queued.drop(3))]

    assert_equal [[69, 108], [[], []]], [changes.first(2).map(&:announced_s),
                                         changes.first(2).map(&:cut)]
    assert_nil changes.last
  end

  test "a time announced after the first boots is corrected when warm-ups turn out short" do
    host = run_on(study(variant("own"), variant("a")), 20, warm: 1)

    kept(host)
    assert_equal 3, host.announced.size
    assert_in_delta host.took_s, host.announced.last, host.took_s * 0.1
    assert_operator host.announced.last, :<, host.announced[1] * 0.9
  end

  test "first boots leave out no variant, and announce nothing if less of them would fit" do
    change = Host.new(chosen, 4).run.changes.first

    assert_equal [[4, 7]], Host.called(change.cut)
    assert_nil change.announced_s
  end

  test "first boots that would cost a variant cut all rounds that may be cut in its place" do
    given = study(variant("own"), variant("yjit"), variant("dear"), rounds: 6, budget_s: 160)
    costs = Mohs::Plan::Costs.new({ "dear" => { warm_up_s: 15 } })
    plan = given.procedure.plan(seed: 1, costs:)
    cuts = [true, false].map do |sure|
      estimator = Mohs::Plan::Estimator.new(given.variants, costs)
      time_cap = Mohs::Rounds::TimeCap.new(given, plan, estimator)
      change = time_cap.call(120, plan.cohorts.map(&:position).drop(1), sure:)
      Host.called(change.cut)
    end

    assert_equal [["dear"], [[3, 6]]], cuts
  end

  test "first boots announce another time if the least that has to stay does not fit" do
    [study(variant("own"), variant("a")), chosen].each do |given|
      host = run_on(given, 8)
      change = host.changes.first

      kept(host)
      assert_equal(["cut_rounds"], change.cut.map { |cut| cut[:code] })
      assert_operator change.announced_s, :>, host.announced.first * 1.1
      assert_in_delta host.took_s, change.announced_s, host.took_s * 0.1
    end
  end

  test "where warm-ups are short after all, rounds come back in the time announced first" do
    host = run_on(study(variant("own"), variant("a")), 6, warm: 1, later: 1)

    kept(host)
    assert_operator host.took_s, :<=, host.announced.first * 1.1
    assert_operator host.rounds_of("a"), :>, 3
  end

  def first_out(study, slower)
    cuts = run_on(study, slower).changes.flat_map(&:cut)
    cuts.find { |cut| cut[:code] == "cut_variant" }&.fetch(:name)
  end

  test "of the variants that mohs chose, a plain Ruby goes before the JIT of the same" do
    plain, yjit = [[], ["--yjit"]].map do |flags|
      variant(["3.4.5", *flags].join(" "), flags:, ruby: "3.4.5")
    end
    own = [variant("3.3.8"), variant("3.3.8 --yjit", flags: ["--yjit"])]

    assert_equal "3.4.5", first_out(study(*own, plain, yjit), 4)
    asked = study(*own, plain, yjit, named: true, budget_s: 112)
    assert_equal "3.4.5 --yjit", first_out(asked, 4)
  end

  test "where a budget ends with the round that is under way, no variant is said to be left out" do
    named = study(variant("own"), variant("a"), variant("b"), named: true, budget_s: 112)
    host = run_on(named, 20)

    assert_equal [1, 1, 1], named.variants.map { |variant| host.rounds_of(variant.name) }
    cuts = host.changes.last.cut
    assert_equal ["cut_rounds"], cuts.map { |cut| cut[:code] }
    announced_s, all_s, enough_s = cuts.first[:values].values_at(:announced_s, :all_s, :enough_s)
    assert_operator announced_s, :<, all_s
    assert_operator all_s, :<=, enough_s
  end

  test "one candidate has its three rounds, even if the first cohort took all of the time" do
    host = run_on(chosen, 20)

    kept(host)
    assert_equal [3, 3, 1, 1], chosen.variants.map { |variant| host.rounds_of(variant.name) }
    assert_equal 3, host.announced.size, "after the first boots, and after their measured load"
  end

  # As it was measured before.
  QUICK_JVM = Mohs::Plan::Costs.new({ "j" => { warm_up_s: 120.0 } })

  test "JVMs are left out to the last, where quick variants had their rounds" do
    slow = Host.new(study(variant("own"), variant("yjit"), variant("j", "jruby")), 1.0, warm: 5,
                    costs: QUICK_JVM)

    assert_equal [3, 0], [slow.run.rounds_of("yjit"), slow.rounds_of("j")]
  end

  test "the last variant left to measure is left out where others had their rounds" do
    given = study(variant("own"), variant("yjit"), variant("j", "jruby"))
    plan = given.procedure.plan(seed: 1)
    alone = plan.cohorts.select { |one| one.variants.include?("j") }.map(&:position)
    time_cap = Mohs::Rounds::TimeCap.new(given, plan, Mohs::Plan::Estimator.new(given.variants))

    change = time_cap.call(900, alone)

    assert_equal ["j"], Host.called(change.cut) - [[3, 3]]
    assert_empty(change.plan.cohorts.select { |one| alone.include?(one.position) })
  end

  test "cohorts that come back take the places that they had" do
    given = study(variant("own"), variant("yjit"), variant("j", "jruby"), rounds: 6, budget_s: 900)
    plan = given.procedure.plan(seed: 1, costs: QUICK_JVM)
    estimator = Mohs::Plan::Estimator.new(given.variants, QUICK_JVM)
    time_cap = Mohs::Rounds::TimeCap.new(given, plan, estimator)
    cut = time_cap.call(150, plan.cohorts.map(&:position).drop(1)).plan

    assert_operator cut.rounds, :<, 6
    grown = time_cap.more(-900, cut.cohorts.map(&:position).drop(1)).plan
    assert_equal plan.cohorts.map(&:position), grown.cohorts.map(&:position)
  end

  test "rounds that were added and then cut come back as those of the plan do" do
    plan = chosen.procedure.plan(seed: 1)
    further = Mohs::Rounds::Planner.new(chosen, seed: 1, costs: Mohs::Plan::Costs.new).further(plan)
    time_cap = Mohs::Rounds::TimeCap.new(chosen, plan, Mohs::Plan::Estimator.new(chosen.variants),
                                      further:)
    plans = %i[more call more].zip([-30, 80, -30]).map do |ask, sunk_s|
      plan = time_cap.public_send(ask, sunk_s, plan.cohorts.map(&:position).drop(1)).plan
    end

    assert_equal [9, 9], plans.values_at(0, 2).map(&:rounds)
    assert_operator plans[1].rounds, :<, 7
    assert_empty plans.last.dropped
  end

  test "a round that ends a little too late is better than one less, which ends far too early" do
    plan = chosen.procedure.plan(seed: 1)
    time_cap = Mohs::Rounds::TimeCap.new(chosen, plan, Mohs::Plan::Estimator.new(chosen.variants))

    assert_equal 6, time_cap.call(100, [5, 6]).plan.rounds
    assert_nil time_cap.call(107, [5])
    assert_equal 5, time_cap.call(108, [5]).plan.rounds
  end

  test "a run that is over announces nothing more" do
    plan = chosen.procedure.plan(seed: 1)
    time_cap = Mohs::Rounds::TimeCap.new(chosen, plan, Mohs::Plan::Estimator.new(chosen.variants))

    assert_nil time_cap.call(900, [])
    refute_nil time_cap.call(900, [plan.cohorts.size - 1])
  end

  test "no rounds are added to a run in which nothing could be served" do
    plan = chosen.procedure.plan(seed: 1)
    further = Mohs::Rounds::Planner.new(chosen, seed: 1, costs: Mohs::Plan::Costs.new).further(plan)
    estimator = Mohs::Plan::Estimator.new(chosen.variants)
    time_cap = Mohs::Rounds::TimeCap.new(chosen, plan, estimator, further:)
    chosen.variants.each { |variant| estimator.ended(variant.name) }

    assert_equal 3, further.map(&:round).uniq.size
    assert_nil time_cap.more(9, plan.cohorts.map(&:position).drop(1))
  end

  test "rounds are added neither to those that were asked for nor beside a JVM" do
    asked = study(variant("own"), variant("b"), rounds: 4)

    assert_equal 4, run_on(asked, 0.5).rounds_of("b")
    assert_equal 3, run_on(study(variant("own"), variant("j", "jruby")), 0.5).rounds_of("j")
  end

  test "what the person asked for stays, and the new time is announced" do
    names = ("a".."f").map { |name| variant(name) }
    host = run_on(study(variant("own"), *names, named: true), 4)

    kept(host)
    assert_equal(names.map(&:name), names.map(&:name).select { |name| host.rounds_of(name) == 3 })
    assert_operator host.announced.size, :>, 1
    assert_operator host.announced.last, :>, host.announced.first * 1.1
  end

  test "rounds that were asked for are made" do
    host = run_on(study(variant("own"), variant("b"), rounds: 10, named: true), 3)

    assert_equal 10, host.rounds_of("b")
    assert_equal [], host.dropped
    kept(host)
  end

  test "rounds that a budget seemed to have no room for come back on a faster host" do
    given = study(variant("own"), variant("a"), named: true, rounds: 20, budget_s: 100)
    planned = given.procedure.plan(seed: 1).rounds
    [0.8, 1.5].each do |slower|
      host = run_on(given, slower, open: true)
      done = host.rounds_of("a")

      assert_operator done, (slower < 1 ? :> : :<=), planned
      assert_operator host.took_s, :<=, 100
      assert_equal [[20 - done, 20]], host.dropped
    end
  end

  test "a budget is used before rounds are cut to keep a shorter time" do
    given = study(variant("own"), variant("a"), named: true, rounds: 6, budget_s: 600)
    host = run_on(given, 1, later: 2)

    assert_equal [6, []], [host.rounds_of("a"), host.dropped]
    assert_operator host.announced.last, :>, host.announced.first * 1.3
    assert_operator host.took_s, :<=, 600
  end

  test "a budget is kept, whatever was asked for" do
    names = ("a".."d").map { |name| variant(name) }
    host = run_on(study(variant("own"), *names, named: true, rounds: 5, budget_s: 120), 2.5)

    assert_operator host.took_s, :<=, 120 * 1.05
    assert_operator host.rounds_of("own"), :>=, 3
    refute_empty host.dropped
  end

  test "the last candidate stays, in three rounds, and the new time is announced" do
    host = run_on(study(variant("own"), variant("a")), 20)

    kept(host)
    assert_equal 3, host.rounds_of("a")
  end

  test "on a host known from earlier runs, CRuby's boots tell how long JVMs will take" do
    known = Mohs::Plan::Costs.new({ "own" => { boot_s: 0.7, warm_up_s: 1.0 } })
    host = run_on(study(variant("own"), variant("yjit"), variant("jruby", "jruby")), 4,
                  costs: known)

    kept(host)
    assert_equal 0, host.rounds_of("jruby")
    assert_equal ["jruby"], host.dropped & ["jruby"]
  end

  test "the plan that is left has neither what was cut nor cohorts of a baseline alone" do
    plan = chosen.procedure.plan(seed: 1)
    estimator = Mohs::Plan::Estimator.new(chosen.variants)
    change = Mohs::Rounds::TimeCap.new(chosen, plan, estimator)
                                .call(100, plan.cohorts.map(&:position).drop(1))

    assert_equal 3, change.plan.rounds
    assert_equal [4, 2, 2], change.plan.cohorts.map { |cohort| cohort.variants.size }
    assert_equal ["new yjit", "new", [4, 7]], Host.called(change.plan.dropped)
    assert_equal({ announced_s: 112, enough_s: 196 }, change.cut.first[:values])
    assert_nil change.announced_s
  end

  test "a run that would take longer by less than can be read is only called longer" do
    texts = [965, 1320].map do |enough_s|
      Mohs::Report::Render.text("cut_rounds", announced_s: 960, enough_s:, rounds: 5)
    end

    assert_equal [false, true], (texts.map { |text| text.include?("instead of 16 min") })
    assert_includes texts.first, "longer than 16 min"
  end
end
