# frozen_string_literal: true

require "test_helper"

# Lives of the server `mock` under the Ruby of the tests: what becomes of each that goes wrong.
class TrialTest < Mohs::TestCase
  Served = Struct.new(:good, :sent, :gone, :errors, :wall_ns, :span_ns, keyword_init: true)
  Step = Struct.new(:wall_ns, :cpu_ns, :good, :sent, :errors, keyword_init: true)
  GOOD = Served.new(good: 1, gone: false, errors: {}).freeze

  test "a trial that goes well ends as nothing in particular, and leaves nothing" do
    trial(processes: 2, threads: 3) do |trial|
      ready(trial)
      facts = trial.attested

      assert_equal [2, 3, 3, []], facts.values_at(:workers, :threads, :processes, :unattested)
      assert_operator trial.boot_ns, :>, 0
      assert_equal [200, "Hello"], trial.answers.first.to_h.values_at(:status, :body)
      assert_equal %i[after_boot], trial.memory.keys
      refute_predicate trial, :over?
      assert_equal [trial.name, 4], [trial.target.name, trial.target.connections]
    end
  end

  test "of many connections each may wait for its turn, but not for ever" do
    { 4 => 10, 100 => 10, 256 => 25.6, 1000 => 60 }.each do |connections, patience_s|
      trial(connections:) do |trial|
        ready(trial)
        assert_in_delta patience_s, trial.target.timeout_s
      end
    end
  end

  test "it is read before the first block and behind each, over master and workers" do
    trial(processes: 2, threads: 3) do |trial|
      ready(trial)
      trial.loaded(nil, nil, Served.new(good: 9, sent: 9))
      trial.measuring
      client = Mohs::Http::Client.new(**trial.target.to_h.slice(:host, :port))
      2.times do |block|
        3.times { client.ask(Mohs::App::Request.build(path: "/")) }
        trial.loaded(block, 0, Served.new(good: 2, sent: 3))
      end
      trial.take_reading(1)
      before, behind = trial.readings

      assert_equal [[nil, 0, 0], [1, 6, 4]], trial.readings.map { |one| one.to_a.first(3) }
      assert_equal [before, behind].map { |one| one.inside.keys }.uniq, [before.inside.keys]
      assert_operator before.kernel[:threads], :>=, 1 + (2 * 3)
      assert_operator behind.inside[:allocated_objects], :>, before.inside[:allocated_objects]
      assert_operator behind.kernel[:voluntary_switches], :>, before.kernel[:voluntary_switches]
    end
  end

  test "one that ends before it answers is refused, with its last words" do
    trial(env: { "MOHS_MOCK_FAULT" => "refuse" }) do |trial|
      error = assert_raises(Mohs::TrialError) { trial.boot }
      trial.end_as(error)

      assert_equal "refused", trial.outcome[:state]
      assert_equal "ended_before_answer", trial.outcome[:reason].code
      assert_match(/\(exit 1\): mock: told to refuse\z/, trial.outcome[:reason].to_s)
      assert_match(/told to refuse/, trial.outcome[:log_tail])
    end
  end

  test "why a server did not boot is explained where its log tells" do
    trial do |trial|
      log = "cannot load such file -- nokogiri (LoadError)\n"
      trial.end_as(Mohs::TrialError.new("it ended", code: "ended", state: :refused, log_tail: log))

      assert_match(/\Ait ended\. .*nokogiri/, trial.outcome[:reason].summary)
    end
  end

  test "a backtrace longer than any log that is kept does not hide why it did not boot" do
    trial do |trial|
      frames = "\tfrom /c/gems/rack-3.1/lib/rack/builder.rb:1:in `eval'\n" * 500
      log = "config.ru:1:in `fetch': key not found: \"STRIPE\" (KeyError)\n#{frames}"
      trial.end_as(Mohs::TrialError.new("it ended", code: "ended", state: :refused, log_tail: log))

      reason, tail = trial.outcome.values_at(:reason, :log_tail).map(&:to_s)
      assert_match(/\Ait ended\. .*STRIPE\n--env STRIPE=\.\.\.\z/, reason)
      assert_equal log.lines.first, tail
    end
  end

  test "what a server that lives said last is not taken for its last words" do
    trial(env: { "MOHS_MOCK_BOOT_S" => "60" }) do |trial|
      booting = Thread.new { assert_raises(Mohs::TrialError) { trial.boot } }
      sleep 0.01 until trial.pids.any?
      result = "Completed 200 OK\n"
      trial.end_as(Mohs::TrialError.new("no answer", code: "ended", state: :refused,
                                                     log_tail: result))

      assert_equal ["no answer", result], trial.outcome.values_at(:reason, :log_tail).map(&:to_s)
      booting.join
    end
  end

  test "no secret that the person gave is kept of what a server says" do
    trial(env: { "SHOP_KEY" => "hunter2", "URL" => "x://u:sesame@h" }) do |trial|
      log = "connecting to x://u:sesame@h\nhunter2 is no key (ArgumentError)\n"
      trial.end_as(Mohs::TrialError.new("it ended", code: "ended", state: :refused, log_tail: log))

      assert_equal "it ended: [secret] is no key (ArgumentError)", trial.outcome[:reason].to_s
      assert_equal "connecting to x://u:[secret]@h\n[secret] is no key (ArgumentError)\n",
                   trial.outcome[:log_tail]
    end
  end

  test "what the log of a booted server says is not taken for the reason of what comes later" do
    trial do |trial|
      trial.boot
      log = "cannot load such file -- nokogiri (LoadError)\n"
      trial.end_as(Mohs::TrialError.new("wrong answer", code: "ended", state: :invalid,
                                                        log_tail: log))

      assert_equal "wrong answer", trial.outcome[:reason].to_s
    end
  end

  test "the first reason stands, and ending or stopping again does no harm" do
    trial do |trial|
      trial.boot
      trial.end_as(Mohs::TrialError.new("first", code: "ended", state: :invalid))
      trial.end_as(Mohs::TrialError.new("second", code: "ended", state: :failed))
      trial.stop

      assert_equal %w[invalid first], trial.outcome.values_at(:state, :reason).map(&:to_s)
      assert_empty trial.pids
    end
  end

  test "answers that another server gives otherwise are told with its name" do
    trial(name: "a") do |one|
      trial(name: "b", env: { "MOHS_MOCK_BODY" => "something else" }) do |other|
        [one, other].each { |trial| ready(trial) }
        error = assert_raises(Mohs::TrialError) { other.match_answers(one) }

        values = { request: "GET /", kind: "length", answer: 14, other: 5, variant: "a" }
        assert_equal [:invalid, Mohs::Reason.new(code: "answers_differ", values:)],
                     [error.state, error.reason]
        assert_nil one.match_answers(one)
      end
    end
  end

  test "a server that died under load says how, whatever its last answers were" do
    trial do |trial|
      trial.boot
      ::Process.kill("KILL", trial.pids.first)
      trial.loaded(0, 0, GOOD)
      error = assert_raises(Mohs::TrialError) do
        500.times { trial.must_answer(1) || sleep(0.01) }
      end

      assert_match(/\Athe server died .*\(.*KILL/, error.message)
      assert_raises(Mohs::TrialError) { trial.finish }
    end
  end

  [
    [[{ "timeout" => 2 }, { "timeout" => 1, "wrong_body" => 3 }], [0, 0],
     "3 timeout, 3 wrong body"],
    [[{}, { "reset" => 1 }], [5, 0], nil],
  ].each do |errors, good, result|
    test "steps with errors #{errors} and right answers #{good} #{result ? 'end it' : 'do not'}" do
      trial do |trial|
        ready(trial)
        steps = good.zip(errors).map do |right, each|
          Served.new(sent: 6, good: right, errors: each)
        end
        steps.each { |step| trial.loaded(0, 0, step) }
        next assert_nil trial.must_answer(2) unless result

        error = assert_raises(Mohs::TrialError) { trial.must_answer(2) }
        assert_match(/\Ano correct .*: #{result}\z/, error.message)
      end
    end
  end

  test "a target that the driver has given up ends it, though some answers were right" do
    trial do |trial|
      ready(trial)
      trial.loaded(0, 0, Served.new(good: 9, sent: 10, gone: true, errors: { "connect" => 1 }))

      assert_match(/1 connect/, assert_raises(Mohs::TrialError) { trial.must_answer(1) }.message)
    end
  end

  test "the connections that its workers have accepted are counted, if all are found" do
    trial(processes: 2) do |trial|
      ready(trial)
      clients = Array.new(4) do
        TCPSocket.new("127.0.0.1", trial.target.port).tap do |client|
          client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
          client.readpartial(9)
        end
      end

      assert_includes [[0, 4], [1, 3], [2, 2]], trial.count_connections(4)
      assert_nil trial.count_connections(5)
    ensure
      clients&.each(&:close)
    end
  end

  test "a worker that is missing at the end, and those that had nothing to do, are counted" do
    trial(processes: 3) do |trial|
      ready(trial)
      trial.warming(Object.new)
      trial.warmed
      ::Process.kill("KILL", victim = trial.workers.last)
      sleep 0.01 while trial.workers.include?(victim)
      trial.finish
      trial.stop

      use = trial.worker_use.to_h
      assert_equal [3, 2, 0, 0],
                   [trial.declared_workers, *use.values_at(:at_end, :served, :replaced)]
      assert_equal %i[after_boot after_warm_up at_end], trial.memory.keys
      assert_operator trial.peak_rss_bytes, :>=, trial.memory.dig(:at_end, :rss_bytes) / 2
      assert_equal 2, trial.attested_at_end[:workers]
    end
  end

  # Keeps what it is told of compilers.
  Warming = Struct.new(:used_ns) do
    def compilers(used_ns) = self.used_ns = [*self.used_ns, used_ns]
    def <<(_result) = used_ns << :step
  end

  # A thread that every server has stands for a compiler.
  test "its compilers are read before the load and after each step of its warm-up, no other" do
    engine = Mohs::Rubies::Engines.named(RUBY_ENGINE)
    engine.const_set(:COMPILERS, /\Amohs inside/)
    trial do |trial|
      ready(trial)
      trial.warming(rule = Warming.new)
      2.times do
        3.times { trial.loaded(nil, nil, GOOD) }
        trial.warmed_by(GOOD)
      end
      used_ns = rule.used_ns - [:step]

      assert_equal %i[step step], rule.used_ns.values_at(2, 4)
      assert_equal [5, 3], [rule.used_ns.size, used_ns.size]
      assert_predicate used_ns.first, :positive?
      assert_equal used_ns.sort, used_ns
    end
  ensure
    engine.send(:remove_const, :COMPILERS)
  end

  test "what is no different without its cookie is known at the end, not before" do
    trial(headers: { "Cookie" => "a=b" }) do |trial|
      ready(trial)
      trial.warming(Warming.new)
      trial.warmed
      before = trial.answers.first.note
      trial.finish

      assert_equal [nil, Mohs::App::ResponseLearner::UNREAD], [before, trial.answers.first.note]
    end
  end

  test "of what it does while others are measured its own slices are left out" do
    trial(env: { "MOHS_MOCK_BUSY" => "0.9" }) do |trial|
      ready(trial)
      trial.warming(Object.new)
      trial.warmed
      trial.measuring
      started = Mohs::Clock.mono_ns
      sleep 0.3
      trial.loaded(0, 0, Step.new(wall_ns: 100_000_000, cpu_ns: 5_000_000, good: 1, sent: 1,
                                 errors: {}))
      trial.measured
      ended = Mohs::Clock.mono_ns
      sleep 0.1 # what follows the last block slows no other
      trial.finish

      wall_ns, cpu_ns = trial.idle.values_at(:wall_ns, :cpu_ns)
      assert_includes 200_000_000..(ended - started), wall_ns
      assert_operator cpu_ns, :>, 10_000_000
    end
  end

  # What each process of any Ruby has mapped.
  LIBRARY = File.read("/proc/self/maps")[%r{/\S+/libm[.-]\S+}]

  test "a library that is to be preloaded is mapped in every process, or the trial has failed" do
    with_files do |folder|
      link = File.join(folder, "malloc.so")
      File.symlink(LIBRARY, link)
      [LIBRARY, "libm.so.6", link, "#{link} #{LIBRARY}"].each do |libraries|
        trial(processes: 2, env: { "LD_PRELOAD" => libraries }) do |trial|
          ready(trial)
          assert_equal 2, trial.attested[:workers], libraries
        end
      end
      ["/nowhere/libmohsmalloc.so.2", "#{link}:libmohsmalloc.so.2"].each do |libraries|
        trial(env: { "LD_PRELOAD" => libraries }) do |trial|
          trial.boot
          error = assert_raises(Mohs::TrialError) { trial.attest }
          trial.end_as(error)

          assert_equal "failed", trial.outcome[:state]
          assert_match(/\Alibmohsmalloc.so.2 .*mapped .*process \d+\z/,
                       trial.outcome[:reason].summary)
          assert_match(/LD_PRELOAD/, trial.outcome[:reason].remedy)
        end
      end
    end
  end

  test "an allocator that may be any is not attested, and its variables are not refused" do
    with_files do |folder|
      FileUtils.cp(LIBRARY, path = File.join(folder, "libother.so"))
      trial(env: { "LD_PRELOAD" => path, "MALLOC_CONF" => "narenas:1" }) do |trial|
        ready(trial)
        assert_nil trial.attested.fetch(:malloc)
        assert_equal 1, trial.attested[:unattested].count("malloc")
      end
    end
  end

  test "a path to preload must be that of a mapped file, whatever else has its name" do
    name = File.basename(LIBRARY)
    with_files(name => "no library", "b/c" => "") do |folder|
      FileUtils.ln_s(LIBRARY, "#{folder}/b/other.so")
      paths = [LIBRARY, "#{folder}/b/other.so", "/usr/$LIB/#{name}", name,
               "#{folder}/#{name}", "/nowhere/#{name}", "./#{name}"]
      lacking = paths.select { |path| Mohs::Probes::Libraries.missing([path], [::Process.pid]) }

      assert_equal paths.last(3), lacking
    end
  end

  test "a server that stopped answering in the last load has failed, and says how" do
    trial do |trial|
      trial.boot
      trial.take({ outcome: "found" })
      silent = Mohs::TrialError.new("silent", code: "silent")

      assert_same(silent, assert_raises(Mohs::TrialError) { trial.take({}, error: silent) })
      trial.stop
      error = assert_raises(Mohs::TrialError) { trial.take({}, error: silent) }
      assert_equal "died_under_load", error.reason.code
    end
  end

  private

  def ready(trial)
    trial.boot
    trial.attest
    trial.check
  end

  def trial(**options, &) = Mohs::MockTrial.with(**options, &)
end
