# frozen_string_literal: true

require "socket"
require "test_helper"

module Mohs
  # Both ends of load from another machine, in one process: what the engine here is told, and what
  # it makes of the answers.
  class AgentServiceTest < TestCase
    NO_PID = 1 << 22 # one more than the kernel ever gives; no user has that number either

    # Plays Core::Engine: a list of steps takes as many looks as `looks`.
    class Played
      attr_reader :options, :done, :closed

      def initialize(**options)
        @options = options
        @done = []
      end

      def epoch_ns = 5_000

      def run(steps)
        raise ArgumentError, "no such target" if steps.first[:targets] == [9]

        @done << steps
        steps.first.fetch(:count).times do |number|
          yield({ step: 0, completed: number, times: "\0".b })
        end
      end

      def result(step, target) = { step:, target:, good: 7, cpu_ns: nil, mode: :x }
      def lost_records = 3
      def failed_response(_target) = { error: "status", status: 500, bytes: "\xFF".b }
      def records(_target) = Core::Records.of("".b)
      def unsent(_target) = Core::Records.of("".b)
      def close = @closed = true
    end

    # Plays Process::MachineLock: another has the machine for two looks.
    class Lock
      attr_reader :held

      def initialize(error: nil)
        @error = error
      end

      def hold(wait:, still:)
        wait.call(Process::MachineName::Holder.new(pid: 7, uid: NO_PID))
        still.call(nil)
        raise @error if @error

        @held = true
        yield
      ensure
        @held = false
      end
    end

    # Plays a Link whose other end is a Service in a thread.
    class Pair
      attr_reader :engine, :ahead_ns

      def initialize(lock: Lock.new)
        from_there, to_here = IO.pipe
        from_here, @to_there = IO.pipe
        @ahead_ns = 2_000
        made = ->(**options) { @engine = Played.new(**options) }
        made.define_singleton_method(:new) { |**options| call(**options) }
        @service = Thread.new { Agent::Service.new(from_here, to_here, engine: made, lock:).call }
        @frames = Agent::Frames.new(from_there, @to_there)
        @frames.greeted
        @hello = @frames.read.fetch(:hello)
      end

      attr_reader :hello

      def over? = false

      def ask(order)
        @frames.write(order)
        @waiting = true
        until (said = @frames.read).key?(:answer)
          yield said.fetch(:live) if block_given?
        end
        @waiting = false
        raise EnvironmentError, said[:answer][:error] if said[:answer][:error]

        said[:answer]
      end

      def stop
        return unless @waiting

        @frames.write(do: "stop")
        said = @frames.read until said&.key?(:answer)
        said[:answer]
      end

      def close
        @to_there.close
        @service.join
      end
    end

    def setup
      super
      @pair = Pair.new
    end

    def teardown
      @pair.close
      super
    end

    def engine = Agent::Engine.new(@pair, targets: [{ keep_alive: :on }], workers: 1)

    def step(**changes) = { targets: [0], count: 2, **changes }

    test "it says who it is" do
      assert_equal [VERSION, Socket.gethostname], @pair.hello.values_at(:mohs, :name)
      assert_equal Probes::Host.fingerprint, @pair.hello[:host]
    end

    test "an engine is made there with the options, and its epoch is by the clock here" do
      assert_equal 3_000, engine.epoch_ns
      assert_equal({ targets: [{ keep_alive: :on }], workers: 1 }, @pair.engine.options)
    end

    test "steps are done one after the other, with a look at each" do
      looks = []
      far = engine
      far.run([step, step(count: 1, targets: [0, 1])]) do |live|
        looks << live.values_at(:step, :completed)
      end

      assert_equal [[step], [step(count: 1, targets: [0, 1])]], @pair.engine.done
      assert_equal [[0, 0], [0, 1], [1, 0]], looks
      assert_equal({ step: 0, target: 1, good: 7, cpu_ns: nil, processes_cpu_ns: nil, mode: :x },
                   far.result(1, 1))
      assert_equal [nil, 3], [far.result(2, 0), far.lost_records]
      assert_operator far.steal_share, :>=, 0
    end

    test "the CPU time of watched processes is that of processes here" do
      far = engine
      far.watch(0, [::Process.pid])
      far.run([step(targets: [0, 1])]) { Integer.sqrt(10**2000) }

      assert_operator far.result(0, 0)[:cpu_ns], :>, 0
      assert_nil far.result(0, 1)[:cpu_ns]
      far.watch(0, [::Process.pid, NO_PID])
      far.run([step])
      assert_nil far.result(0, 0)[:cpu_ns]
    end

    test "what ends a load here ends it there, and what was measured stays" do
      far = engine
      raised = assert_raises(RuntimeError) do
        far.run([step(count: 100_000), step]) { |live| raise "enough" if live[:completed] == 3 }
      end

      assert_equal ["enough", 7, nil], [raised.message, far.result(0, 0)[:good], far.result(1, 0)]
      assert_equal 1, @pair.engine.done.size
      far.run([step]) # the stop of before ends nothing else
      assert_equal 7, far.result(0, 0)[:good]
    end

    test "recordings and the first wrong answer come over" do
      far = engine
      far.run([step])

      assert_equal [0, 0], [far.records(0).size, far.unsent(0).size]
      assert_equal({ error: "status", status: 500, bytes: "\xFF".b }, far.failed_response(0))
      far.close
      assert @pair.engine.closed
    end

    test "a machine is reserved until the streams end, and says for whom it waits" do
      lock = Lock.new
      pair = Pair.new(lock:)
      seen = []
      pair.ask(do: "reserve") { |holder| seen << holder.values_at(:pid, :user, :boot) }

      assert_equal [[7, NO_PID.to_s, Process.boot_id], [nil, nil, Process.boot_id]], seen
      assert lock.held
      assert_equal({}, pair.ask(do: "reserve"))
      assert_in_delta 0.5, pair.ask(do: "foreign_load").fetch(:foreign_cpu_share), 0.5
      pair.close
      refute lock.held
    end

    test "a machine that is reserved says that it lives while it has nothing to do" do
      from_there, to_here = IO.pipe
      from_here, to_there = IO.pipe
      service = Agent::Service.new(from_here, to_here, lock: Lock.new, alive_s: 0.01)
      serving = Thread.new { service.call }
      frames = Agent::Frames.new(from_there, to_there)
      frames.greeted
      frames.write(do: "reserve")

      said = Array.new(6) { frames.read }
      assert_equal [:hello, :live, :live, :answer, :alive, :alive], said.flat_map(&:keys)
    ensure
      to_there.close
      serving.join
    end

    test "a machine that can't be reserved is an error here, and so far nothing is known of it" do
      pair = Pair.new(lock: Lock.new(error: EnvironmentError.new("process 7 has it")))

      error = assert_raises(EnvironmentError) { pair.ask(do: "reserve") { |_| nil } }
      assert_equal "process 7 has it", error.message
      assert_equal({ foreign_cpu_share: nil }, pair.ask(do: "foreign_load"))
      pair.close
    end

    test "what can't be done there is an error here, and the next order is obeyed" do
      far = engine

      error = assert_raises(EnvironmentError) { far.run([step(targets: [9])]) }
      assert_equal "no such target", error.message
      assert_raises(EnvironmentError) { @pair.ask(do: "dance") }
      assert_operator @pair.ask(do: "clock").fetch(:mono_ns), :<=, Clock.mono_ns
    end
  end
end
