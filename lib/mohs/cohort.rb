# frozen_string_literal: true

require "digest"
require "socket"

module Mohs
  # Trials alive together and compared with each other: Execution runs a cohort from its row,
  # Session loads it. This file has the small parts of both.
  module Cohort
    # The holder of a claim: "host:pid:start:machine", where start (field 22 of /proc/PID/stat, in
    # ticks since boot) distinguishes a process from a later one with the same number, and machine
    # those numbers from the ones of other machines and containers, which may share a hostname.
    # Where the kernel doesn't tell the machine, the hostname counts.
    module Token
      MACHINE = 12 # hexadecimal digits

      module_function

      #: () -> String
      def own
        [Socket.gethostname, ::Process.pid, started(::Process.pid), machine].join(":")
      end

      # False only if the holder was a process of this machine, since it booted, and is gone;
      # nothing is known about other processes.
      #: (String) -> bool
      def alive?(token)
        _, pid, start = token.split(":")
        !here?(token) || started(pid) == start
      end

      # The living process of this machine that holds the claim, else nil.
      #: (String) -> Integer?
      def holder(token)
        _, pid, start = token.split(":")
        pid.to_i if start && here?(token) && started(pid) == start
      end

      def here?(token)
        host, _, _, machine = token.split(":")
        machine ? machine == self.machine : host == Socket.gethostname
      end

      # Where this process has its number: the boot of the kernel, and the namespace
      # (pid_namespaces(7)) that a container has of its own. Not kept: a fork may be in another.
      def machine
        namespace = File.readlink("/proc/self/ns/pid")
        Digest::SHA256.hexdigest("#{Process.boot_id}\0#{namespace}")[0, MACHINE]
      rescue SystemCallError
        nil
      end

      # Fields 3 and on follow the command's name, which may contain spaces and parentheses.
      def started(pid)
        File.read("/proc/#{pid}/stat").rpartition(")").last.split[19]
      rescue SystemCallError
        nil
      end

      private_class_method :here?, :machine, :started
    end

    # Memory is compared at equal numbers of requests, never at equal times (method, section 4): a
    # server that answered more requests has allocated more. So servers that answered fewer are
    # loaded a while longer. In a scenario the numbers of actions are made equal: a step's count is
    # of actions (Load::Step), each of several requests.
    class Equalizer
      # Seconds that a server is loaded at most, to catch up with another.
      MOST_S = 1

      # The same where it became far slower than it was when warm.
      LIMIT_NS = 2_000_000_000

      #: (Array[Trial]) -> void
      def initialize(trials)
        @trials = trials
        most = trials.map { |trial| amount(trial) }.max
        @wanted = trials.to_h do |trial|
          [trial, [most, amount(trial) + (rate(trial) * MOST_S).ceil].min]
        end
      end

      # The trials to load next, on different cores, and for how many requests: at least one trial
      # has caught up after each turn, if none became far slower. [] and nil if all have.
      #: () -> [Array[Trial], Integer?]
      def turn
        behind = @trials.select { |trial| missing(trial).positive? }.uniq(&:worker)
        [behind, behind.map { |trial| missing(trial) }.min]
      end

      private

      def missing(trial) = @wanted.fetch(trial) - amount(trial)

      # Requests sent, or actions begun, so far.
      def amount(trial)
        trial.samples.sum { |sample| sample.result.actions || sample.result.sent }
      end

      # Rate of the same unit (requests or actions), when the server was warm.
      def rate(trial) = trial.warm_up.rate * amount(trial) / [trial.sent, 1].max
    end

    # Swaps the cores of a duet with one server of each variant between slices. The driver thread
    # that loads a server moves with it, so that its connections stay on that thread.
    class CoreSwap
      #: (Cohort::Layout, Drivers::Base) -> void
      def initialize(layout, driver)
        @layout = layout
        @driver = driver
      end

      # steps: trials loaded together, each on the half that its place in the list gives. Yields the
      # steps that can run without a swap between them.
      #: (Array[Array[Trial]]) { (Array[Array[Trial]]) -> void } -> void
      def parts(steps)
        return yield steps unless @layout.exchange

        steps.each do |trials|
          move(trials)
          yield [trials]
        end
      end

      private

      def move(trials)
        trials.each_with_index do |trial, half|
          next if trial.half == half

          trial.half = half
          settle(trial, @layout.places[half].cpus)
        end
        threads = trials.each_index.sort_by { |half| trials[half].worker }
        @driver.pin(@layout.driver_cpus.values_at(*threads))
      end

      # One that can't be moved ends.
      def settle(trial, cpus)
        trial.move(cpus)
      rescue TrialError => error
        trial.end_as(error)
      end
    end

    # The highest rate that the driver can reach where a cohort was measured (Load::NullServerRate):
    # measured once per run, after its first cohort, when no server is there to be disturbed. It is
    # the same for all variants, since all are measured with the same driver.
    class HeadroomProbe
      #: (?driver: ^(**untyped) -> Drivers::Base) -> void
      def initialize(driver: Drivers.fetch("native").method(:new))
        @driver = driver
      end

      # Responses per second of a null server; nil if not measured, as in Load::NullServerRate.
      # agent: the link to the machine that load comes from, if that is another one.
      #: (Array[Trial], Cohort::Layout, ?agent: Agent::Link?) -> Float?
      def call(trials, layout, agent: nil)
        @empty_per_s ||= of_any(trials) do |target, body_bytes|
          null_server(layout, agent).call(target, body_bytes:)
        end
      end

      # The network's round trip to that machine, measured in every cohort
      # (Load::NullServerRate#round_trip).
      #: (Array[Trial], Cohort::Layout, agent: Agent::Link) -> { p50_ns: Integer, p99_ns: Integer }?
      def round_trip(trials, layout, agent:)
        of_any(trials) do |target, body_bytes|
          null_server(layout, agent).round_trip(target, body_bytes:)
        end
      end

      private

      def of_any(trials)
        trial = trials.find(&:recording) or return
        yield plain(trial.target), trial.answers.first.length.to_i
      end

      def null_server(layout, agent)
        return Load::NullServerRate.new(driver: agent.driver, host: agent.listen) if agent

        Load::NullServerRate.new(driver: @driver, cpus: layout.driver_cpus.first(1))
      end

      # A scenario's requests cost a driver as much as others do.
      def plain(target)
        return target unless target.scenario

        Load::Target.new(**target.to_h, scenario: nil, requests: nil)
      end
    end

    # Writes the trials of a finished cohort, all in one transaction after the load has stopped: a
    # report sees the whole cohort or none of it.
    class Writer
      # facts: options for Trial::Facts, the same for all trials.
      #: (Store, **Object?) -> void
      def initialize(store, **facts)
        @store = store
        @facts = facts
      end

      #: (Array[Trial]) ?{ () -> void } -> void
      def call(trials)
        recorded = trials.select(&:recording)
        encoded = recorded.to_h { |trial| [trial, trial.recording.encode] }
        @store.transaction do
          trials.each { |trial| write(trial, encoded[trial]) }
          yield if block_given?
        end
      end

      private

      def write(trial, encoded)
        facts = Trial::Facts.new(trial, **@facts)
        @store.add_slices(trial.id, facts.slices)
        @store.add_observations(trial.id, encoded, trial.recording.size) if encoded
        @store.add_profile(trial.id, trial.profile.dump) if trial.profile
        @store.finish_trial(trial.id, trial.over? ? facts.ended : facts.row)
      end
    end
  end
end
