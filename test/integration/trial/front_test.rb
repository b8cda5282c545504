# frozen_string_literal: true

require "test_helper"

# What stands in front of a trial's server, in real processes: each front before the server `mock`.
class TrialFrontTest < Mohs::TestCase
  Fronts = Mohs::Fronts
  GOOD = Struct.new(:good, :sent, :gone, :errors, :wall_ns, :span_ns, :cpu_ns,
                    keyword_init: true)
               .new(good: 1, sent: 5, gone: false, errors: {}, wall_ns: 1, cpu_ns: 1).freeze

  def with(name, **options, &block)
    absent = Fronts.fetch(name).absent
    skip absent.summary if absent
    Mohs::MockTrial.with(front: name, **options, &block)
  end

  def ready(trial) = %i[boot attest check].each { |stage| trial.public_send(stage) }

  # Pids of the front: all but the server's.
  def front_pids(trial) = trial.pids - Mohs::Process::Tree.pids(trial.workers.first)

  def ended(trial)
    error = assert_raises(Mohs::TrialError) { yield trial }
    trial.end_as(error)
    trial.outcome
  end

  def load(trial, count, connections: 1)
    target = Mohs::Load::Target.new(**trial.target.to_h, connections:)
    driver = Mohs::Drivers.fetch("native").new(targets: [target])
    driver.run([Mohs::Load::Step.new(targets: [0], count:)]).first
  ensure
    driver&.close
  end

  Fronts.names.each do |name|
    # Thruster boots and stops for seconds: what is alike for all is tried daily with the others.
    kind = name == "thruster" ? :slow_test : :test

    test "#{name} gets the load, is attested apart from the server, and leaves nothing" do
      pids = nil
      with(name, processes: 2, threads: 3) do |trial|
        ready(trial)
        facts = trial.attested
        assert_equal [2, 3, 3], facts.values_at(:workers, :threads, :processes)
        assert_equal [name, []], [facts[:front][:name], facts[:unattested]]
        assert_match(/\A\d+\.\d+/, facts[:front][:version])
        assert_operator facts[:front][:workers], :>=, 1

        pids = trial.pids
        assert_empty trial.lasting - pids
        assert_equal 2, trial.supervisors.size
        ours = Mohs::Probes::Listener.pids(trial.target.port)
        assert_empty ours - pids
        assert_empty ours & trial.workers
        assert_equal 50, load(trial, 50).good
        assert_equal Fronts.fetch(name)::LOOPBACK, !reached?("127.0.0.2", trial.target.port)
      end
      assert_empty(pids.select { |pid| File.exist?("/proc/#{pid}") })
    end

    send kind, "#{name} keeps a client's connection for more requests than it does by default" do
      with(name) do |trial|
        ready(trial)
        result = load(trial, 1100)

        assert_equal [1100, 0], [result.good, result.connections[:lost]]
      end
    end

    send kind, "#{name} lets a request under way be answered when the trial stops" do
      with(name, env: { "MOHS_MOCK_DELAY_MS" => "400" }) do |trial|
        ready(trial)
        place = trial.target.to_h.slice(:host, :port)
        sent = Queue.new
        asking = Thread.new do
          request = Mohs::App::Request.build(path: "/")
          Mohs::Http::Client.new(**place).ask(request, connected: ->(_) { sent << true })
        end
        sent.pop
        sleep 0.1
        trial.stop

        assert_equal [200, "Hello"], asking.value.to_h.values_at(:status, :body)
      end
    end

    send kind,
         "#{name} takes CPU time and memory of its own, for the requests that were measured" do
      with(name) do |trial|
        ready(trial)
        trial.loaded(nil, nil, GOOD)
        assert_nil trial.front_cost
        trial.warming(Mohs::Trial::WarmUp.for("ruby", jit: "off"))
        trial.warmed
        trial.measuring
        load(trial, 500)
        2.times { trial.loaded(0, 0, GOOD) }
        trial.finish

        cost = trial.front_cost
        assert_equal 10, cost[:requests]
        assert_operator cost[:cpu_ns], :>, 0
        assert_operator cost[:memory_bytes], :>, 100_000
        memory = trial.memory[:at_end]
        assert_operator memory[:tree_bytes], :>, cost[:memory_bytes]
      end
    end

    send kind,
         "a server that dies behind #{name} is what happened, not the front's wrong answers" do
      with(name, env: { "MOHS_MOCK_FAULT" => "die", "MOHS_MOCK_AFTER" => "9" }) do |trial|
        ready(trial)
        result = load(trial, 40)
        assert_operator result.errors.values.sum, :>, 0
        trial.loaded(nil, nil, result)

        sleep 0.01 until (outcome = attempt(trial))
        assert_equal ["failed", "died_under_load"], [outcome[:state], outcome[:reason].code]
        assert_match(/\(exit 3\)/, outcome[:reason].to_s)
      end
    end

    test "#{name} that dies under load is called by its name" do
      with(name) do |trial|
        ready(trial)
        trial.loaded(nil, nil, GOOD)
        Process.kill("KILL", front_pids(trial).first)
        sleep 0.01 until (outcome = attempt(trial))

        assert_equal "failed", outcome[:state]
        assert_match(/\A#{name} died .*\(killed by SIGKILL\)/,
                     outcome[:reason].to_s)
        assert_equal name, outcome[:reason].values[:front]
      end
    end

    test "#{name} reaches its server by a unix socket if it can" do
      next assert_equal "thruster", name unless Fronts.fetch(name)::UNIX

      with(name, unix: true) do |trial|
        ready(trial)
        assert_equal ["unix", name],
                     [trial.attested[:socket], trial.attested.dig(:front, :name)]
        assert_equal [nil, 20], [trial.target.unix, load(trial, 20).good]
      end
    end
  end

  test "nginx takes bodies of any size" do
    with("nginx") do |trial|
      ready(trial)
      request = Mohs::App::Request.build(method: "post", path: "/", body: "x" * 2_000_000)
      place = trial.target.to_h.slice(:host, :port)

      assert_equal 200, Mohs::Http::Client.new(**place).ask(request).status
    end
  end

  test "a server that ends during its checks is the reason, where a front answers for it" do
    with("mock", env: { "MOHS_MOCK_FAULT" => "die", "MOHS_MOCK_AFTER" => "2" }) do |trial|
      outcome = ended(trial) { ready(trial) }

      assert_match(/\Athe server died .*\(exit 3\)\z/, outcome[:reason].to_s)
    end
  end

  test "a front that does not start refuses the trial, with its last words" do
    with("mock") do |trial|
      script = "warn 'no such port'; exit 7"
      trial.setup.define_singleton_method(:front_launch) do |**|
        Fronts::Launch.new(executable: RbConfig.ruby, args: ["-e", script])
      end
      outcome = ended(trial, &:boot)

      assert_equal "refused", outcome[:state].to_s
      assert_match(/\Amock ended .*\(exit 7\): no such port\z/, outcome[:reason].to_s)
      assert_match(/no such port/, outcome[:log_tail])
      assert_empty trial.pids
    end
  end

  private

  def reached?(host, port)
    TCPSocket.new(host, port).close
    true
  rescue Errno::ECONNREFUSED
    false
  end

  # The outcome, once its end is seen.
  def attempt(trial)
    trial.must_answer(1)
  rescue Mohs::TrialError => error
    trial.end_as(error)
    trial.outcome
  end
end
