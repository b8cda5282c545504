# frozen_string_literal: true

require "test_helper"
require_relative "../../../apps/testers/comparison"
require_relative "../../../apps/testers/report"

# The parts of apps/testers that start nothing; its server and the testers are in
# test/integration/apps/testers_test.rb.
class AppsTestersTest < Mohs::TestCase
  FOLDER = File.expand_path("../../fixtures/drivers", __dir__)
  PRINTED = %w[wrk ab h2load siege hey].freeze

  # A server that has seen what it is told, instead of the one in C.
  class FakeTruth
    def initialize(answered: 0, errors: 0, answers: [])
      @counts = Testers::Truth::Counts.new(answered, errors, 3, 2, 1_000_000_000, 3_000_000_000)
      @answers = answers
      @orders = []
    end

    attr_reader :counts, :answers, :orders

    def port = 4242

    def start(**order) = @orders << order
  end

  # A tester that has ended as it is told.
  class FakeTool < Testers::Tool
    NAME = "fake"
    REMEDY = "write it"

    def initialize(status: :ok, counts: true, output: "", memory: [nil, nil])
      super()
      @life = { status:, output: }
      @counts = counts
      @memory = memory
      @loads = []
    end

    attr_reader :loads

    def argv(load) = ["true", load.requests]

    def counts? = @counts

    def runner(_truth, **) = self

    def call(load)
      @loads << load
      Testers::Life.new(**@life, memory_kb: @memory[@loads.size - 1])
    end

    def close; end

    def read(_output) = Testers::Report.new(per_s: 7.0, errors: 1, p50: 2.0, step: 1e6)
  end

  def tool(name) = Testers.tool(name)

  def printed(file) = File.read(File.join(FOLDER, "#{file}.txt"), encoding: "UTF-8")

  def report(name, file = name) = tool(name).read(printed(file))

  def load(**changes)
    Testers::Load.new(port: 4242, requests: 640, connections: 32, threads: 2, limit_s: 20,
                      **changes)
  end

  def settings(**env) = Testers.settings(env.transform_keys(&:to_s))

  def bench(tool, answered:, **env)
    Testers::Bench.new(tool, settings(**env), truth: FakeTruth.new(answered:))
  end

  test "each is started for as many requests and connections as it is told" do
    { "wrk" => %w[wrk -t 2 -c 32 -d 20s --latency],
      "ab" => %w[ab -q -k -l -r -n 640 -c 32],
      "h2load" => %w[h2load --h1 -t 2 -c 32 -n 640],
      "hey" => %w[hey -n 640 -c 32 -cpus 2] }.each do |name, argv|
      assert_equal [*argv, "http://127.0.0.1:4242/"], tool(name).argv(load).map(&:to_s)
    end
    assert_equal %w[-c 32 -r 20], tool("siege").argv(load).map(&:to_s)[6..9]
    assert_equal %w[4242 640 32], tool("ruby").argv(load).last(3).map(&:to_s)
  end

  test "siege refuses requests that its connections can't share" do
    error = assert_raises(RuntimeError) { tool("siege").argv(load(requests: 641)) }

    assert_match(/641 can't be divided by 32/, error.message)
  end

  test "siege keeps connections by our settings, and not as it comes" do
    kept, closed = %w[siege siege-default].map { |name| File.read(tool(name).argv(load)[2]) }

    assert_includes kept, "connection = keep-alive"
    assert_equal kept.sub("keep-alive", "close"), closed
  end

  # { tester => [rate, p50, p90, p99, max in ms, errors, step in ns] }, read off the files.
  { "wrk" => [36_719.47, 0.056, 1.41, 3.97, 6.83, 0, 1e3],
    "ab" => [30_917.64, 0.0, 0.0, 4.0, 5.0, 0, 1e6],
    "h2load" => [32_841.8, nil, nil, nil, 2.72, 0, 1e3],
    "siege" => [20_000.0, nil, nil, nil, 10.0, 0, 1e7],
    "hey" => [14_998.3855, 0.1, 0.2, 4.2, 4.7, 0, 1e5] }.each do |name, expected|
    test "#{name}: what it says, and the smallest step of its times" do
      found = report(name)
      found = found.to_h.values_at(:per_s, :p50, :p90, :p99, :max, :errors, :step)

      found.zip(expected) do |one, other|
        other ? assert_in_delta(other, one, other.abs * 1e-6) : assert_nil(one)
      end
    end
  end

  test "wrong statuses and broken connections are errors" do
    { "wrk-wrong" => 31_346, "wrk-errors" => 1086, "ab-errors" => 16, "h2load-wrong" => 29_028,
      "siege-errors" => 8, "hey-wrong" => 4341 }.each do |file, errors|
      assert_equal errors, report(file[/\w+/], file).errors, file
    end
    assert_equal report("ab", "ab-wrong").errors, printed("ab-wrong")[/Non-2xx.*?(\d+)$/, 1].to_i
    assert_equal 400, tool("siege").read(<<~JSON).errors
      {"transactions": 1000, "successful_transactions": 600, "failed_transactions": 0}
    JSON
  end

  # Two readings of one text: this one, which keeps its digits, and that of mohs's drivers.
  test "what they say is what mohs's own drivers read" do
    PRINTED.each do |name|
      target = Mohs::Load::Target.new(host: "127.0.0.1", port: 9292, connections: 4)
      output = Mohs::Drivers::Peer::Output.new(tool: name, stdout: printed(name))
      times = Mohs::Drivers.fetch(name).new(targets: [target]).figures(output).times
      { p50: 0.5, p90: 0.9, p99: 0.99, max: 1.0 }.each do |key, share|
        next unless times[share] && report(name)[key]

        assert_in_delta times[share] / 1e6, report(name)[key], 1e-9, "#{name} #{key}"
      end
    end
  end

  test "of the native driver all is exact" do
    lines = ["per_s 97922.5", "errors 43", "p50 1083123", "p90 1100000", "p99 40068000",
             "max 40345001", "end"]
    found = tool("native").read("#{lines.join("\n")}\n")

    assert_equal [97_922.5, 1.083123, 1.1, 40.068, 40.345001, 43, 1],
                 found.to_h.values_at(:per_s, :p50, :p90, :p99, :max, :errors, :step)
  end

  test "one that says nothing that is known says nothing" do
    %w[wrk h2load siege hey ruby native].each do |name|
      assert_equal [nil], tool(name).read("it broke").to_h.values_at(:per_s, :p50, :max, :step).uniq
    end
  end

  test "settings have a default, and are whole numbers" do
    assert_equal({ requests: 4000, connections: 32, threads: 1, limit_s: 20, delay_ms: 0 },
                 settings)
    assert_equal [14, 3, 10], settings(CONNECTIONS: "14", THREADS: "3", DELAY_MS: "10")
      .values_at(:connections, :threads, :delay_ms)
    { { REQUESTS: "0" } => "REQUESTS=0: a whole number, 1 or more",
      { DELAY_MS: "-1" } => "DELAY_MS=-1: a whole number, 0 or more",
      { LIMIT_S: "soon" } => "LIMIT_S=soon: a whole number, 1 or more",
      { CONNECTIONS: "1001" } => "CONNECTIONS=1001: at most 1000",
      { THREADS: "33" } => "THREADS=33: more than CONNECTIONS=32" }.each do |env, message|
      assert_equal message, assert_raises(RuntimeError) { settings(**env) }.message
    end
  end

  test "an unknown tester is named, a missing one has its remedy" do
    unknown = assert_raises(RuntimeError) { tool("jmeter") }
    assert_equal "TESTER=jmeter: known are #{Testers::TOOLS.keys.join(', ')}", unknown.message

    missing = Class.new(FakeTool) { def argv(_load) = ["no-such-tester"] }.new
    message = "TESTER=fake needs no-such-tester: write it"

    assert_equal message, assert_raises(RuntimeError) { missing.verify }.message
    assert_nil FakeTool.new.verify
  end

  test "threads are refused where a tester has none" do
    error = assert_raises(RuntimeError) { bench(FakeTool.new, answered: 0, THREADS: "2") }

    assert_equal "THREADS=2: fake has one", error.message
  end

  test "a load is right if the server has answered what the tester was told to send" do
    assert_equal 4000, bench(FakeTool.new, answered: 4000).call
    [3999, 4001].each do |answered|
      error = assert_raises(RuntimeError) { bench(FakeTool.new, answered:).call }

      assert_match(/fake has ended, #{answered} of 4000/, error.message)
    end
  end

  test "one that had to be stopped may have sent some more, but no fewer" do
    assert_equal 4001, bench(FakeTool.new(counts: false), answered: 4001).call
    assert_raises(RuntimeError) { bench(FakeTool.new(counts: false), answered: 3999).call }
  end

  test "one that hangs or fails is an error, with what it printed" do
    { hung: "hung and was killed", failed: "has failed" }.each do |status, words|
      tool = FakeTool.new(status:, output: "its last words")
      error = assert_raises(RuntimeError) { bench(tool, answered: 4000).call }

      assert_equal "fake #{words}, 4000 of 4000 requests answered\nits last words", error.message
    end
  end

  test "the server waits as it is told, and says when it is done where nobody counts" do
    truth = FakeTruth.new(answered: 4000)
    [true, false].each do |counts|
      Testers::Bench.new(FakeTool.new(counts:), settings(DELAY_MS: "5"), truth:).call
    end

    assert_equal [{ delay_ns: 5_000_000, target: 0 }, { delay_ns: 5_000_000, target: 4000 }],
                 truth.orders
  end

  test "what a tester says is held against the server's record" do
    answers = (1..200).map { |ms| [1_000_000, (1 + ms) * 1_000_000] }.rotate(50)
    truth = FakeTruth.new(answered: 1000, errors: 5, answers:)
    tool = FakeTool.new(memory: [1000, 3000, 9000])
    row = Testers::Comparison.new(truth, requests: 5000).call(tool)

    assert_equal [[2.0, 100.0], [nil, 180.0], [nil, 198.0], [nil, 200.0]],
                 [row.p50, row.p90, row.p99, row.max]
    assert_equal [[7.0, 500.0], [1, 5], [14, 3, 2], 1e6],
                 [row.per_s, row.errors, row.connections, row.step_ns]
    assert_equal [[500, 32, 1], [5000, 32, 1], [2800, 14, 1]],
                 tool.loads.map { |load| [load.requests, load.connections, load.threads] }
    assert_nil row.problem
  end

  # 1000 KB for 10 000 requests are 102.4 bytes each.
  test "memory is what the longer load took more, for a million requests" do
    counts = [1000, 11_000].map { |answered| FakeTruth.new(answered:).counts }
    seen = counts.zip([5000, 6000]).map do |one, memory_kb|
      Testers::Comparison.const_get(:Seen).new(counts: one, memory_kb:)
    end
    comparison = Testers::Comparison.new(nil)

    assert_in_delta 102.4, comparison.send(:growth, *seen)
    seen.first.memory_kb = nil
    assert_nil comparison.send(:growth, *seen)
  end

  test "one that hangs is a result" do
    row = Testers::Comparison.new(FakeTruth.new).call(FakeTool.new(status: :hung, output: "a\nb\n"))

    assert_equal ["fake", "hung and was killed (b)"], [row.name, row.problem]
  end

  test "the tables show what is known, and why the rest is not" do
    good = Testers::Row.new(name: "one", per_s: [100.4, 99.6], p50: [nil, 1.0], p90: [nil, 1.0],
                            p99: [1.0, 1.25], max: [10.0, 10.0], step_ns: 1e5, errors: [0, 3],
                            connections: [14, 13, 12], mb: -0.2)
    bad = Testers::Row.new(name: "two", problem: "hung")

    assert_equal <<~TABLE.chomp, Testers::Table.new([good, bad]).to_s
      #{''.ljust(3)}  p50 ms  (true)  p90 ms  (true)  p99 ms  (true)  max ms  (true)    step
      one       -   1.000       -   1.000   1.000   1.250  10.000  10.000  100 us

      #{''.ljust(3)}  req/s  (true)  errors  (true)  connections  opened  used  MB/million
      one    100     100       0       3           14      13    12           0

      two: hung
    TABLE
  end

  test "steps have the unit in which they are read" do
    table = Testers::Table.new([])

    assert_equal ["1 ns", "1 us", "100 us", "10 ms", "-"],
                 [1, 1e3, 1e5, 1e7, nil].map { |step| table.send(:step, step) }
  end
end
