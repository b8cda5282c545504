# frozen_string_literal: true

require "io/wait"

module Mohs
  module Fleet
    # `mohs run-cohort -` below a supervisor: a CohortRunner in a process of its own, so that
    # nothing is left of it when ours ends, however it does.
    class RunProcess
      POLL_S = 1
      LINES = 5
      # For so long one without work may remove its files (filled databases and their password)
      # before it is killed. Shorter than a host may be silent.
      CLEAN_UP_S = 5

      # The run whose cohorts it measures.
      #: Integer
      attr_reader :run_id

      # folder: for what it prints. env: laid over ours.
      #: (Integer, host: String, folder: String, ?env: Hash[String, String?], ?argv: Array[String]) -> void
      def initialize(run_id, host:, folder:, env: {},
                     argv: Fleet.mohs("run-cohort", "-", "--host", host))
        @run_id = run_id
        orders, @orders = IO.pipe
        @answers, answers = IO.pipe
        @child = start(Process::Command.new(argv:, env:), File.join(folder, "log"), orders, answers)
      ensure
        [orders, answers].each { |io| io&.close }
      end

      # What became of the cohort (Attempt#call). The block, called every second, says whether to
      # wait no longer. Raises Error with what it printed last if it has ended, and if it answers
      # anything else: then close it.
      #: (Integer) ?{ () -> bool } -> String
      def measure(cohort_id)
        @busy = true
        @orders.puts(cohort_id)
        @orders.flush
        @child.kill if block_given? && yield until @answers.wait_readable(POLL_S)
        outcome(@answers.gets || ended(cohort_id), cohort_id).tap { @busy = false }
      rescue Errno::EPIPE
        ended(cohort_id)
      end

      #: () -> bool
      def alive? = @child.alive?

      # Gives back what is under way, and ends.
      #: () -> void
      def give_back = @child.signal("TERM")

      # It ends by itself once there are no more orders, unless a cohort is under way. Safe to call
      # again.
      #: () -> void
      def close
        @orders.close
        @child.wait(CLEAN_UP_S) unless @busy
      ensure
        @child.kill
        @answers.close
      end

      private

      def start(command, log, orders, answers)
        File.open(log, "w") do |err|
          Process::Spawner.new(base_env: ENV.to_h)
                          .start(command, input: orders, out: answers, err:, log:)
        end
      end

      # A line "17 done" of its answers.
      def outcome(line, cohort_id)
        id, outcome = line.split
        return outcome if outcome && id == cohort_id.to_s

        raise Error, "cohort #{cohort_id}: mohs run-cohort answered " \
                     "#{Printable.call(line.chomp)}, not \"#{cohort_id} OUTCOME\""
      end

      def ended(cohort_id)
        status = @child.wait(POLL_S)
        raise Error, "cohort #{cohort_id}: #{status}: #{@child.log_tail(LINES)}"
      end
    end
  end
end
