# frozen_string_literal: true

require "fileutils"

module Mohs
  class Verification
    # Boots one server on one Ruby, several times and in several ways, and tries what it does. The
    # server is installed; its folder is a scratch folder of this examination alone.
    class Examination
      PROCESSES = 2
      THREADS = 3
      # Simultaneous requests beyond the number that can be held, so that a larger number would be
      # seen.
      BEYOND = 2
      HOLD_S = 0.5
      # Connections that a server is asked to hold, and what else it may have open.
      CONNECTIONS = 1_000
      OTHER_FILES = 200
      # A busy machine may deliver requests late, and workers accept connections by chance.
      TRIES = 8
      # Seconds that the request under way at a stop takes: more than the one or two seconds that
      # Falcon 0.57 and Agoo wait.
      UNDER_WAY_S = 3
      # Seconds after the stop signal in which all processes must end.
      STOP_S = 20
      # How long all processes are loaded to see which of them work, repeated until that is sure
      # (Work): Agoo answers its single connection 25 times a second.
      LOAD_NS = 1_000_000_000
      LOADS = 10
      TICK_MS = Probes::Cpu::TICK_NS / 1_000_000
      # Once the first boot has shown its time, later boots fail after this many times as long.
      SLOWER = 5
      LEAST_LIMIT_S = 15

      # The message that the application raises if it is meant to be broken.
      BROKEN = "broken on purpose"

      # Why the server can't be examined, and its last lines.
      attr_reader :reason, :log_tail

      # Version of the server; nil if its process can't tell it.
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

      # The traits seen; empty, with a reason, if the server does not boot.
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

      # The setup of the server's default settings, or of others.
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

      # Threads of one process.
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

      # The block's value for a booted trial; nil, with the reason, if it did not boot.
      def boot(bind: nil, **settings)
        @reason = nil
        folder = File.join(@folder, (@boots += 1).to_s)
        FileUtils.mkdir(folder)
        trial = Trial.new(id: @boots, setup: setup(folder:, **settings), folder:, bind:,
                          place: Cohort::Layout::Place.new(worker: 0),
                          spawner: Process::Spawner.new)
        trial.boot(**{ limit_s: @limit_s }.compact)
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

      # The server's version; nil if the process can't tell it.
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

      # Requests that the server holds at once, if that number is limited.
      def slots = threads || THREADS

      def count_threads(client)
        return unless claims[:threads]

        held = hold(client, threads + BEYOND) { |some| Client::Held.at_once(some) >= threads }
        counted = held.map { |some| Client::Held.at_once(some) }.max
        note(:threads, counted == threads, asked: threads, counted:)
      end

      # Compares the requests held at once with the threads that held them: with fibers there are
      # more.
      def count_fibers(client)
        asked = THREADS + BEYOND
        held = hold(client, asked) { |some| Client::Held.at_once(some) == asked }.last
        counted = Client::Held.at_once(held)
        note(:fibers, counted > held.map { |one| [one.pid, one.thread] }.uniq.size, asked:,
                                                                                     counted:)
      end

      # All attempts, up to the first that satisfies the block.
      def hold(client, count)
        attempts = []
        TRIES.times do
          attempts << client.hold(count, HOLD_S)
          break if yield(attempts.last)
        end
        attempts
      end

      # Whether the counted CPU time of a trial is that of all processes that work. In milliseconds.
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

      # Number of processes left after the stop signal.
      def left(trial)
        deadline = Clock.deadline(STOP_S)
        sleep 0.05 until trial.pids.empty? || Clock.mono_ns > deadline
        trial.pids.size
      end

      def in_other_ways
        boot(threads: THREADS) { |_, client| spread(client) } if claims[:fibers] && claims[:threads]
        in_processes if claims[:processes]
        preloaded if claims[:preload]
        hold_connections
        note(:unix, boot(unix: true) { |trial| listens?(trial) }) if claims[:unix]
        note(:reports, boot(broken: true) { true }.nil? && reported?)
      end

      # For threads that hold any number of requests: whether all of them take some.
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

      # Puma preloads nothing with one process.
      def preloaded
        loads = boot(processes: PROCESSES, preload: true) do |_, _, folder|
          File.foreach(File.join(folder, "loads")).count
        end
        note(:preload, loads == 1)
      end

      # With its default settings, as people start it. A boot of its own, as streams take threads.
      def hold_connections
        asked = connections
        counted = boot(**@server.parse(nil)) do |trial, _, folder|
          held = Holding.new(trial.target, folder:).count(asked, streams: @traits[:streaming].seen)
          next held if trial.child.alive?

          raise TrialError, Trial::Readiness.ending(trial.child, "died_under_load")
        end
        note(:connections, counted == asked, **{ asked:, counted: }.compact)
      end

      # The server inherits the limit of open files.
      def connections
        count = [CONNECTIONS, Process::Descriptors.room - OTHER_FILES].min
        Process::Descriptors.make_room(count + OTHER_FILES, what: "#{count} connections")
        count
      end

      def listens?(trial)
        Probes::Listener.unix_pids(trial.target.unix, trial.pids).any?
      end

      # Falcon's lines are too long for a log tail.
      def reported? = [@reason, @log_tail, @log].any? { |text| text.to_s.include?(BROKEN) }
    end
  end
end
