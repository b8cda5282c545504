# frozen_string_literal: true

require "test_helper"

# The figures of the studies, by the arithmetic that their sources did.
class ReproStudiesTest < Mohs::TestCase
  def study(name) = Mohs::Repro::Library.new.find(name, dir: Mohs.root)

  def figures(name) = study(name).figures.to_h { |figure| [figure.id, figure.value] }

  def ratio(name, id)
    study(name).claims.find { |claim| claim.id == id }.statement.published
  end

  def assert_ratios(name, expected)
    expected.each { |id, value| assert_in_delta value, ratio(name, id), 0.0006, id }
  end

  test "every study says what its source ran, and what is run here" do
    Mohs::Repro::Library.new.all.each do |one|
      assert_empty %w[application load software repeats] - one.environment.keys, one.name
      assert_equal %w[app application load], one.here.keys.sort, one.name
    end
  end

  # "Not for the published newest" said nothing.
  test "studies name versions, of which another can stand in, or builds" do
    names = Mohs::Repro::Library.new.all.flat_map { |one| one.levels.values.filter_map(&:ruby) }

    assert_empty names.uniq.grep_v(/\A(ruby-)?\d|\A(jruby|truffleruby|trunk-|rtl\z)/)
  end

  test "the sources that name no version are read by one policy" do
    unnamed = Mohs::Repro::Library.new.all.to_h { |one| [one.name, one.unnamed] }
                                      .reject { |_, names| names.empty? }

    assert_equal({ "jruby-servers-2012" => %w[jruby-9.4 2.7], "keep-alive" => %w[2.6 jruby-9.4],
                   "litejob-2023" => %w[3.3], "tiny-objects" => %w[2.6] }, unnamed)
  end

  # Their post is the same.
  test "a gain that two studies test has the same range in both" do
    ranges = { "micro-vs-macro" => %w[puma-16 webrick-74],
               "rsb-2019" => %w[rack-puma-gain rack-webrick-gain] }.map do |name, ids|
      claims = study(name).claims.to_h { |claim| [claim.id, claim.statement] }
      claims.values_at(*ids).map { |one| [one.published, one.low, one.high] }
    end

    assert_equal(*ranges)
  end

  # JVMs compile on cores that the load leaves free.
  test "what kazakov-2023 says of JVMs, but for boots and first batches, names its cores" do
    silent = study("kazakov-2023").claims.reject do |claim|
      statement = claim.statement
      claim.source_cores || %w[boot first].include?(statement.metric) ||
        [*statement.of, *statement.to].grep(/jruby|--jvm/).empty?
    end

    assert_empty silent.map(&:id)
  end

  test "a prerelease is no release" do
    names = study("threads-processes-fibers").levels.values.map { |one| one.ruby.to_s }

    assert_equal 3, names.count("trunk-2019-09-06")
    refute_includes names, "2.7"
  end

  test "the ratios of keep-alive and app-servers-2019 are those of their sources" do
    assert_ratios("keep-alive", {
      "kept-30" => 1.333,
      "closed-by-client" => 0.6958,
    })
    gain = study("app-servers-2019").claims.find { |claim| claim.text.include?("25 to 40 %") }

    assert_equal [nil, 1.25, 1.4], gain.statement.to_h.values_at(:published, :low, :high)
  end

  # The four rates of CRuby without YJIT.
  test "the CRubies of kazakov-2023 are 8.5 % apart, as its notes say" do
    rates = figures("kazakov-2023").values_at(*(1..4).map { |table| "t#{table}-last-mean" })

    assert_in_delta 0.085, (rates.max / rates.min) - 1, 0.0005
  end

  # Printed with two decimals. One average of the source is not that of its measurements.
  test "the averages of kazakov-2023 are those of its three measurements" do
    found = figures("kazakov-2023")
    wrong = (1..9).to_a.product(%w[load average last]).reject do |table, row|
      values = %w[1 2 3].map { |column| found.fetch("t#{table}-#{row}-#{column}") }
      (found.fetch("t#{table}-#{row}-mean") - (values.sum / 3)).abs < 0.00501
    end

    assert_equal [[9, "average"]], wrong
  end

  test "the ratios of kazakov-2023 are those that its text has" do
    assert_ratios("kazakov-2023", {
      "rate-jruby" => 1.94,
      "rate-yjit" => 1.306,
      "rate-yjit-own" => 1.245,
      "rate-3.2" => 1.049,
      "rate-mjit" => 1.0047,
    })
  end

  # Rounded by the source: overheads to hundreds of microseconds.
  test "the overheads of rails-overhead are those of its rates" do
    old, rate, rack, time, old_us, new_us, gain =
      figures("rails-overhead").values_at(*%w[old-rate new-rate rack-rate rack old new rack-gain])

    assert_in_delta time, 1e6 / rack, 0.5
    assert_in_delta new_us, (1e6 / rate) - time, 50
    assert_in_delta old_us, (1e6 / old) - (time * (1 + (gain / 100))), 50
  end

  test "rsb-2019 and rails-overhead give the figures that they share alike" do
    one, other = %w[rsb-2019 rails-overhead].map do |name|
      study(name).figures.to_h { |one| [[one.level, one.metric, one.unit], one.value] }
    end

    assert_operator (one.keys & other.keys).size, :>, 4
    (one.keys & other.keys).each { |key| assert_equal other[key], one[key], key }
  end

  test "the ratios of litejob-2023 are those of its tables" do
    assert_ratios("litejob-2023", {
      "own-fibers" => 2.033,
      "own-yjit-fibers" => 2.009,
      "own-threads-yjit" => 1.134, "own-fibers-yjit" => 1.120, "own-both" => 2.277,
      "active-fibers" => 1.478,
      "active-yjit-fibers" => 1.514,
      "active-threads-yjit" => 1.268,
      "active-fibers-yjit" => 1.298,
    })
  end

  # 100 connections were kept busy: rate times mean latency, unless they waited for something.
  test "the rates and latencies of app-servers-primes are what its notes make of them" do
    found = figures("app-servers-primes")
    busy = %w[mri passenger jvm unicorn].to_h do |server|
      [server, found.fetch(server) * found.fetch("#{server}-mean") / 1000]
    end

    assert_in_delta 100, busy["passenger"], 0.2
    assert_in_delta 94, busy["mri"], 0.2
    assert_in_delta 15.5, busy["jvm"], 0.05
    assert_in_delta 16_461, found.fetch("unicorn") * 30, 0.5
  end

  # Speeds are multiplied; the loss is the share by which the old version is faster.
  test "the speeds of rrb-2019 are those of its gains, and its loss that of its rates" do
    found = figures("rrb-2019")
    old, new = found.values_at("old-rate", "new-rate")
    expected = (100 + found.fetch("all-gain")) * ((1 + (found.fetch("next-gain") / 100))**2)

    assert_in_delta found.fetch("next-speed"), expected, 0.5
    assert_in_delta found.fetch("drop"), 100 * ((old / new) - 1), 0.5
    assert_in_delta 1.72, ratio("rrb-2019", "chained-72"), 1e-9
  end

  test "the versions that jit-inside claims are its chunks of C code" do
    found = figures("jit-inside")
    claimed = study("jit-inside").claims.filter_map do |claim|
      one = claim.statement
      [one.of, one.low, one.high] if one.routine == "multiply"
    end

    assert_equal [["two Floats", found["one"]], ["three Floats", found["three"]],
                  ["four Floats", found["four"]]], claimed.map { |level, low, _| [level, low] }
    assert(claimed.all? { |_, low, high| low == high })
  end

  # Printed to two digits.
  test "the variances of gc-compact are the squares of its deviations" do
    found = figures("gc-compact")
    %w[before after compacted].each do |arm|
      assert_in_delta 1, (found.fetch("#{arm}-sd")**2) / found.fetch("#{arm}-variance"), 0.02, arm
    end
  end

  # { name of a method => [samples, per cent] } of one of the listings.
  def listing(threads)
    lines = study("rails-time").figures.select { |one| one.id.match?(/\A#{threads}-\d/) }
    lines.group_by(&:metric).transform_values { |pair| pair.map(&:value) }
  end

  # Of samples, by the names of these methods.
  def share(threads, methods)
    counts = listing(threads).select { |name, _| methods.match?(name) }.values.map(&:first)
    100 * counts.sum / figures("rails-time").fetch("#{threads}-samples")
  end

  test "the shares of rails-time are those of its samples" do
    found = figures("rails-time")
    { "one" => 22, "six" => 23 }.each do |threads, lines|
      ids = %w[samples gc-samples gc].map { |name| "#{threads}-#{name}" }
      all, collected, share = found.values_at(*ids)

      assert_equal lines, listing(threads).size
      assert_in_delta share, 100 * collected / all, 0.00501
      listing(threads).each do |name, (count, part)|
        assert_in_delta part, 100 * count / all, 0.0501, name
      end
    end
  end

  test "the listings of rails-time have the shares that its notes name" do
    record, json = /\A(?:ActiveRecord|Arel)::/, /JSON|to_json/

    assert_in_delta 17.5, share("one", record), 0.05
    assert_in_delta 13.7, share("six", record), 0.05
    assert_in_delta 4.0, share("one", json), 0.05
    assert_in_delta 2.6, share("six", json), 0.05
    assert_in_delta 39.5, share("one", //), 0.05
    assert_in_delta 32.6, share("six", //), 0.05
  end

  # Each thread has as many of the connections as all can have. The source has no ratio of rates.
  test "the range of load-testers is 5 % about what its threads and connections make" do
    threads, connections = figures("load-testers").values_at("threads", "connections")
    claim = study("load-testers").claims.find { |one| one.id == "wrk-unused" }
    used = 1 - ((connections % threads) / connections)

    assert_in_delta used / 1.05, claim.statement.low, 0.0006
    assert_in_delta used * 1.05, claim.statement.high, 0.0006
    assert claim.ours
    assert_nil claim.statement.published
  end

  test "the ratios of rails-threads-2024 are those of its benchmark" do
    assert_ratios("rails-threads-2024", {
      "half-two-gain" => 1.506, "half-three-gain" => 1.752, "half-five-gain" => 1.075,
      "half-saturated" => 1.25, "half-alone-42" => 1.419, "half-five-16" => 1.155,
      "half-alone-twice" => 2.072, "half-p99-three" => 2.292, "half-p99-five" => 1.187,
    })
  end

  # Rate times mean time, seen by the clients; with one thread that of the application is all of it.
  test "four clients loaded the benchmark of rails-threads-2024, and five threads hid some time" do
    found = figures("rails-threads-2024")
    busy = (1..5).map { |threads| found["#{threads}-rate"] * found["#{threads}-seen-mean"] / 1000 }
    hidden = found["5-seen-mean"] - found["5-own-mean"]

    busy.each { |clients| assert_in_delta 3.99, clients, 0.003 }
    assert_in_delta 1, found["1-rate"] * found["1-own-mean"] / 1000, 0.006
    assert_in_delta 60, hidden, 0.5
    assert_in_delta 0.03, 1 - (found["5-rate"] / found["4-rate"]), 0.003
    assert_in_delta 1 / 3.0, 1 - (found["hey-one-p99"] / found["hey-two-p99"]), 0.02
  end
end
