# frozen_string_literal: true

require "test_helper"
require "delegate"

class FactsTest < Mohs::TestCase
  Setup = Struct.new(:engine, :expected_jit, :versions, :notes, :held, :redaction, :jobs, :variant,
                     keyword_init: true)
  Trial = Struct.new(:setup, :boot_ns, :attested, :attested_at_end, :answers, :memory, :warm_up,
                     :samples, :recording, :first_failed, :worker_use, :crowded, :peak_rss_bytes,
                     :idle, :left_out, :diagnosis, :outcome, :front_cost,
                     :declared_workers, :logged_per_request, :name, :cores, :worker, :readings,
                     :services, :scenario, :job_queue, :found, :programs_ns,
                     keyword_init: true) do
    def log_excerpt = "Error 500\n"
    def last_jit = (attested_at_end || attested)[:jit]
  end
  Sample = Mohs::Trial::Sample
  # A recording of steps that took these times, in ms.
  class Timed < SimpleDelegator
    Times = Struct.new(:ms) do
      def quantiles(_kind, _shares) = [ms&.*(1_000_000)]
    end

    def initialize(recording, times)
      super(recording)
      @times = times
    end

    def of_request(number) = Times.new(@times[number])
  end

  WarmUp = Struct.new(:outcome, :requests, :seconds) do
    def unwarmed(served, compiles:, pages:)
      return { may_rise: 0.0, uncompiled: 0.0 } unless compiles

      { may_rise: left(served, pages, 1.7, 1e6), uncompiled: left(served, pages, 1, 1e4) }
    end

    def left(served, pages, first, part)
      return pages.map(&:of_time).max if pages

      served.zero? ? first : served / part
    end
  end

  test "a trial without a failed check is measured" do
    row = facts.row

    assert_equal ["measured", nil], row.values_at(:state, :reason)
    assert_equal [123, 300, { "puma" => "8.0.2" }, ["a note"]],
                 row.values_at(:boot_ns, :requests, :versions, :notes)
    assert_equal({ at_end: { tree_bytes: 1 }, peak_rss_bytes: 99 }, row[:memory])
    assert_equal 0.0001, row.dig(:warm_up, :may_rise), "it has served a hundred before"
    assert_empty(row[:checks].select { |check| check[:ok] == false })
  end

  test "what its JIT may still bring counts from when it was measured, and none if there is none" do
    served_after = facts { |results| results << results.last } # in no block
    off = facts(attested_at_end: { jit: "off" })

    found = [served_after, off].map { |one| one.row[:warm_up].values_at(:may_rise, :uncompiled) }
    assert_equal [[0.0001, 0.01], [0.0, 0.0]], found
  end

  test "workers that began after the warm-up have all of it before them" do
    found = [{ at_end: 1, served: 1, replaced: 1 }, { at_end: 4, served: 4, replaced: 1 }]
            .map { |use| facts(worker_use: use).row[:warm_up].values_at(:may_rise, :uncompiled) }

    assert_equal [1.7, 1.0], found.first
    assert_equal [0.4251, 0.2575], found.last
  end

  # The mock sends no steps: their times are all unknown, and so alike.
  test "the pages of a scenario count by what its steps took" do
    steps = %w[/a /b].map { |path| Mohs::Load::Scenario::Request.new(method: "GET", path:) }
    action = Mohs::Load::Scenario::Action.new(name: nil, weight: 1, steps: 0..1)
    scenario = Mohs::Load::Scenario.new(variables: {}, steps:, actions: [action])

    assert_operator facts(scenario:).row.dig(:warm_up, :may_rise), :>=, 0.5
  end

  # Of 250 and 5 ms, 16 connections make 95 and 80 + 5.
  test "where requests wait, a scenario's pages count by what their steps took without that" do
    steps = %w[/a /report].map { |path| Mohs::Load::Scenario::Request.new(method: "GET", path:) }
    actions = [[0..0, 96], [1..1, 4]].map do |range, weight|
      Mohs::Load::Scenario::Action.new(name: nil, weight:, steps: range)
    end
    scenario = Mohs::Load::Scenario.new(variables: {}, steps:, actions:)
    found = [[5, 250], [85, 330], [5, nil]].map do |times|
      facts(scenario:, times:).row.dig(:warm_up, :may_rise)
    end

    assert_operator found.min, :>=, 0.676
    assert_in_delta 0.96, found.last, 0.01, "a time that is unknown is that of the slowest"
  end

  test "nothing is said of what the JIT of an unknown server may still bring" do
    assert_equal %i[may_rise uncompiled] & facts(attested: {}).row[:warm_up].keys, []
  end

  test "the queue that jobs were measured by is noted, with what ran them" do
    queue = { api: "active_job", adapter: "sidekiq" }

    assert_equal ["a note", finding("job_queue", **queue, count: 200, worker: "sidekiq -c 5")],
                 facts(job_queue: queue).row[:notes]
  end

  test "workers that took the place of others count, unless the server forks anew by design" do
    found = [false, true].map do |refork|
      checks = facts(refork:, replaced: 1).row[:checks]
      checks.find { |check| check[:name] == "served" }[:code]
    end

    assert_equal %w[served.replaced served.all], found
  end

  test "it is kept that a load showed its connections to wait, where it did" do
    known, seen = [nil, true].map { |crowded| facts(crowded:).row[:connections] }

    assert_equal({ **known, crowded: true }, seen)
  end

  test "latency is exact and without the warm-up" do
    latency = facts.row[:latency]

    assert_equal [2_000_000, 2_000_000, 200], latency.values_at(:p50_ns, :max_ns, :count)
  end

  # One connection and 100 ms each: those that fall due meanwhile wait for it.
  test "under a given rate latency is from when requests fell due, in slices too" do
    target = Mohs::Load::Target.new(connections: 1)
    driver = Mohs::Drivers.fetch("mock").new(targets: [target], script: ->(*) { 100_000_000 })
    arrivals = Mohs::Load::Arrivals.new(kind: :times, times: [0, 1, 2])
    due = Mohs::Load::Step.new(arrivals:)
    steps = [Mohs::Load::Step.new(count: 3, warm_up: true), due, due]
    results = steps.flat_map { |step| driver.run([step]) }
    found = Mohs::Trial::Facts.new(trial(driver.recording(0), results, {}))

    assert_equal [nil, 199_999_999, 199_999_999],
                 found.slices.map { |slice| slice[:p50_ns] if slice[:block] }
    assert_equal [:response, 199_999_999], found.row[:latency].values_at(:kind, :p50_ns)
    refute facts.row[:latency].key?(:kind)
  end

  def batches_of_one
    cold_start = Mohs::Study::ColdStart.new(batches: 1, requests: 100)
    Mohs::Trial::Batches.new(cold_start) { Mohs::Trial::WarmUp.for("ruby", jit: "off") }
  end

  test "of a cold start every batch is kept" do
    rule = batches_of_one
    found = facts(warm_up: rule) { |results| rule << results.first }.row[:warm_up]

    assert_equal [100, 1], found.values_at(:requests, :windows)
    assert_equal [[100, 1_000_000]],
                 found[:batches].map { |batch| batch.values_at(:good, :p99_ns) }
    refute facts.row[:warm_up].key?(:batches)
  end

  test "requests that fail in the batches of a cold start are found" do
    rule = batches_of_one
    found = facts(warm_up: rule) do |results|
      half = { **results[0].to_h, good: 50, errors: { "timeout" => 50 } }
      results[0] = Mohs::Load::StepResult.from_h(half)
      rule << results.first
    end.checks

    assert_includes found.map(&:code), "errors.failed"
  end

  test "what its JIT compiled in a cold start is kept beside the batches" do
    rule = batches_of_one
    rule.read({ methods: 1 })
    found = facts(warm_up: rule) do |results|
      rule << results.first
      rule.read({ methods: 9 })
      rule.keep([])
    end.row[:warm_up]

    assert_equal [{ methods: 1 }, { methods: 9 }, []],
                 [found[:jit_at_start], found[:batches].first[:jit], found[:code]]
  end

  test "titles of processes keep no secret" do
    processes = [{ pid: 1, name: "worker --key hunter2" }]
    row = facts(memory: { at_end: { tree_bytes: 1, processes: } }).row
    refute_includes row.dig(:memory, :at_end, :processes, 0, :name), "hunter2"
  end

  test "attested variables keep no secret, neither the person's nor one of the shell" do
    variables = { "JAVA_TOOL_OPTIONS" => "-Dkey.password=hunter3", "RUBYOPT" => "-rhunter2",
                  "MALLOC_ARENA_MAX" => "2" }
    shown = facts(attested: { jit: "off", variables: }).row[:attested][:variables]
    assert_equal ["-Dkey.password=[secret]", "-r[secret]", "2"], shown.values
  end

  test "the heap of a virtual machine stands beside what was resident then" do
    boot, later = [5, 9].map { |bytes| { jit: "jit", heap: { committed_bytes: bytes } } }
    points = %i[after_boot after_warm_up at_end].to_h { |point| [point, { rss_bytes: 20 }] }
    memory = facts(attested: boot, attested_at_end: later, memory: points).row[:memory]
    assert_equal [5, nil, 9], points.keys.map { |point| memory.dig(point, :heap, :committed_bytes) }
  end

  test "answers are kept without their bodies" do
    kept = { status: 200, type: "text/plain", length: 5, expect: nil, title: nil, note: nil,
             request: "GET /", kind: "body" }

    assert_equal [kept], facts.row[:answers]
  end

  test "who logs each request is told so: it is measured with it" do
    noted = facts(logged_per_request: 310.4, name: "b").partial[:notes]

    assert_equal ["a note", finding("chatter", variant: "b", bytes_per_request: 310)], noted
    assert_equal ["a note"], facts(logged_per_request: nil).partial[:notes]
  end

  test "readings tell how long threads waited for a core, if all are known" do
    readings = [100, nil, 350].map do |cpu_wait_ns|
      Mohs::Store::Reading.new(sent: 0, good: 0, kernel: { cpu_wait_ns: }.compact, inside: nil)
    end
    wait_ns = ->(several) { Mohs::Store::Reading.rise(several, :cpu_wait_ns) }

    assert_equal 250, wait_ns.call(readings)
    assert_equal [nil, nil], [wait_ns.call([]), wait_ns.call(readings.first(2))]
  end

  test "readings are kept, also of a trial that ended early, and not named where there are none" do
    readings = [Mohs::Store::Reading.new(sent: 0, good: 0, kernel: { user_ns: 1 }, inside: nil)]
    outcome = { state: "failed" }

    assert_equal readings, facts(readings:).row[:readings]
    assert_equal readings, facts(readings:, outcome:).ended[:readings]
    refute_includes facts.row, :readings
  end

  test "what was left out of a log's mix is noted" do
    left_out = { requests: 1, of: 3, share: 0.4, first: "GET /b", fact: "answered 404" }

    assert_equal ["a note", finding("left_out", **left_out)], facts(left_out:).partial[:notes]
  end

  test "a check that voids the figures makes the trial invalid" do
    row = facts(attested_at_end: { jit: "off" }).row

    assert_equal ["invalid", nil], row.values_at(:state, :log_tail), "no log tells why"
    failing = facts do |results|
      results.map! do |result|
        Mohs::Load::StepResult.from_h({ **result.to_h, good: 50, errors: { "wrong_body" => 50 } })
      end
    end
    assert_equal ["invalid", "Error 500\n"], failing.row.values_at(:state, :log_tail)
    assert_equal ["jit.changed"],
                 row[:checks].filter_map { |check| check[:code] if check[:level] == "invalid" }
  end

  test "a server that worked while others were measured is told so" do
    row = facts(idle: { wall_ns: 1_000_000_000, cpu_ns: 300_000_000 }).row
    check = row[:checks].find { |one| one[:name] == "idle" }

    assert_equal ["measured", false, "idle.busy", { share: 0.3 }],
                 [row[:state], *check.values_at(:ok, :code, :values)]
  end

  test "the programs that a server ran are held against its measured requests" do
    busy = facts(programs_ns: 400_000_000) do |results|
      results.map! { |result| result.class.new(**result.to_h.except(:pulse), cpu_ns: 500_000_000) }
    end
    check = busy.row[:checks].find { |one| one[:name] == "programs" }

    assert_equal [false, "programs.left_out", { share: 0.4, mean_ns: 2_000_000 }],
                 check.values_at(:ok, :code, :values)
  end

  test "under a scenario no answers are learned, and each is as its step expects" do
    scenario = Mohs::Load::Scenario.new(variables: {}, steps: [], actions: [])
    found = facts(scenario:)
    codes = found.checks.map(&:code)

    assert_empty found.row[:answers]
    assert_includes codes, "answers.followed"
    assert_includes codes, "little_law.scenario"
  end

  test "what the driver could do at most is held against what the server did" do
    found = [nil, 5000, 1500].map do |empty_per_s|
      facts(empty_per_s:).checks.find { |finding| finding.member == "headroom" }
    end
    assert_equal %w[headroom.missing headroom.enough headroom.little], found.map(&:code)
    assert_in_delta 5.0, found[1].values[:times]
  end

  test "a trial supplies every fact that a self-check needs, but that of an open loop" do
    checks = facts(empty_per_s: 5000, idle: { wall_ns: 1_000_000_000, cpu_ns: 0 }).checks
    missing = checks.select { |finding| finding.code.end_with?(".missing") }

    assert_equal({ "arrivals" => %w[arrivals] },
                 missing.to_h { |finding| [finding.member, finding.values[:keys]] })
  end

  test "slices are told in order, warm-up first" do
    assert_equal([[nil, nil, 100], [0, 0, 100], [0, 1, 100]],
                 facts.slices.map { |slice| slice.values_at(:block, :position, :sent) })
  end

  test "of a trial that ended early what is known is kept" do
    assert_equal %i[boot_ns requests attested memory versions notes], facts.partial.keys
    refute_includes facts(attested: nil).partial.keys, :attested
  end

  test "settings are those of the warm server, where it came to that" do
    warm = { engine: "ruby", jit: "yjit", threads: 5, pool: 4 }

    assert_equal warm, facts(attested_at_end: warm).row[:attested]
    assert_equal 5, facts(attested_at_end: nil).partial[:attested][:pool]
  end

  test "what the server's front takes itself is kept, where there is one" do
    cost = { cpu_ns: 5, requests: 2, memory_bytes: 7 }

    assert_equal [cost, false],
                 [facts(front_cost: cost).row[:front], facts.row.key?(:front)]
  end

  test "a trial that ended early has its outcome, or why its answers are wrong" do
    outcome = { state: "invalid", reason: "no correct responses any more", log_tail: "" }
    wrong = Mohs::Load::StepResult.new(sent: 60, good: 0, errors: { "wrong_body" => 60 })
    diagnosis = { connections: 4, alone: { asked: 20, wrong: 0 }, workers: [], difference: nil,
                  processes: 1, threads: 5, instead: "puma:2x1" }
    ended, explained = [{}, { diagnosis:, samples: [Sample.new(result: wrong)] }].map do |facts|
      facts(outcome:, **facts).ended
    end

    assert_equal ["invalid", "no correct responses any more", nil],
                 ended.values_at(:state, :reason, :checks)
    assert_equal ["invalid", nil, 123], explained.values_at(:state, :reason, :boot_ns)
    assert_equal(["answers.shared_state"], explained[:checks].map { |check| check[:code] })
  end

  test "the first wrong answer is kept, readable, without the person's secrets" do
    shown = Mohs::Load::FailedResponse::SHOWN_BYTES
    { "" => nil, "\x00HTTP" => '"\\x00HTTP"', "no hunter2" => '"no [secret]"',
      "#{'x' * (shown - 3)}hunter2" => "#{'x' * (shown - 3)}[se".inspect }.each do |bytes, kept|
      failed = Mohs::Load::FailedResponse.new(error: "bad_status_line", status: 0, bytes:)

      assert_equal({ error: "bad_status_line", status: 0, bytes: kept },
                   facts(first_failed: failed).partial[:specimen])
    end
  end

  # Of a body of "Hello", checked byte for byte.
  def difference(bytes, error: "wrong_body", **changes)
    failed = Mohs::Load::FailedResponse.new(error:, status: 200, bytes:)
    facts(first_failed: failed, **changes).partial[:specimen][:difference]
  end

  test "where the first wrong answer leaves the right one is kept, if that is known" do
    apart = { offset: 4, right: '"Hello"', wrong: '"Hell!"' }
    assert_equal [apart, { same: 4 }, { offset: 5, right: '"Hello"', wrong: '"Hello!"' }],
                 [difference("Hell!"), difference("Hell", error: "wrong_length"),
                  difference("Hello!", error: "wrong_length")]
    assert_nil difference("gone", error: "wrong_status")
    assert_nil difference("Hell hunter2")
    assert_nil difference("")
    answer = facts.row[:answers] && trial(nil, [], {}).answers.first
    length = Mohs::App::Answer.new(**answer.to_h, kind: :length)
    [[answer, answer], [length], nil].each do |answers|
      assert_nil difference("Hell!", answers:)
    end
  end

  private

  def finding(code, **values) = Mohs::Analysis::Finding.note(code, **values)

  # A hundred requests of 1 ms to warm up, then twice a hundred of 2 ms.
  def facts(empty_per_s: nil, refork: false, replaced: 0, times: nil, **changes)
    target = Mohs::Load::Target.new(connections: 2)
    script = ->(_, number) { number < 100 ? 1_000_000 : 2_000_000 }
    driver = Mohs::Drivers.fetch("mock").new(targets: [target], script:)
    steps = [true, false, false].map do |warm_up|
      Mohs::Load::Step.new(targets: [0], count: 100, warm_up:)
    end
    results = steps.flat_map { |step| driver.run([step]) }
    yield results if block_given?
    recording = times ? Timed.new(driver.recording(0), times) : driver.recording(0)
    Mohs::Trial::Facts.new(trial(recording, results, changes, refork:, replaced:), empty_per_s:)
  end

  def trial(recording, results, changes, refork: false, replaced: 0)
    samples = results.zip([nil, 0, 0], [nil, 0, 1]).map do |result, block, position|
      Sample.new(block:, position:, result:)
    end
    answer = Mohs::App::Answer.new(request: Mohs::App::Request.build(path: "/"), status: 200,
                                   type: "text/plain", length: 5, body: "Hello", kind: :body)
    setup = Setup.new(engine: "ruby", expected_jit: "yjit", versions: { "puma" => "8.0.2" },
                      notes: ["a note"], redaction: Mohs::Secrets::Redaction.new(["hunter2"]),
                      jobs: Mohs::Study::Jobs.parse(worker: "sidekiq -c 5"),
                      variant: Mohs::Study::Variant.new(name: "a", refork:))
    Trial.new(setup:, boot_ns: 123, attested: { engine: "ruby", jit: "yjit", threads: 5, pool: 5 },
              attested_at_end: { jit: "yjit" }, answers: [answer],
              memory: { at_end: { tree_bytes: 1 } },
              warm_up: WarmUp.new("warm", 100, 0.1), samples:, recording:,
              worker_use: { at_end: 1, served: 1, replaced: }, peak_rss_bytes: 99,
              declared_workers: 1,
              cores: 1, worker: 0, readings: [], **changes)
  end
end
