# frozen_string_literal: true

require "test_helper"

class TrialWarmUpTest < Mohs::TestCase
  WarmUp = Mohs::Trial::WarmUp
  Served = Struct.new(:good, :wall_ns, :cpu_ns, :thread_stats, :span_ns)

  # A server whose answer costs what the block says of the number of requests already served, in ms
  # of CPU. One connection; `noise`: sd of a step's logarithm.
  def warm(rule, noise: 0.002, seed: 4, before: ->(_) {})
    random = Noise.new(seed)
    counts = []
    until (count = rule.next).is_a?(Symbol)
      counts << count
      served = rule.requests
      wall = count.times.sum { |i| yield(served + i) } * 1e6
      wall *= Math.exp(noise * random.normal)
      before.call(wall)
      rule << Served.new(count, wall.round, wall.round)
      flunk "does not end" if counts.size > 5000
    end
    counts
  end

  test "a server of constant cost is warm after half a second and 500 requests" do
    rule = WarmUp.for("ruby")
    warm(rule) { 0.5 }
    assert_equal :warm, rule.outcome
    assert_operator rule.requests, :>=, 500
    assert_includes 0.5..2.0, rule.seconds
    assert_in_epsilon 1000 / 0.5, rule.rate, 0.01
  end

  test "a fast one needs no half second: 1500 requests do" do
    rule = WarmUp.for("ruby")
    warm(rule) { 0.115 }
    assert_equal :warm, rule.outcome
    assert_operator rule.requests, :>=, 1500
    assert_includes 0.2..0.5, rule.seconds
  end

  test "without a JIT what differs after 1500 requests is noise" do
    plain, unknown = ["off", nil].map do |jit|
      WarmUp.for("ruby", jit:).tap { |rule| warm(rule) { |served| 0.1 + (served / 1e5) } }
    end
    assert_equal :warm, plain.outcome
    assert_includes 1500..1508, plain.requests, "its last window in eight whole steps"
    assert_operator unknown.requests, :>, 10_000
  end

  test "a server without a JIT that a cap ends early has a rate: what seems to rise is the host" do
    disturbed = lambda do |served|
      served < 400 ? 1.6 : 1.6 + (1.5 * Math.exp((400 - served) / 200.0))
    end
    plain, compiles = %w[off yjit].map do |jit|
      WarmUp.for("ruby", jit:, cap_s: 2.2).tap { |rule| warm(rule, noise: 0.02, &disturbed) }.to_h
    end
    first = WarmUp.for("ruby", jit: "off", cap_s: 2.2)
    warm(first, noise: 0.02) { |served| 40 * Math.exp(-served / 60.0) }

    assert_equal(%w[capped capped], [plain, compiles].map { |one| one[:outcome] })
    assert_equal([false, true], [plain, compiles].map { |one| one.dig(:curve, :rising) })
    assert first.to_h.dig(:curve, :rising), "its caches are not filled yet"
  end

  test "of slow requests without a JIT, four seconds, but no fewer than may differ at first" do
    differs = ->(served) { 0.8 + (0.4 * (served / 100 % 2)) }
    grows = ->(served) { 1 + (served / 500.0) }
    fast, page, slow, slower = [[1, differs], [3, differs], [8, differs], [43, grows]]
                               .map do |ms, changes|
      WarmUp.for("ruby", jit: "off").tap { |rule| warm(rule) { |n| ms * changes.call(n) } }
    end
    assert_equal %i[warm warm warm warm], [fast, page, slow, slower].map(&:outcome)
    assert_includes 300..312, slower.requests
    assert_includes 1500..1508, fast.requests
    assert_includes 3.9..4.8, page.seconds
    assert_includes 500..524, slow.requests
  end

  # As it stands after so many windows of a server of this cost.
  def begun(ms, windows: 1)
    rule = WarmUp.for("ruby", jit: "yjit")
    (8 * windows).times { rule << Served.new(rule.next, (rule.next * ms * 1e6).round, 1) }
    rule
  end

  test "two share their steps while these are alike, and the servers about as fast" do
    assert begun(0.1, windows: 0).alike?(begun(60, windows: 0)), "nobody knows yet"
    assert begun(20).alike?(begun(39)) && begun(39).alike?(begun(20))
    refute begun(20).alike?(begun(41))
    refute begun(0.1).alike?(begun(60)) || begun(60).alike?(begun(0.1))
    refute begun(1, windows: 4).alike?(begun(1)), "it would be sent far more than it needs"
  end

  test "MJIT is waited for until it has begun to compile, unless requests are too slow for that" do
    fast, slow = [0.115, 20].map do |cost|
      WarmUp.for("ruby", jit: "mjit").tap { |rule| warm(rule) { cost } }
    end
    page = WarmUp.for("ruby", jit: "mjit").tap { |rule| warm(rule, noise: 0.01) { 2 } }
    sooner = WarmUp.for("ruby", jit: "mjit", flags: %w[--mjit --mjit-min-calls=1000])
    warm(sooner, noise: 0.01) { 20 }

    assert_operator fast.requests, :>=, 12_000
    assert_operator page.requests, :>=, 10_064, "five seconds are too few"
    assert_operator sooner.requests, :>=, 1064
    assert_includes 10..12, slow.seconds
    assert_equal %i[warm warm warm short], [fast, page, sooner, slow].map(&:outcome)
  end

  test "windows double in eight steps each" do
    counts = warm(WarmUp.for("ruby", jit: "mjit")) { 0.115 }
    windows = counts.each_slice(8).map(&:sum)
    assert_equal [16, 64, 128, 256], windows.first(4)
    assert_equal [512, 1024], windows[4, 2]
  end

  test "slow requests end it as soon as it may: 20 to 100 ms each in 4 to 19 s" do
    [20, 25, 40, 100].each do |cost|
      rule = WarmUp.for("ruby")
      warm(rule) { cost }
      assert_equal :warm, rule.outcome
      assert_includes 184..200, rule.requests
      assert_in_delta 0.184 * cost, rule.seconds, 0.1 * 0.184 * cost, "#{cost} ms"
    end
  end

  test "very slow requests do not have to be as many" do
    rule = WarmUp.for("ruby", jit: "off")
    warm(rule) { 250 }
    assert_equal :warm, rule.outcome
    assert_includes 10..16, rule.seconds
  end

  test "pages too slow to wait for a JIT are not known to be steady, unless they get the time" do
    [160, 250, 1000].each do |ms|
      rule = WarmUp.for("ruby", jit: "yjit")
      warm(rule, noise: 0.01) { ms }
      found = rule.to_h[:curve]
      longer = WarmUp.for("ruby", jit: "yjit", cap_s: found[:most_s])
      warm(longer, noise: 0.01) { ms }

      assert_equal :short, rule.outcome, ms
      refute found[:rising]
      assert_includes 10..25, rule.seconds
      assert_equal :warm, longer.outcome, ms
      assert_operator longer.requests, :>=, 184
    end
  end

  # As two Rails applications on 4.0 with YJIT: it compiles what a request calls once at the 120th
  # request of a process; then little is left to gain.
  LARGE = lambda do |served|
    next 25 - (0.2 * served) if served < 80
    next 18 if served < 128

    served < 170 ? 7 : 6
  end

  test "a JIT that compiles at the 120th request of each process is waited for" do
    [1, 2, 4].each do |processes|
      (1..8).each do |seed|
        rule = WarmUp.for("ruby", jit: "yjit", workers: processes)
        warm(rule, noise: 0.1, seed:) { |served| LARGE.call(served / processes) }

        assert_equal :warm, rule.outcome
        assert_operator rule.requests, :>=, 184 * processes
        assert_in_epsilon 1000 / 6.0, rule.rate, 0.25
      end
    end
  end

  test "its compilation does not end the waiting for it" do
    [60, 70, 80, 90].product((1..5).to_a).each do |ms, seed|
      rule = WarmUp.for("ruby", jit: "yjit")
      warm(rule, noise: 0.03, seed:) { |served| served.between?(85, 127) ? 2.7 * ms : ms }

      assert_operator rule.requests, :>=, 120 + 64, "#{ms} ms"
    end
  end

  # Of pages that cost the same, by their weights.
  def alike(weights)
    weights.map do |weight|
      share = Rational(weight, weights.sum)
      WarmUp::Pages::Page.new(share:, of_time: share.to_f)
    end
  end

  # The rule, once a server of several pages that cost the same is warm.
  def pages(weights, ms, jit: "yjit", **options)
    WarmUp.for("ruby", jit:, pages: alike(weights), **options)
          .tap { |rule| warm(rule, noise: 0.01) { ms } }
  end

  test "of several pages, the calls of the rarest count, but of the very rare" do
    all = pages([1] * 5, 10)
    rare = pages([50, 49, 1], 10)

    assert_equal %i[warm warm], [all.outcome, rare.outcome]
    assert_includes 762..800, all.requests
    assert_includes 340..370, rare.requests, "49 in 100 are of the second"
  end

  test "where pages are too rare to wait for, the others are waited for" do
    rule = pages([50, *[2] * 25], 10)

    assert_equal :short, rule.outcome
    assert_includes 334..360, rule.requests
    assert_operator rule.to_h.dig(:curve, :most_s), :>, 60
  end

  test "where there is no time to wait for any, ten seconds are enough" do
    rule = pages([1] * 8, 30)

    assert_equal :short, rule.outcome
    assert_includes 10..12.5, rule.seconds
  end

  test "a cap of less time than its calls take leaves too few requests to tell" do
    rule = WarmUp.for("ruby", jit: "yjit", cap_s: 5)
    warm(rule, noise: 0.01) { 30 }

    assert_equal :short, rule.outcome
    assert_includes 5..5.6, rule.seconds
  end

  test "windows that are compared have 32 requests of each process, however many" do
    (1..40).to_a.product([[2, 6], [4, 5]]).each do |seed, (workers, ms)|
      rule = WarmUp.for("ruby", jit: "yjit", workers:)
      counts = warm(rule, noise: 0.03, seed:) { ms }

      assert_equal :warm, rule.outcome
      assert_operator counts.each_slice(8).map(&:sum).last(2).min, :>=, 32 * workers
    end
  end

  test "a JVM has no calls to wait for, but the load that it needs" do
    rule = WarmUp.for("jruby", pages: alike([1] * 20))
    jruby(rule, compiled: 0, noise: 0.002) { 100 }

    assert_equal :warm, rule.outcome
    assert_includes 120..400, rule.seconds
  end

  test "a page that few ask for counts by the time that it takes" do
    dear, cheap = [0.68, 0.01].map do |rare|
      pages = [[0.95, 1 - rare], [0.05, rare]].map do |share, of_time|
        WarmUp::Pages::Page.new(share:, of_time:)
      end
      WarmUp.for("ruby", jit: "yjit", pages:).tap { |rule| warm(rule, noise: 0.01) { 3 } }
    end

    assert_operator dear.requests, :>=, 2400 + 64
    assert_includes 500..1000, cheap.requests
  end

  # A scenario's steps have no times before the load.
  test "what a rare page takes may turn out when it is too late to wait for it" do
    rule = pages([96, 4], 5)
    timed = [[0.96, 0.32], [0.04, 0.68]].map do |share, of_time|
      WarmUp::Pages::Page.new(share: share.rationalize(0.001r), of_time:)
    end

    assert_equal :warm, rule.outcome
    assert_in_delta 0.04, rule.unwarmed(rule.requests)[:uncompiled], 1e-9
    assert_in_delta 0.68, rule.unwarmed(rule.requests, pages: timed)[:uncompiled], 1e-9
    assert_operator rule.unwarmed(rule.requests, pages: timed)[:may_rise], :>, 1.1
  end

  test "what is known of one window of 16 requests decides nothing" do
    slow_at_first = ->(served) { served < 16 ? 40 : 260 }
    rules = [slow_at_first, ->(_) { 260 }].map do |cost|
      WarmUp.for("ruby", jit: "yjit").tap { |rule| warm(rule, noise: 0.01, &cost) }
    end

    assert_equal %i[short short], rules.map(&:outcome)
    assert_equal [40] * 2, rules.map { |rule| (rule.seconds / 0.26).round(-1) }
  end

  test "the process with the fewest requests has to have called a page as often" do
    rule = WarmUp.for("ruby", jit: "yjit", workers: 2) { |_| 0.5 }
    starved = WarmUp.for("ruby", jit: "yjit", workers: 2) { |_| 0.0 }
    [rule, starved].each { |one| warm(one, noise: 0.01) { 5 } }

    assert_includes 480 + 128..720, rule.requests
    assert_includes 960 + 128..1400, starved.requests, "as if it had a quarter"
  end

  # By which share the rate may still rise, in per cent: of a cold page by 170.
  def may_rise(rule, served = rule.requests) = (100 * rule.unwarmed(served)[:may_rise]).round

  test "what a JIT may still bring is told: all of it, the last of it, or nothing" do
    slow, page, fast = [160, 20, 1].map do |ms|
      WarmUp.for("ruby", jit: "yjit").tap { |rule| warm(rule, noise: 0.01) { ms } }
    end
    longer = WarmUp.for("ruby", jit: "yjit", cap_s: 15)
    warm(longer, noise: 0.01) { 20 }
    others = [{ jit: "off" }, { jit: "mjit" }].map do |options|
      WarmUp.for("ruby", **options).tap { |rule| warm(rule, noise: 0.01) { 20 } }
    end

    assert_equal [170, 6, 0, 2], [slow, page, fast, longer].map { |rule| may_rise(rule) }
    assert_equal [5, 4, 0], [285, 400, 680].map { |served| may_rise(page, served) }
    assert_operator longer.requests, :>=, 0.7 * 15 * 50, "most of the time that is given is used"
    assert_equal [0, 0], others.map { |rule| may_rise(rule) }
    uncompiled = [slow, page, others.last].map { |rule| rule.unwarmed(rule.requests)[:uncompiled] }
    assert_equal [1.0, 0.0, 0.0], uncompiled
    assert_equal 0.0, slow.unwarmed(slow.requests, compiles: false)[:uncompiled]
  end

  test "of several pages those count that are not compiled, by the time that they take" do
    rule = pages([50, *[2] * 25], 10)

    # Half of the time is of a page that is not compiled (170 %), half of those that are (7 %).
    assert_in_delta 0.5, rule.unwarmed(rule.requests)[:uncompiled], 0.01
    assert_equal 88, may_rise(rule)
  end

  # Half of its calls are of each.
  test "of several pages each has as many calls to come as one alone" do
    one, two = [[2], [2, 2]].map { |weights| pages(weights, 10) }
    shares = [[one, 197], [two, 2 * 197]].map { |rule, served| rule.unwarmed(served)[:may_rise] }

    assert_in_delta 0.06, shares.first, 0.002
    assert_in_delta shares.first, shares.last, 0.006
  end

  test "where time is given, pages that are too rare to be waited for are waited for" do
    rare = ->(**options) { pages([99, 1], 1, **options) }
    usual, given = rare.call, rare.call(cap_s: 100)

    assert_operator usual.unwarmed(usual.requests)[:uncompiled], :>, 0
    assert_equal 0.0, given.unwarmed(given.requests)[:uncompiled]
  end

  test "code that few of the requests run is compiled after as many calls, in each process" do
    one, two = [1, 2].map do |workers|
      WarmUp.for("ruby", jit: "yjit", workers:).tap { |rule| warm(rule, noise: 0.01) { 1 } }
    end
    found = [[one, 12_000], [two, 12_000], [one, 24_000]].map do |rule, served|
      rule.unwarmed(served)[:seldom].round(4)
    end

    assert_equal [0.01, 0.02, 0.005], found
    cold = WarmUp.for("ruby", jit: "yjit").tap { |rule| warm(rule, noise: 0.01) { 160 } }
    assert_equal [1.0, 1.0], cold.unwarmed(60).values_at(:uncompiled_requests, :seldom)
  end

  test "a JVM may still rise as its rule lets it, each doubling until ten minutes" do
    level, falling = [1, 0.98].map do |factor|
      WarmUp.for("jruby").tap do |rule|
        jruby(rule, compiled: 0, noise: 0.002) { |served| 0.5 * (factor**Math.log2(served + 1)) }
      end
    end

    assert_equal %i[warm warm], [level, falling].map(&:outcome)
    assert_includes 0..8, may_rise(level)
    assert_equal 0.0, level.unwarmed(1)[:uncompiled]
    doublings = Math.log2(600 / falling.seconds)
    true_rise = 100 * ((0.98**-doublings) - 1)
    assert_includes true_rise.floor..12, may_rise(falling)
  end

  test "a process that has had hardly any calls is cold, whatever the others had" do
    idle, few = [0.0, 0.16].map do |share|
      WarmUp.for("ruby", jit: "yjit", workers: 4) { |_| share }.tap do |rule|
        warm(rule, noise: 0.01) { 5 }
      end
    end

    assert_equal([[:short, 170]] * 2,
                 [idle, few].map { |rule| [rule.outcome, may_rise(rule)] })
  end

  test "what was served before a process was replaced no longer counts" do
    rule = WarmUp.for("ruby", jit: "yjit")
    noise = Noise.new(1)
    serve = lambda do
      count = rule.next
      ns = (count * 20_000_000 * (1 + (0.01 * noise.normal))).round
      rule << Served.new(count, ns, ns)
    end
    serve.call until rule.outcome
    once = rule.seconds
    rule.begin_again
    assert_nil rule.outcome, "a warm one is cold again"
    serve.call until rule.outcome

    assert_operator rule.requests, :>=, 120 + 64
    assert_in_delta 2 * once, rule.seconds, 0.3 * once
    assert_operator rule.left_s, :<=, 30 - rule.seconds
    assert_in_delta 6, may_rise(rule, 10_000), 1, "whatever the others have served"
    assert_equal [1, nil], [rule, pages([1], 20)].map { |one| one.to_h[:renewed] }
  end

  test "it was too short if a process is replaced when no time is left" do
    rule = WarmUp.for("ruby", jit: "yjit", cap_s: 5)
    rule << Served.new(rule.next, 20_000_000, 20_000_000) until rule.outcome || rule.seconds > 5
    rule.begin_again

    assert_equal [:short, 170], [rule.outcome, may_rise(rule, 10_000)]
    assert_equal 0.0, rule.left_s
  end

  test "a call threshold among the flags is waited for" do
    rule = WarmUp.for("ruby", jit: "yjit", flags: %w[--yjit --yjit-call-threshold=1000])
    warm(rule) { 2 }
    off = WarmUp.for("ruby", jit: "off", flags: %w[--yjit-call-threshold=1000])
    warm(off) { 43 }

    assert_operator rule.requests, :>=, 1064
    assert_includes 120..128, off.requests
  end

  test "a server whose processes can't be seen counts as one" do
    rule = WarmUp.for("ruby", jit: "yjit", workers: 0)
    warm(rule) { 100 }
    assert_operator rule.requests, :>=, 184
  end

  # What came before it, of steps with 64 requests each.
  def earlier(count, &)
    Array.new(count) do |step|
      wall = 64.times.sum { |i| yield((step * 64) + i) } * 1e6
      Served.new(64, wall.round, wall.round)
    end
  end

  test "load before it counts, and what still rose then has not become level" do
    falls = ->(served) { 9 * ((served + 16)**-0.32) }
    flat, rising = [->(_) { 2 }, falls].map do |cost|
      WarmUp.for("ruby", jit: "yjit").follow(earlier(64, &cost), [])
    end
    assert_equal [true, false], [flat, rising].map(&:warm_before?)

    warm(rising, &falls)
    assert_equal [:capped, true], [rising.outcome, rising.to_h.dig(:curve, :rising)]
    refute_predicate WarmUp.for("ruby", jit: "yjit").follow(earlier(1) { 2 }, []), :warm_before?
  end

  test "a JIT that still makes requests cheaper is waited for" do
    rule = WarmUp.for("ruby")
    warm(rule) { |served| 1.0 + (3.0 * Math.exp(-served / 2000.0)) }
    assert_equal :warm, rule.outcome
    assert_operator rule.requests, :>=, 4000
    assert_in_epsilon 1000, rule.rate, 0.05
  end

  test "a JIT that makes requests cheaper by a fifth with each doubling is not warm, in noise" do
    rules = (1..12).map do |seed|
      WarmUp.for("ruby", jit: "yjit").tap do |rule|
        warm(rule, noise: 0.05, seed:) { |served| 9 * ((served + 16)**-0.32) }
      end
    end
    rising = rules.count { |rule| rule.outcome == :capped && rule.to_h.dig(:curve, :rising) }
    assert_operator rising, :>=, 11
  end

  test "the trend is no reason to warm a fast server of constant cost for longer, nor a slow one" do
    seconds = [0.115, 15].map do |ms|
      Mohs::Stats::Center.median((1..41).map do |seed|
        WarmUp.for("ruby", jit: "yjit").tap { |rule| warm(rule, noise: 0.05, seed:) { ms } }.seconds
      end)
    end
    assert_operator seconds.first, :<=, 0.38, "0.35 without it"
    assert_operator seconds.last, :<=, 2.9, "2.6 without it"
  end

  test "a server that is cut off too early to tell is not said to be level" do
    rule = WarmUp.for("ruby", jit: "yjit", cap_s: 1)
    warm(rule) { |served| 60 * ((served + 1)**-0.3) }
    assert_equal [:short, nil], [rule.outcome, rule.to_h.dig(:curve, :rising)]
  end

  # JRuby's curve: its cost falls from 5 ms by stages, and its compilers work until the last.
  STAGES = [[3000, 5.0], [20_000, 0.65], [45_000, 0.5]].freeze

  def jruby(rule, compiled: 45_000, stages: STAGES, end_ms: 0.22, noise: 0.05, seed: 4, &cost)
    cost ||= ->(served) { stages.find { |until_count, _| served < until_count }&.last || end_ms }
    used_ns = 0
    rule.compilers(used_ns)
    warm(rule, noise:, seed:, before: lambda do |wall_ns|
      used_ns += (wall_ns * (rule.requests < compiled ? 0.25 : 0.005)).round
      rule.compilers(used_ns)
    end, &cost)
  end

  test "a JVM is warm once its rate is level over a doubling of the load, its compilers idle" do
    (1..5).each do |seed|
      rule = WarmUp.for("jruby")
      counts = jruby(rule, noise: 0.01, seed:)
      assert_equal :warm, rule.outcome
      assert_in_epsilon 1000 / 0.22, rule.rate, 0.1
      assert_operator rule.seconds, :<=, 120, "the last stage begins after 36 s"
      assert_operator counts.last * 8 * 0.22, :<=, 4400, "no window beyond four seconds"
    end
  end

  test "a level stretch while its compilers work is not the end" do
    early = { stages: [[3000, 5.0]], end_ms: 0.5, noise: 0.01 }
    done, busy = [30_000, 200_000].map do |compiled|
      WarmUp.for("truffleruby").tap { |rule| jruby(rule, compiled:, **early) }
    end
    assert_equal %i[warm warm], [done, busy].map(&:outcome)
    assert_operator busy.requests, :>, 200_000
    assert_operator done.requests, :<, 120_000
  end

  test "a JVM serves many requests, or for two minutes" do
    fast, slow = [0.2, 15].map do |cost|
      WarmUp.for("jruby").tap { |rule| jruby(rule, compiled: 0, noise: 0.002) { cost } }
    end
    assert_operator fast.requests, :>=, 30_000
    assert_operator slow.seconds, :>=, 120
    assert_equal %i[warm warm], [fast.outcome, slow.outcome]
  end

  test "a JVM whose compilers can't be seen is never warm" do
    rule = WarmUp.for("jruby", cap_s: 120)
    warm(rule) { 0.2 }
    assert_equal :capped, rule.outcome
    assert rule.to_h.dig(:curve, :rising)
  end

  test "a JVM that gets faster by 6 % with each doubling, in noise of 8 %, is not warm early" do
    late = (1..times(3, 8)).count do |seed|
      rule = WarmUp.for("jruby")
      jruby(rule, compiled: 0, noise: 0.08, seed:) { |served| 0.4 * ((served + 99)**-0.085) }
      rule.seconds > 150
    end
    assert_operator late, :>=, times(2, 7), "with two doublings left 12 % are to be had"
  end

  test "a JVM that is capped before it is warm still rises, and its curve is kept" do
    rule = WarmUp.for("jruby", cap_s: 20)
    jruby(rule)
    curve = rule.to_h.fetch(:curve)

    assert_equal :short, rule.outcome
    assert curve[:rising]
    assert_in_epsilon 200, curve[:first_per_s], 0.2
    assert_in_epsilon 1538, curve[:last_per_s], 0.2
    assert_in_delta 0.25, curve[:compilers], 0.01
  end

  test "one that gets faster without end never is warm" do
    rule = WarmUp.for("jruby")
    jruby(rule, compiled: 0) { |served| 8 * ((served + 1)**-0.2) }
    assert_equal :capped, rule.outcome
    assert_includes 1200..1205, rule.seconds
    assert rule.to_h.dig(:curve, :rising)
  end

  test "of a server without compilers in the background only a sure rise counts" do
    noisy = (1..12).map do |seed|
      WarmUp.for("ruby", cap_s: 6).tap { |rule| warm(rule, noise: 0.5, seed:) { 1.0 } }
    end
    falls = WarmUp.for("ruby", cap_s: 6)
    warm(falls, noise: 0.01) { |served| 8 * ((served + 1)**-0.2) }

    capped = noisy.select { |rule| rule.outcome == :capped }
    assert_operator capped.size, :>=, 2
    assert_equal [false], capped.map { |rule| rule.to_h.dig(:curve, :rising) }.uniq
    assert_equal [:capped, true], [falls.outcome, falls.to_h.dig(:curve, :rising)]
  end

  test "a server that never settles is capped, soon after the cap" do
    rule = WarmUp.for("ruby")
    warm(rule) { |served| 1.0 + (served / 2000.0) }
    assert_equal :capped, rule.outcome
    assert_includes 30..33, rule.seconds
    assert_equal "capped", rule.to_h[:outcome]
  end

  test "another cap can be given" do
    rule = WarmUp.for("truffleruby", cap_s: 3)
    warm(rule) { 1.0 }
    assert_equal :short, rule.outcome
    assert_includes 3..3.5, rule.seconds
  end

  test "compilers have no longer to rest than the cap that was given" do
    assert_equal [30, 3, 0], [WarmUp.for("ruby", jit: "mjit"), WarmUp.for("jruby", cap_s: 3),
                              WarmUp.for("ruby", cap_s: 3)].map(&:settle_s)
  end

  test "what a budget leaves caps it, unless it has a cap or compiles in the background" do
    cut, given, jvm = [["ruby", {}], ["ruby", { cap_s: 5 }], ["jruby", {}]].map do |name, options|
      rule = WarmUp.for(name, left_s: 2, **options)
      warm(rule, noise: name == "ruby" ? 0.5 : 0.002) { 1.0 }
      rule.seconds.round
    end

    assert_equal [2, 5], [cut, given]
    assert_operator jvm, :>, 10
  end

  test "noise is allowed for, up to a tenth" do
    rule = WarmUp.for("ruby")
    warm(rule, noise: 0.05) { 0.5 }
    assert_equal :warm, rule.outcome
    assert_operator rule.seconds, :<=, 15
    noisy = WarmUp.for("ruby", cap_s: 20)
    warm(noisy, noise: 0.5) { |served| 1.0 + (5 * Math.exp(-served / 5000.0)) }
    assert_operator noisy.requests, :>=, 1000
  end

  # Serves requests of 25 ms each; what a neighbour makes of the pieces of work, and what those say.
  def warm_beside(neighbour, core_speed_known:)
    rule = WarmUp.for("ruby")
    until (count = rule.next).is_a?(Symbol)
      slowed = neighbour.call(rule.requests)
      wall_ns = (count * 25e6 * (slowed**0.44)).round
      thread_stats = { pace_ns: 1200 * slowed, memory_ns: 3000.0 } if core_speed_known && count > 2
      rule << Served.new(count, wall_ns, wall_ns, thread_stats)
    end
    rule
  end

  test "a window that a neighbour slowed is none of a server that still changes" do
    neighbour = ->(served) { served.between?(152, 184) ? 1.9 : 1.0 }
    alone = warm_beside(->(_) { 1.0 }, core_speed_known: true)
    unknown, known = [false, true].map { |core_speed_known|
 warm_beside(neighbour, core_speed_known:) }

    assert_equal %i[warm warm warm], [alone, unknown, known].map(&:outcome)
    assert_equal alone.requests, known.requests
    assert_operator unknown.requests, :>, known.requests
  end

  test "no right answer ends it" do
    rule = WarmUp.for("ruby")
    rule << Served.new(0, 1_000_000, 1_000)
    assert_equal :capped, rule.next
    assert_equal 0, rule.requests
  end

  # As that of processes which none of the work is in.
  test "wall time stands for a CPU clock that stands still, too" do
    rule = WarmUp.for("ruby")
    rule << Served.new(count = rule.next, count * 500_000, 0) until rule.next.is_a?(Symbol)
    assert_equal :warm, rule.outcome
  end

  test "without a CPU clock wall time stands for it" do
    rule = WarmUp.for("ruby")
    rule << Served.new(rule.next, rule.next * 200_000, nil) until rule.next.is_a?(Symbol)
    assert_equal :warm, rule.outcome
  end

  test "what is kept of it survives JSON" do
    rule = WarmUp.for("ruby")
    warm(rule) { 0.2 }
    kept = rule.to_h
    assert_equal %i[outcome requests seconds windows], kept.keys
    assert_equal "warm", kept[:outcome]
    assert_equal rule.requests, kept[:requests]
  end
end
