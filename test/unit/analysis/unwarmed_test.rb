# frozen_string_literal: true

require "test_helper"

class UnwarmedTest < Mohs::TestCase
  Unwarmed = Mohs::Analysis::Unwarmed

  # From the warm-ups of its trials.
  def of(name, *warm_ups, jit: "yjit", engine: "ruby", kind: nil, p99_ns: nil, **attested)
    Unwarmed.of(warm_ups.map do |warm_up|
      Mohs::Store::Trial.new(variant: name, state: "measured", warm_up:,
                             latency: { kind:, p50_ns: 1_000, p99_ns: },
                             attested: { engine:, jit:, **attested })
    end)
  end

  def rising(name, *rises, **options)
    of(name, *rises.map { |may_rise| { outcome: "warm", may_rise: } }, **options)
  end

  test "the other looks better by what it may still gain" do
    a, b = rising("a", 0.0, 0.0, jit: "off"), rising("b", 0.06, 0.06)

    assert_in_delta Math.log(1.06), a.bias(:throughput_per_s, b), 1e-9
    assert_equal [0.0, 0.0], [b.bias(:throughput_per_s, a), a.bias(:memory_bytes, b)]
  end

  test "two of a kind gain alike, but what a JIT has yet to compile is known of neither" do
    a, b = rising("a", 0.05), rising("b", 0.06)
    other = rising("c", 0.05, jit: "rjit")
    uncompiled = [{ outcome: "short", may_rise: 1.0 },
                  { outcome: "warm", may_rise: 1.0, uncompiled: 0.6 }]

    assert_in_delta Math.log(1.06 / 1.05), a.bias(:latency_p99_ms, b), 1e-9
    assert_in_delta Math.log(1.06), other.bias(:latency_p99_ms, b), 1e-9
    uncompiled.map { |warm_up| of("d", warm_up) }.each do |one|
      assert_in_delta Math.log(2), one.bias(:latency_p99_ms, one), 1e-9
    end
  end

  # A page with 0.1 % of the time made 7 % of that of all others count.
  test "what a rare page may gain is all that is known of neither" do
    rare, other = [0.0617, 0.0617].map do |may_rise|
      of("a", { outcome: "warm", may_rise:, uncompiled: 0.001 })
    end

    assert_in_delta Math.log(1.0017), rare.bias(:throughput_per_s, other), 1e-9
    assert_in_delta Math.log(1.0617),
                    rising("b", 0.0, jit: "off").bias(:throughput_per_s, rare), 1e-9
  end

  # Two of a hundred requests are to another page, or run a branch of their own: they are the p99,
  # whatever their share of the time is. The truth was 2.8 times, 8 % were allowed for.
  test "a p99 may fall as the requests do that decide it" do
    plain = rising("plain", 0.0, jit: "off")
    page = { outcome: "warm", may_rise: 0.08, uncompiled: 0.047, uncompiled_requests: 0.02 }
    branch = { outcome: "warm", may_rise: 0.01, seldom: 0.02 }
    found = [page, branch].map do |warm_up|
      one = of("yjit", warm_up, p99_ns: 7_000)
      [plain.bias(:latency_p99_ms, one), plain.bias(:latency_p50_ms, one)]
    end

    found.each { |p99, _| assert_in_delta Math.log(2.7), p99, 1e-9 }
    assert_equal([0.08, 0.01], found.map { |_, p50| (Math.exp(p50) - 1).round(4) })
    assert_equal "may_rise_p99",
                 of("b", branch, p99_ns: 7_000).widening(:latency_p99_ms, plain, 0.01).code
    near = of("yjit", branch, p99_ns: 1_200)
    assert_in_delta Math.log(1.2 * 1.01), plain.bias(:latency_p99_ms, near), 1e-9,
                    "it won't fall below the median"
    assert_operator plain.bias(:latency_p99_ms, of("yjit", { **branch, seldom: 0.009 },
                                                   p99_ns: 7_000)), :<, 0.02
  end

  test "what a JIT compiles of either alike is no difference of theirs, but for pages" do
    branch = { outcome: "warm", may_rise: 0.01, seldom: 0.02 }
    page = { outcome: "warm", may_rise: 0.01, uncompiled_requests: 0.02, seldom: 0.02 }
    older = of("older", branch, p99_ns: 7_000, interpreter: "3.3")

    assert_operator older.bias(:latency_p99_ms, of("newer", branch, p99_ns: 7_000)), :<, 0.02
    assert_in_delta 1, older.bias(:latency_p99_ms, of("newer", page, p99_ns: 7_000)), 0.01
    most = { outcome: "warm", may_rise: 0.1, uncompiled_requests: 0.6 }
    assert_in_delta 1, older.bias(:latency_p50_ms, of("fast pages", most)), 0.01
  end

  test "what it may gain is told with the interval of what that improves, from a margin on" do
    a, b = rising("a", 0.0, jit: "off"), rising("b", 0.06)

    assert_in_delta 0.06, b.widening(:throughput_per_s, a, 0.01).values[:share], 1e-9
    alike = rising("c", 0.04)
    assert_in_delta 1.06 / 1.04, 1 + b.widening(:throughput_per_s, alike, 0.01).values[:share], 1e-9
    assert_nil a.widening(:throughput_per_s, b, 0.01)
    assert_nil b.widening(:throughput_per_s, a, 0.1)
    assert_nil b.widening(:memory_bytes, a, 0.01)
  end

  # A queue makes any multiple of it.
  test "at a given rate latencies mean nothing beside a server that may get faster" do
    a, b = rising("a", 0.0, jit: "off", kind: "response"), rising("b", 0.06, kind: "response")

    assert_equal ["may_rise_paced", "b"],
                 b.ruling_out(:latency_p50_ms, a).to_h.values_at(:code, :subject)
    assert_nil b.ruling_out(:throughput_per_s, a)
    assert_nil a.ruling_out(:latency_p50_ms, b)
    assert_nil rising("b", 0.06).ruling_out(:latency_p50_ms, rising("a", 0.0))
    hardly, just = [0.0009, 0.0011].map { |rise| rising("b", rise, kind: "response") }
    assert_equal [nil, "may_rise_paced"],
                 [hardly, just].map { |one| one.ruling_out(:latency_p99_ms, a)&.code }
  end

  # At 87 % of what they can serve, 8 % that both lack made a p99 that is 24 % higher twice as high.
  test "at a given rate what two gain alike matters, too, from a margin on" do
    found = [0.009, 0.011].map do |rise|
      one, other = Array.new(2) { rising("a", rise, kind: "response") }
      one.ruling_out(:latency_p99_ms, other)&.code
    end

    assert_equal [nil, "may_rise_paced"], found
  end

  # Their bounds differ by the noise of a warm-up.
  test "what a JVM may gain is a bound: two of a kind have no bias" do
    jvm = { engine: "jruby", jit: "jit", kind: "response" }
    one, other = [0.05, 0.08].map { |rise| rising("a", rise, **jvm) }
    ruby = rising("b", 0.0, jit: "off", kind: "response")

    assert_equal [0.0, 0.0],
                 [[one, other], [other, one]].map { |a, b| a.bias(:throughput_per_s, b) }
    assert_in_delta Math.log(1.08), ruby.bias(:throughput_per_s, other), 1e-9
    assert_equal ["may_rise_paced"] * 2,
                 [ruby, one].map { |beside| other.ruling_out(:latency_p99_ms, beside)&.code }
    java17, java25 = %w[17 25].map do |java|
      rising("a", 0.05, **jvm, interpreter: "jruby 10.0.2.0 on OpenJDK #{java}")
    end
    assert_in_delta Math.log(1.05), java17.bias(:throughput_per_s, java25), 1e-9
  end

  test "other flags, also in a variable, another version, and another invokedynamic differ" do
    own = { flags: [], interpreter: "ruby 3.4.5 +YJIT", variables: { RUBYOPT: "-r/one/attest" } }
    others = [{ variables: { RUBYOPT: "-r/other/attest" } },
              { flags: ["--yjit-call-threshold=60"] }, { interpreter: "ruby 3.3.8 +YJIT" },
              { variables: { RUBYOPT: "-r/other/attest --yjit-call-threshold=60" } },
              { invokedynamic: false }]
    found = [{}, *others].map do |changes|
      rising("a", 0.05, **own).bias(:throughput_per_s, rising("b", 0.05, **own, **changes))
    end

    assert_equal [true, true, false, false, false, false], found.map(&:zero?)
  end

  test "trials of an earlier mohs say it only if their warm-up was too short" do
    short, warm = [{ outcome: "short" }, { outcome: "warm" }]

    assert_equal [Math.log(2.7), 0.0], [short, warm].map { |one| of("a", one).rise }
    assert_equal Math.log(2.7), of("a", warm, warm, short).rise
    others = [{ jit: "off" }, { jit: "mjit" }, { engine: nil, jit: nil }, { engine: "jruby" }]
    assert_equal [0.0] * 4, others.map { |options| of("a", short, **options).rise }
  end
end
