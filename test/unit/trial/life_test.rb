# frozen_string_literal: true

require "test_helper"

# Lives of the server `mock` under the Ruby of the tests: what becomes of each that goes wrong.
class TrialLifeTest < Mohs::TestCase
  Served = Struct.new(:good, :gone, :errors, :wall_ns, keyword_init: true)
  Step = Struct.new(:wall_ns, :cpu_ns, :good, :sent, keyword_init: true)
  GOOD = Served.new(good: 1, gone: false, errors: {}).freeze

  test "a life that goes well ends as nothing in particular, and leaves nothing" do
    life(processes: 2, threads: 3) do |life|
      ready(life)
      facts = life.attested

      assert_equal [2, 3, 3, []], facts.values_at(:workers, :threads, :processes, :unattested)
      assert_operator life.boot_ns, :>, 0
      assert_equal [200, "Hello"], life.answers.first.to_h.values_at(:status, :body)
      assert_equal %i[after_boot], life.memory.keys
      refute_predicate life, :over?
      assert_equal [life.name, 4], [life.target.name, life.target.connections]
    end
  end

  test "one that ends before it answers is refused, with its last words" do
    life(env: { "MOHS_MOCK_FAULT" => "refuse" }) do |life|
      error = assert_raises(Mohs::TrialError) { life.boot }
      life.end_as(error)

      assert_equal "refused", life.outcome[:state]
      assert_equal "the server ended before it answered (exit 1): mock: told to refuse",
                   life.outcome[:reason]
      assert_match(/told to refuse/, life.outcome[:log_tail])
    end
  end

  test "why a server did not boot is explained where its log tells" do
    life do |life|
      log = "cannot load such file -- nokogiri (LoadError)\n"
      life.end_as(Mohs::TrialError.new("it ended", state: :refused, log_tail: log))

      assert_match(/\Ait ended\. .*nokogiri/, life.outcome[:reason])
    end
  end

  test "a backtrace longer than any log that is kept does not hide why it did not boot" do
    life do |life|
      frames = "\tfrom /c/gems/rack-3.1/lib/rack/builder.rb:1:in `eval'\n" * 500
      log = "config.ru:1:in `fetch': key not found: \"STRIPE\" (KeyError)\n#{frames}"
      life.end_as(Mohs::TrialError.new("it ended", state: :refused, log_tail: log))

      assert_equal ["it ended. It needs the variable STRIPE: --env STRIPE=...", log.lines.first],
                   life.outcome.values_at(:reason, :log_tail)
    end
  end

  test "what a server that lives said last is not taken for its last words" do
    life(env: { "MOHS_MOCK_BOOT_S" => "60" }) do |life|
      booting = Thread.new { assert_raises(Mohs::TrialError) { life.boot } }
      sleep 0.01 until life.pids.any?
      told = "Completed 200 OK\n"
      life.end_as(Mohs::TrialError.new("no answer", state: :refused, log_tail: told))

      assert_equal ["no answer", told], life.outcome.values_at(:reason, :log_tail)
      booting.join
    end
  end

  test "no secret that the person gave is kept of what a server says" do
    life(env: { "SHOP_KEY" => "hunter2", "URL" => "x://u:sesame@h" }) do |life|
      log = "connecting to x://u:sesame@h\nhunter2 is no key (ArgumentError)\n"
      life.end_as(Mohs::TrialError.new("it ended", state: :refused, log_tail: log))

      assert_equal "it ended: [secret] is no key (ArgumentError)", life.outcome[:reason]
      assert_equal "connecting to x://u:[secret]@h\n[secret] is no key (ArgumentError)\n",
                   life.outcome[:log_tail]
    end
  end

  test "what the log of a booted server says is not taken for the reason of what comes later" do
    life do |life|
      life.boot
      log = "cannot load such file -- nokogiri (LoadError)\n"
      life.end_as(Mohs::TrialError.new("wrong answer", state: :invalid, log_tail: log))

      assert_equal "wrong answer", life.outcome[:reason]
    end
  end

  test "the first reason stands, and ending or stopping again does no harm" do
    life do |life|
      life.boot
      life.end_as(Mohs::TrialError.new("first", state: :invalid))
      life.end_as(Mohs::TrialError.new("second", state: :failed))
      life.stop

      assert_equal %w[invalid first], life.outcome.values_at(:state, :reason)
      assert_empty life.pids
    end
  end

  test "answers that another server gives otherwise are told with its name" do
    life(name: "a") do |one|
      life(name: "b", env: { "MOHS_MOCK_BODY" => "something else" }) do |other|
        [one, other].each { |life| ready(life) }
        error = assert_raises(Mohs::TrialError) { other.match_answers(one) }

        assert_equal [:invalid, "GET / answers 14 bytes instead of 5: different from a"],
                     [error.state, error.message]
        assert_nil one.match_answers(one)
      end
    end
  end

  test "a server that died under load says how, whatever its last answers were" do
    life do |life|
      life.boot
      ::Process.kill("KILL", life.pids.first)
      life.loaded(0, 0, GOOD)
      error = assert_raises(Mohs::TrialError) do
        500.times { life.must_answer(1) || sleep(0.01) }
      end

      assert_match(/\Athe server died while it was loaded \(.*KILL/, error.message)
      assert_raises(Mohs::TrialError) { life.finish }
    end
  end

  [
    [[{ "timeout" => 2 }, { "timeout" => 1, "wrong_body" => 3 }], [0, 0],
     "3 timeout, 3 wrong body"],
    [[{}, { "reset" => 1 }], [5, 0], nil],
  ].each do |errors, good, told|
    test "steps with errors #{errors} and right answers #{good} #{told ? 'end it' : 'do not'}" do
      life do |life|
        life.boot
        steps = good.zip(errors).map { |pair| Served.new(**%i[good errors].zip(pair).to_h) }
        steps.each { |step| life.loaded(0, 0, step) }
        next assert_nil life.must_answer(2) unless told

        error = assert_raises(Mohs::TrialError) { life.must_answer(2) }
        assert_equal "no right answer any more: #{told}", error.message
      end
    end
  end

  test "a target that the driver has given up ends it, though some answers were right" do
    life do |life|
      life.boot
      life.loaded(0, 0, Served.new(good: 9, gone: true, errors: { "connect" => 1 }))

      assert_match(/1 connect/, assert_raises(Mohs::TrialError) { life.must_answer(1) }.message)
    end
  end

  test "a worker that is missing at the end, and those that had nothing to do, are counted" do
    life(processes: 3) do |life|
      ready(life)
      life.warming(:rule)
      life.warmed
      ::Process.kill("KILL", victim = life.workers.last)
      sleep 0.01 while life.workers.include?(victim)
      life.finish
      life.stop

      assert_equal [3, 2, 0], [life.declared_workers, life.workers_at_end, life.busy_workers]
      assert_equal %i[after_boot after_warm_up at_end], life.memory.keys
      assert_operator life.peak_rss_bytes, :>=, life.memory.dig(:at_end, :rss_bytes) / 2
      assert_equal 2, life.attested_at_end[:workers]
    end
  end

  test "of what it does while others are measured its own slices are left out" do
    life(env: { "MOHS_MOCK_BUSY" => "0.9" }) do |life|
      ready(life)
      life.warming(:rule)
      life.warmed
      life.measuring
      started = Mohs::Clock.mono_ns
      sleep 0.3
      life.loaded(0, 0, Step.new(wall_ns: 100_000_000, cpu_ns: 5_000_000, good: 1))
      life.finish

      wall_ns, cpu_ns = life.idle.values_at(:wall_ns, :cpu_ns)
      assert_includes 200_000_000..(Mohs::Clock.mono_ns - started), wall_ns
      assert_operator cpu_ns, :>, 10_000_000
    end
  end

  private

  def ready(life)
    life.boot
    life.attest
    life.check
  end

  def life(name: "it", processes: 1, threads: 2, env: {})
    variant = Mohs::Study::Variant.new(name:, ruby: RbConfig.ruby, engine: "ruby", flags: [], env:,
                                       server: "mock", processes:, threads:)
    with_files("app/config.ru" => "run ->(_) { [200, {}, []] }") do |folder|
      study = Mohs::Study.new(app: File.join(folder, "app"), connections: 4, env: {},
                              requests: [Mohs::App::Request.build(path: "/")], variants: [variant])
      setup = Mohs::Trial::Setups.new.for(study, variant)
      place = Mohs::Cohort::Layout::Place.new(worker: 0)
      life = Mohs::Trial::Life.new(id: 1, setup:, folder:, place:,
                                   spawner: Mohs::Process::Spawner.new)
      yield life
    ensure
      life&.stop
    end
  end
end
