# frozen_string_literal: true

require "socket"

module Mohs
  # Trials alive together and compared with each other: Execution runs one from its row, Session
  # loads it. Here the small parts of both.
  module Cohort
    # Who holds a claim: "host:pid:start", where start (field 22 of /proc/PID/stat, in ticks since
    # boot) tells a process from a later one with the same number.
    module Token
      module_function

      #: () -> String
      def own = [Socket.gethostname, ::Process.pid, started(::Process.pid)].join(":")

      # False only where the holder was a process of this host and is gone; of another host nothing
      # is known.
      #: (String) -> bool
      def alive?(token)
        host, pid, start = token.split(":")
        host != Socket.gethostname || started(pid) == start
      end

      # The process of this host that holds it and lives, else nil.
      #: (String) -> Integer?
      def holder(token)
        host, pid, start = token.split(":")
        pid.to_i if host == Socket.gethostname && start && started(pid) == start
      end

      # Behind the command's name, which may contain spaces and parentheses, stand fields 3 and on.
      def started(pid)
        File.read("/proc/#{pid}/stat").rpartition(")").last.split[19]
      rescue SystemCallError
        nil
      end

      private_class_method :started
    end

    # Memory is compared at equal requests, never at equal time (method, section 4): a server that
    # answered more has allocated more. So those that answered fewer go on for a while.
    class Equalizer
      # No server is loaded for longer than this to have answered as many as another.
      MOST_S = 1

      #: (Array[Trial]) -> void
      def initialize(trials)
        @trials = trials
        most = trials.map(&:sent).max
        @wanted = trials.to_h do |trial|
          [trial, [most, trial.sent + (trial.warm_up.rate * MOST_S).ceil].min]
        end
      end

      # Who goes on together, on different cores, and for how many requests: each turn is the last
      # of one at least. Nobody, and nil, where all have answered enough.
      #: () -> [Array[Trial], Integer?]
      def turn
        behind = @trials.select { |trial| missing(trial).positive? }.uniq(&:worker)
        [behind, behind.map { |trial| missing(trial) }.min]
      end

      private

      def missing(trial) = @wanted.fetch(trial) - trial.sent
    end

    # Lets the servers of a duet change halves between slices, each with the driver's thread that
    # loads it, where there is one of each variant: its connections stay with that thread.
    class CoreSwap
      #: (Cohort::Layout, Drivers::Base) -> void
      def initialize(layout, driver)
        @layout = layout
        @driver = driver
      end

      # steps: who is loaded together, each on the half of its place in the list. Yields those that
      # can be done in one go.
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
          Process::CpuSet.pin(trial.pids, @layout.places[half].cpus)
        end
        threads = trials.each_index.sort_by { |half| trials[half].worker }
        @driver.pin(@layout.driver_cpus.values_at(*threads))
      end
    end

    # What the driver could do at most where a cohort was measured (Load::NullServerRate): asked
    # once for a run, behind its first cohort, when no server is there to be disturbed. All variants
    # are asked for the same, and by the same driver.
    class HeadroomProbe
      #: (?driver: Class) -> void
      def initialize(driver: Drivers.fetch("native"))
        @driver = driver
      end

      # Answers a second of a server that does nothing; nil while none was measured, or as there.
      #: (Array[Trial], Cohort::Layout) -> Float?
      def call(trials, layout)
        trial = trials.find(&:recording)
        return @empty_per_s if @empty_per_s || trial.nil?

        driver = ->(**options) { @driver.new(**options) }
        body_bytes = trial.answers.first.length.to_i
        @empty_per_s = Load::NullServerRate.new(driver:, cpus: layout.driver_cpus.first(1))
                                           .call(trial.target, body_bytes:)
      end
    end

    # Writes the trials of a finished cohort, all in one transaction after load has stopped: a
    # report sees the whole cohort or none of it.
    class Writer
      # facts: of all of them, as Trial::Facts takes them.
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
        @store.finish_trial(trial.id, trial.over? ? trial.outcome.merge(facts.partial) : facts.row)
      end
    end
  end
end
