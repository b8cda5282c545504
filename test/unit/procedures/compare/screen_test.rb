# frozen_string_literal: true

require "test_helper"

# Every ending of a comparison, as it is shown.
class CompareScreenTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-compare"

  NOISY = [0.02, -0.03, 0.01, 0.0].freeze

  FAILED = lambda do |state, reason, position = nil|
    lambda do |trial, name, cohort|
      next unless position.nil? || cohort == position

      gone = { slices: [], facts: {} }
      trial.merge!(state: "lost", reason: "not measured", log_tail: "", **gone) if name == "a"
      trial.merge!(state:, reason:, log_tail: "boom\n", **gone) if name == "b"
    end
  end
  OTHER = "GET / returned 302 where a returned 200"
  GROWS = ->(slice, _, index, _) { slice[:cpu_ns] = (slice[:cpu_ns] * (1.008**index)).round }
  SLOW = ->(slice, *) { slice[:p50_ns] *= 10 }

  FEW = lambda do |trial, *|
    trial[:facts] = { **trial[:facts], latency: { **trial[:facts][:latency], count: 120 } }
  end

  # A neighbour slows each slice's core by up to two fifths, and what runs on it alike.
  RESTLESS = lambda do |slice, name, index, cohort|
    slow = 1 + (0.4 * Random.new((((100 * cohort) + index) * 2) + name.ord).rand)
    slice[:facts] = { pulse: { pace_ns: 300 * slow } }
    %i[wall_ns cpu_ns p50_ns].each { |time| slice[time] = (slice[time] * (slow**1.5)).round }
  end

  # A runs the JIT that the application turns on.
  JIT = { variants: [{ ruby: "3.4.5", own_jit: true }, { ruby: "3.4.5" }],
          trial: lambda do |trial, name, _|
            attested = { **trial[:facts][:attested], jit: name == "a" ? "yjit" : "off" }
            trial[:facts] = { **trial[:facts], attested: }
          end }.freeze

  STEP = { difference: -0.3, noise: { squares: 0.002, freedom: 20 }, alpha: 0.025 }.freeze
  WHOSE = ->(kind, number) { { kind:, number:, good: "a", bad: "4d1c173" } }
  SEARCH = { step: STEP, bisection: WHOSE.call("search", 2) }.freeze

  {
    "step-good" => [[0.02], { comparison: SEARCH }],
    "step-bad" => [[-0.31], { comparison: SEARCH }],
    "step-undecided" => [[-0.15, -0.14], { comparison: SEARCH, budget_s: 12 }],
    "step-ends" => [[-0.301, -0.3, -0.299], { comparison: { bisection: WHOSE.call("ends", 1) } }],
    "faster" => [[0.301, 0.3, 0.299]],
    "times" => [[1.6, 1.61, 1.59]],
    "slower-by-p50" => [[-0.1, -0.102, -0.098], { comparison: { metric: "p50" } }],
    "without-jit" => [[-0.401, -0.4, -0.399], JIT],
    "without-jit-by-cpu" => [[-1.601, -1.6, -1.599], { comparison: { metric: "cpu" }, **JIT }],
    "equivalent" => [[0.001, 0.002, -0.001]],
    "restless" => [[0.051, 0.052, 0.049], { slice: RESTLESS }],
    "undecided" => [NOISY, { budget_s: 22 }],
    "precise" => [NOISY, { comparison: { precision: 0.1 } }],
    "too-noisy" => [[0.9, -1.6, 0.4], { budget_s: 16 }],
    "no-interval" => [[0.02, 0.03], { budget_s: 12 }],
    "quick" => [[0.012, 0.03, 0.02], { comparison: { quick: true } }],
    "quick-undecided" => [[0.012, -0.03, 0.02], { comparison: { quick: true } }],
    "gates" => [[0.05, 0.051, 0.049],
                { comparison: { gates: ["p50 < +2%", "memory < -1%", "boot < +0%"] } }],
    "refused" => [[0.0], { trial: FAILED.call("refused", "no answer within 60 s") }],
    "answers" => [[0.0], { trial: FAILED.call("invalid", OTHER) }],
    "died" => [[0.0] * 3, { trial: FAILED.call("failed", "the server died (exit 3)") }],
    "cohort-three" => [[0.3, 0.301, 0.0, 0.299],
                       { trial: FAILED.call("failed", "the server died (exit 3)", 2) }],
    "faster-by-p99" => [[0.301, 0.3, 0.299], { comparison: { metric: "p99" } }],
    "too-few-for-p99" => [[0.3], { comparison: { metric: "p99" }, trial: FEW }],
    "grows" => [[0.3, 0.301, 0.299], { slice: GROWS }],
    "bunches" => [[0.3, 0.301, 0.299], { slice: SLOW }],
    "interrupted" => [NOISY, { state: "interrupted" }],
    "interrupted-early" => [[0.1], { state: "interrupted" }],
    "budget-too-short" => [[0.12], { budget_s: 5 }],
    "nothing-yet" => [[], { state: "interrupted" }],
    "running" => [NOISY, { state: "running" }],
  }.each do |name, (differences, options)|
    test "the screen of a comparison: #{name}" do
      text = screen(document = document(differences, **options.to_h))

      assert_golden("compare-#{name}", text)
      assert_operator text.lines.map { |line| line.chomp.length }.max, :<=, 100
      assert_equal text, screen(JSON.parse(JSON.generate(document), symbolize_names: true))
      assert_contract(document)
    end
  end

  test "what to try against a failure that the sentence gives is on a line of its own" do
    text = screen(document([0.0], trial: FAILED.call("refused", "no answer.\nTry it with -v.")))

    assert_includes text, %(No verdict: B, "b", can't be served: no answer.\n)
    assert_match(/^next +Try it with -v\.$/, text)
  end

  [40, 60, 80, 120].each do |width|
    test "at #{width} columns it fits, and no verdict is cut" do
      text = screen(document([0.301, 0.3, 0.299]), width:)

      assert_golden("compare-faster-#{width}", text)
      assert_operator text.lines.map { |line| line.chomp.length }.max, :<=, width
      assert_equal %w[better better better better equal equal],
                   text.split("\n\n")[1].scan(/ (better|worse|equal|undecided)$/).flatten
    end
  end

  test "columns that had no room are named, the least important left out first" do
    narrow = [66, 60, 44].map do |width|
      screen(document([0.301, 0.3, 0.299]), width:).gsub(/\n +/, " ")[/no room for .* in \d+/]
    end

    assert_said(*narrow)
  end

  test "within the margin it is equal, across one it is undecided" do
    rows = lambda do |text|
      text.lines.grep(/\A(CPU|memory|p99)/).to_h { |row| row.split.values_at(0, -1) }
    end

    assert_equal({ "CPU" => "undecided", "p99" => "undecided", "memory" => "equal" },
                 rows.call(screen(document(NOISY, budget_s: 22))))
    assert_equal({ "CPU" => "equal", "p99" => "equal", "memory" => "equal" },
                 rows.call(screen(document([0.0003, 0.0006, -0.0003]))))
  end

  test "a tail of too few requests says how many it takes, and has no figures" do
    text = screen(document([0.301, 0.3, 0.299], trial: FEW))

    assert_match(/^p99 +– +– +–$/, text)
    assert_said(paragraph(text, "missing"))
  end

  test "a tail that a longer cohort would have says which command asks for it" do
    some = lambda do |trial, *|
      trial[:facts] = { **trial[:facts], latency: { **trial[:facts][:latency], count: 380 } }
    end

    assert_said(paragraph(screen(document([0.301, 0.3, 0.299], trial: some)), "missing"))
  end

  # Comparisons of WebSockets: the time of each slice is that of its messages, or of its openings.
  class WebsocketResult < CompareResult
    def initialize(differences, streams: {}, facts: {}, **options)
      slice = ->(one, *) { Mohs::StreamedSlices.streamed(one, **facts) }
      super(differences, slice:, **options)
      @streams = streams
    end

    def study = Mohs::StreamedSlices.study(super, **@streams)
  end

  {
    "websockets" => [{ metric: "echo" }, {}, 480],
    "websockets-by-p99" => [{ metric: "p99" }, {}, 480],
    "websockets-few" => [{ metric: "echo" }, {}, 240],
    "websockets-idle" => [{ metric: "opening" }, { messages_per_s: 0 }, 180],
    "fan-out" => [{ metric: "fan-out" }, Mohs::StreamedSlices::SAID, 480,
                  Mohs::StreamedSlices::FANNED],
  }.each do |name, (comparison, streams, count, facts)|
    test "the screen of a comparison: #{name}" do
      trial = lambda do |one, *|
        latency = { **one[:facts][:latency], kind: "response", count: }
        one[:facts] = { **one[:facts], latency: }
      end
      result = WebsocketResult.new([0.101, 0.1, 0.099], streams:, comparison:, trial:,
                                                          facts: facts.to_h)
      document = Mohs::Stored.document(result.to_h)

      assert_golden("compare-#{name}", screen(document))
      assert_contract(document)
    end
  end

  test "memory per connection needs a difference in every cohort" do
    cohorts = 0
    shrink = lambda do |trial, *|
      cohorts += 1
      trial[:slices].each { |slice| slice[:streams][:rss_bytes] = 33_000_000 } if cohorts == 1
    end
    result = WebsocketResult.new([0.101, 0.1, 0.099], comparison: { metric: "echo" }, trial: shrink)
    document = Mohs::Stored.document(result.to_h)
    line = document[:metrics].find { |one| one[:name] == "per-connection" }

    assert_equal [nil, "memory_not_grown", { cohorts: 1, of: 3 }],
                 [line[:interval], *line[:missing_finding].values_at(:code, :values)]
    assert_said(paragraph(screen(document), "missing"))
  end

  test "metrics are named together by the code and values of what they lack, not its wording" do
    found = document([0.301, 0.3, 0.299])
    lacking = [["few", 1, "one"], ["few", 1, "two"], ["few", 2, "one"]]
    metrics = found[:metrics].zip(lacking).map do |metric, (code, had, missing)|
      code ? { **metric, missing:, missing_finding: { code:, values: { had: } } } : metric
    end
    titles = metrics.first(3).map { |metric| metric[:title] }
    lines = screen({ **found, metrics: }).lines.grep(/^untested|^ +#{titles[2]}: /)

    assert_equal ["untested  #{titles[0]}, #{titles[1]}: one\n", "untested  #{titles[2]}: one\n"],
                 lines
  end

  test "a tail without an interval says how many requests it takes, beside its figures" do
    few = lambda do |trial, _, position|
      count = position.zero? ? 120 : 5000
      trial[:facts] = { **trial[:facts], latency: { **trial[:facts][:latency], count: } }
    end
    text = screen(document([0.301, 0.3, 0.299], trial: few, comparison: { quick: true }))

    assert_match(/^p99 +8\.00 ms +5\.93 ms +– +not tested$/, text)
    assert_said(paragraph(text, "untested"))
  end

  test "what hinders equal is in the sentence, or below the table of a stopped comparison" do
    stop = lambda do |slice, name, index, _|
      slice[:good] = slice[:sent] = 500 if name == "b" && index == 8
    end
    ended, stopped = [3, 30].map do |planned|
      state = planned == 3 ? "finished" : "interrupted"
      screen(document([0.0, 0.0001, 0.0], slice: stop, planned:, state:))
    end

    assert_equal [1, 1], ([ended, stopped].map { |text| text.scan("qual but for").size })
    assert_match(/Equal but for\s+pauses: in total, B's requests\/s -2\.5 %/, ended)
    assert_said(paragraph(stopped, "note"))
  end

  test "colour repeats what the words say, and nothing else" do
    document = document([0.301, 0.3, 0.299])
    coloured = screen(document, colour: true)

    assert_includes coloured, "\e[32mbetter\e[0m"
    assert_equal screen(document), coloured.gsub(/\e\[\d+m/, "")
  end

  test "each mark has its colour, whichever rows have nothing to show" do
    heavy = lambda do |trial, name, cohort|
      FEW.call(trial)
      next if name == "a"

      memory = trial[:facts][:memory].transform_values { |at| at.transform_values { |of| of * 2 } }
      trial[:facts] = { **trial[:facts], memory: }
      trial[:boot_ns] = 300_000_000 * (1 + cohort)
    end
    document = document([0.301, 0.3, 0.299], slice: SLOW, trial: heavy)
    [40, 60, 66, 100].each do |width|
      rows = screen(document, colour: true, width:).split("\n\n")[1].lines(chomp: true)
      marks = rows.grep(/\A(CPU|p50|req|mem|boot)/)
                  .to_h { |row| row.split(/ {2,}/).values_at(0, -1) }

      assert_equal({ "requests/s" => "\e[32mbetter\e[0m", "CPU a request" => "\e[32mbetter\e[0m",
                     "p50" => "not tested", "memory" => "\e[31mworse\e[0m",
                     "boot" => "undecided" }, marks, width)
    end
  end

  test "the latencies of A and B stay where their columns have no room" do
    text = screen(document([0.301, 0.3, 0.299], slice: SLOW, trial: FEW), width: 60)

    assert_match(/^p50 +– +not tested$/, text)
    assert_match(/^p99 +–$/, text)
    assert_match(/^A, B      p50 4\.00 ms, 2\.96 ms · p99 –, –$/, text)
    refute_includes screen(document([0.301, 0.3, 0.299]), width: 80), "A, B      "
  end

  private

  def assert_contract(document)
    row, verdict = ["A row", "A verdict"].map { |one| Mohs::JSONContract.new(one, bare: true) }
    whole = Mohs::JSONContract.new("In every document", "`run`", "`compare`")
    rows = document[:rows].flat_map { |one| row.faults(one) + verdict.faults(one[:verdict]) }

    assert_empty whole.faults(document) + rows + verdict.faults(document[:verdict])
  end

  def document(differences, **options)
    Mohs::Stored.document(CompareResult.new(differences, **options).to_h)
  end
end
