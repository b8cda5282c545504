# frozen_string_literal: true

require "test_helper"

# mohs repro as its user sees it, on servers that do as they are told.
class ReproTest < Mohs::TestCase
  CLAIMS = <<~YAML
    title: Servers that do as they are told
    source: {authors: [A. Author], year: 2023, title: A post}
    sizes: {quick: {rounds: 1}, full: {rounds: 9}}
    claims:
      - {id: alike, text: Both are alike, place: p. 1, equal: {of: one, to: other, margin: 50 %}}
      - {id: slow, text: Refusing is slow, place: p. 2, order: {less: refusing, than: one}}
      - {id: scales, text: It scales, place: p. 3, needs: {cores: 100000}, bound: {of: one, to: other, above: 2}}
      - {id: old, text: Old Rubies are slow, place: p. 4, order: {less: old, than: one}}
  YAML
  STUDY = <<~YAML
    variants:
      - "one::#{RUBY_VERSION}, mock"
      - "other::#{RUBY_VERSION}, mock"
      - "refusing::#{RUBY_VERSION}, mock, MOHS_MOCK_FAULT=refuse, MOHS_MOCK_AFTER=1"
      - "old::1.8.7, mock"
  YAML
  FILES = { "mine/config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n", "mine/study.yml" => STUDY,
            "mine/published.yml" => CLAIMS }.freeze

  test "a study of one's own is measured, judged, and shown again" do
    with_files(FILES) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      found = mohs.call("repro", "./mine", "--quick", "--json").json
      claims = found[:claims].to_h { |claim| [claim[:text], claim] }

      assert_equal %w[undecided not_testable not_testable not_testable],
                   claims.values.map { |claim| claim[:judgement] }
      assert_operator claims["Both are alike"][:value], :>, 0
      assert_match(/too few rounds .*1, and 3/,
                   claims["Both are alike"][:reason])
      assert_match(/"refusing" can't run here: /, claims["Refusing is slow"][:reason])
      assert_equal "1.8.7 is not installed", claims["Old Rubies are slow"][:reason]
      assert_equal({ published: 4, measured: 2, left_out: [] }, found[:levels])

      again = mohs.call("repro", "./mine", "--resume", "--json").json
      assert_equal found.slice(:run, :claims), again.slice(:run, :claims)
      assert_includes mohs.call("show", found[:run]).out, "refusing"
    end
  end

  slow_test "every bundled study has a size --quick, with a time if it can be measured" do
    with_files do |dir|
      quick = Mohs::MohsCommand.new(dir).call("repro", "--json").json[:studies].map { |one| one[:quick] }

      refute_empty quick
      assert(quick.all? { |one| one[:estimate_s]&.positive? || one[:testable].zero? })
    end
  end

  RATED = {
    "mine/config.ru" => FILES.fetch("mine/config.ru"),
    "mine/study.yml" => <<~YAML,
      variants:
        - "closed::#{RUBY_VERSION}, mock"
        - "rated::#{RUBY_VERSION}, mock, rate=200, close"
    YAML
    "mine/published.yml" => CLAIMS[/.*^claims:\n/m] + <<~YAML,
      - {id: rated, text: Slow under a rate, place: p. 1, order: {more: rated, than: closed, metric: p99}}
    YAML
  }.freeze

  slow_test "a variant with a rate of its own gets it, and its latencies are response times" do
    with_files(RATED) do |dir|
      found = Mohs::MohsCommand.new(dir).call("repro", "./mine", "--quick", "--json").json
      rows = found[:rows].to_h { |row| [row[:variant], row] }
      kinds = rows.transform_values { |row| row.dig(:latency_ms, :kind) }

      assert_equal({ closed: "service", rated: "response" }, kinds.transform_keys(&:to_sym))
      assert_in_delta 200, rows["rated"].dig(:throughput_per_s, :value), 40
      assert_operator rows["rated"][:requests], :>, 400
      assert_equal [false], rows.values.map { |row| row.dig(:latency_ms, :p99).nil? }.uniq
      claim = found[:claims].first
      assert_equal "undecided", claim[:judgement]
      assert_match(/too few rounds .*1,|driver had no core/, claim[:reason],
                   "the latter on a busy machine")
    end
  end

  COLD_CLAIMS = <<~YAML
    title: Servers from their first request on
    source: {authors: [A. Author], year: 2023, title: A post}
    claims:
      - {id: warm, text: Both are warm at once, place: p. 1, warm: {levels: [one, other], within: 5}}
      - {id: out, text: One is out, place: p. 2, excluded: {level: one}}
  YAML
  COLD = "connections: 3\nrounds: 1\ncold_start: 20x30\n" \
         "#{STUDY.lines.grep_v(/refusing|old/).join}".freeze

  test "a cold start is recorded batch by batch, and shown again" do
    files = FILES.merge("mine/study.yml" => COLD, "mine/published.yml" => COLD_CLAIMS)
    with_files(files) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      found = mohs.call("repro", "./mine", "--json").json
      trials = found[:cold_start].flat_map { |level| level[:trials] }
      batches = trials.flat_map { |trial| trial[:batches] }

      assert_equal %w[one other], found[:cold_start].map { |level| level[:name] }
      assert_equal [20, 20], trials.map { |trial| trial[:batches].size }
      assert_equal [30], batches.map { |one| one[:good] }.uniq
      assert(batches.all? { |one| one[:p50_ms].between?(0.001, one[:p99_ms]) })
      assert(batches.all? { |one| one[:p99_ms] <= one[:seconds] * 1000 })
      assert_equal ["repro_single"], found[:claims].last[:findings].map { |one| one[:code] }
      assert_equal %w[repro_few repro_settling repro_warm],
                   found[:claims].first[:findings].map { |one| one[:code] }
      again = mohs.call("repro", "./mine", "--resume", "--json").json
      assert_equal found[:cold_start], again[:cold_start]
      assert_match(/^20 batches +requests/, mohs.call("repro", "./mine", "--resume").out)
    end
  end

  JIT = <<~YAML
    connections: 3
    rounds: 1
    cold_start: 12x30
    variants: ["one::#{RUBY_VERSION} --yjit, mock", "other::#{RUBY_VERSION}, mock"]
  YAML

  test "what a JIT has compiled by when stands beside the batches, where there is one" do
    skip "this Ruby has no YJIT" unless Mohs::Rubies.find(RUBY_VERSION).flags.include?("--yjit")

    files = FILES.merge("mine/study.yml" => JIT, "mine/published.yml" => COLD_CLAIMS)
    with_files(files) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      jit, none = mohs.call("repro", "./mine", "--json").json[:cold_start]
      bytes = jit[:timeline].map { |row| row[:code_bytes] }

      assert_equal [0, 360, 13], [*jit[:timeline].values_at(0, -1).map { |row| row[:requests] },
                                  bytes.size]
      assert_operator bytes.first, :>, 0
      assert_equal bytes.sort, bytes
      assert_equal bytes.last, jit.dig(:trials, 0, :batches, -1, :jit, :code_bytes)
      assert_nil jit[:code]
      assert_equal [nil, nil], none.values_at(:timeline, :code)
      assert_match(/^compiled in one\nrequests/, mohs.call("repro", "./mine", "--resume").out)
    end
  end
end
