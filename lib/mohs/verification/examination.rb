# frozen_string_literal: true

require "fileutils"

module Mohs
  class Verification
    # Boots one server on one Ruby, several times and in several ways, and tries what it does. The
    # server is installed; its folder is a scratch folder of this examination alone.
    class Examination
      PROCESSES = 2
      THREADS = 3
      # Requests at once beyond the number that can be held, so that more would be seen.
      BEYOND = 2
      HOLD_S = 0.5
      # A busy machine may deliver requests late, and workers take connections by chance.
      TRIES = 8
      # How long a request takes that is under way at a stop: more than the one or two seconds that
      # Falcon 0.57 and Agoo wait.
      UNDER_WAY_S = 3
      # After the stop signal, for all processes.
      STOP_S = 20
      # All processes are loaded so long to see which of them work, again until that is sure (Work):
      # Agoo answers its one connection 25 times a second.
      LOAD_NS = 1_000_000_000
      LOADS = 10
      TICK_MS = Probes::Cpu::TICK_NS / 1_000_000
      # Until a boot counts as failed that a first one predicts: its time, several times over.
      SLOWER = 5
      LEAST_LIMIT_S = 15

      # What the application raises when it is to be broken.
      BROKEN = "broken on purpose"

      # Why the server can't be examined, with its last lines.
      attr_reader :reason, :log_tail

      # Of the server; nil if its process can't tell it.
      attr_reader :version

      #: (singleton(Servers::Base), Rubies::Ruby, setups: Trial::Setups, folder: String) -> void
      def initialize(server, ruby, setups:, folder:)
        @server = server
        @ruby = ruby
        @setups = setups
        @folder = folder
        @traits = {}
        @boots = 0
      end

      # What was seen; empty, with a reason, if it does not boot.
      #: () -> Hash[Symbol, Verification::Result::Trait]
      def call
        Process::Port.lease do |port|
          bind = Servers::Bind.new(host: Process::Port::HOST, port:)
          boot(bind:) { |trial| examine(trial) } or return {}
          note(:restarts, boot(bind:) { true })
        end
        in_other_ways
        @traits.slice(*Claims::ALL)
      end

      # The setup of its default settings, or others.
      #: (?folder: String, ?broken: bool, **untyped) -> Trial::Setup
      def setup(folder: @folder, broken: false, **settings)
        env = { "MOHS_VERIFICATION" => folder,
                **(broken ? { "MOHS_VERIFICATION_BROKEN" => BROKEN } : {}) }
        variant = Study::Variant.new(name: @server.label, ruby: @ruby.path, engine: @ruby.engine,
                                     server: @server.label, processes: 1, threads:, **settings)
        study = Study.new(app: Verification::APP, connections: 1, env:, variants: [variant],
                          requests: [App::Request.build(path: "/")])
        @setups.for(study, variant)
      end

      private

      def claims = @claims ||= Claims.of(@server, @ruby.engine)

      # Those of one process.
      def threads
        return @server::THREADS if claims[:fibers] || !claims[:threads]

        [THREADS, *@server::THREADS].find { |count| possible?(count) }
      end

      def possible?(threads)
        Verification.refused_settings(@server, @ruby, processes: 1, threads:).nil?
      end

      def note(name, seen, **counts)
        reason = @reason unless seen
        @traits[name] = Result::Trait.new(seen: seen ? true : false, reason:, **counts)
      end

      # What the block gives for a booted trial; nil if it did not boot, with the reason.
      def boot(bind: nil, limit_s: @limit_s, **settings)
        @reason = nil
        folder = File.join(@folder, (@boots += 1).to_s)
        FileUtils.mkdir(folder)
        trial = Trial.new(id: @boots, setup: setup(folder:, **settings), folder:, bind:,
                          place: Cohort::Layout::Place.new(worker: 0),
                          spawner: Process::Spawner.new)
        trial.boot(**{ limit_s: }.compact)
        trial.check
        yield trial, Client.new(trial.target, folder:), folder
      rescue TrialError => error
        trial.end_as(error)
        @reason, @log_tail = trial.outcome.values_at(:reason, :log_tail)
        @log = trial.child&.log_tail(Trial::LOG_LINES)
        nil
      ensure
        trial&.stop
      end

      def examine(trial)
        @limit_s = [LEAST_LIMIT_S, SLOWER * trial.boot_ns / 1e9].max
        @version = release(trial)
        client = Client.new(trial.target, folder: File.join(@folder, @boots.to_s))
        converse(client)
        count_work(trial)
        survive(trial, client)
        stop(trial, client)
        true
      end

      # nil if the process can't tell it.
      def release(trial)
        return trial.setup.versions[@server.gem] unless @server::RELEASE

        trial.attest
        trial.attested.fetch(:gems)[@server.label]
      end

      def converse(client)
        note(:keep_alive, client.kept?)
        claims[:fibers] ? count_fibers(client) : count_threads(client)
        note(:streaming, client.streamed?)
        note(:websocket, client.websocket?)
        note(:proxy_needed, !@traits[:keep_alive].seen || client.held_up?(slots))
      end

      # Requests that it holds at once, if that is limited.
      def slots = threads || THREADS

      def count_threads(client)
        return unless claims[:threads]

        held = hold(client, threads + BEYOND) { |some| Client::Held.at_once(some) >= threads }
        counted = held.map { |some| Client::Held.at_once(some) }.max
        note(:threads, counted == threads, asked: threads, counted:)
      end

      # More requests at once than threads that hold them.
      def count_fibers(client)
        asked = THREADS + BEYOND
        held = hold(client, asked) { |some| Client::Held.at_once(some) == asked }.last
        counted = Client::Held.at_once(held)
        note(:fibers, counted > held.map { |one| [one.pid, one.thread] }.uniq.size, asked:,
                                                                                     counted:)
      end

      # All attempts, up to the first that the block is content with.
      def hold(client, count)
        attempts = []
        TRIES.times do
          attempts << client.hold(count, HOLD_S)
          break if yield(attempts.last)
        end
        attempts
      end

      # Is the CPU time of a trial that of all processes which work? In milliseconds.
      def count_work(trial)
        work = Work.new(trial.lasting)
        LOADS.times do
          before = Probes::Cpu.ticks(trial.pids)
          load(trial.target)
          after = Probes::Cpu.ticks(trial.pids)
          work.add(after.to_h { |pid, ticks| [pid, (ticks - before.fetch(pid, 0)) * TICK_MS] })
          break if work.sure?
        end
        note(:counted, work.all_counted?, asked: work.asked, counted: work.counted)
      end

      def load(target)
        driver = Drivers.fetch("native").new(targets: [target])
        driver.run([Load::Step.new(targets: [0], duration_ns: LOAD_NS)])
      ensure
        driver&.close
      end

      def survive(trial, client)
        before = trial.workers
        client.leave
        note(:survives, client.answered? && trial.child.alive? && trial.workers == before)
      end

      def stop(trial, client)
        drains = client.answered_during?(UNDER_WAY_S) do
          trial.child.signal(trial.setup.stop_signal)
        end
        note(:drains, drains)
        left = left(trial)
        note(:ends, left.zero?, asked: 0, counted: left)
      end

      # Processes that the stop signal has left.
      def left(trial)
        deadline = Clock.deadline(STOP_S)
        sleep 0.05 until trial.pids.empty? || Clock.mono_ns > deadline
        trial.pids.size
      end

      def in_other_ways
        boot(threads: THREADS) { |_, client| spread(client) } if claims[:fibers] && claims[:threads]
        in_processes if claims[:processes]
        preloaded if claims[:preload]
        note(:unix, boot(unix: true) { |trial| listens?(trial) }) if claims[:unix]
        note(:reports, boot(broken: true) { true }.nil? && reported?)
      end

      # Threads that hold any number of requests: do all of them take some?
      def spread(client)
        held = hold(client, THREADS * PROCESSES * BEYOND) do |some|
          some.map(&:thread).uniq.size >= THREADS
        end
        counted = held.flatten.map(&:thread).uniq.size
        note(:threads, counted == THREADS, asked: THREADS, counted:)
      end

      def in_processes
        workers = nil
        held = boot(processes: PROCESSES) do |trial, client|
          count_work(trial) if @traits[:counted].seen
          workers = trial.workers
          hold(client, (PROCESSES * slots) + BEYOND) { |some| (workers - some.map(&:pid)).empty? }
        end
        pids = held.to_a.flatten.map(&:pid).uniq
        note(:processes, pids.size == PROCESSES, asked: PROCESSES, counted: pids.size)
        note(:workers, workers && pids.sort == workers.sort)
      end

      # Puma preloads nothing in one process.
      def preloaded
        loads = boot(processes: PROCESSES, preload: true) do |_, _, folder|
          File.foreach(File.join(folder, "loads")).count
        end
        note(:preload, loads == 1)
      end

      def listens?(trial)
        Probes::Listener.unix_pids(trial.target.unix, trial.pids).any?
      end

      # Falcon's lines are too long for a tail.
      def reported? = [@reason, @log_tail, @log].any? { |text| text.to_s.include?(BROKEN) }
    end
  end
end
