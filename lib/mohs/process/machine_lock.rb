# frozen_string_literal: true

module Mohs
  module Process
    # One machine measures one cohort at a time: two at once would take the same cores and measure
    # each other. A name that all mohs of this machine share decides whose turn it is.
    class MachineLock
      NAME = "mohs-measuring"
      POLL_S = 0.1

      # How long another user's process is waited for: several times as long as a cohort takes.
      # Anybody can hold the name without measuring.
      STRANGER_S = 900

      #: (?name: String, ?stranger_s: Numeric) -> void
      def initialize(name: NAME, stranger_s: STRANGER_S)
        @name = name
        @stranger_s = stranger_s
      end

      # Holds the machine for the block. `wait` is called, once, with the process that it has to
      # wait for. Raises EnvironmentError if another user's doesn't end.
      #: [T] (wait: Proc) { () -> T } -> T
      def hold(wait:)
        held = MachineName.take(@name) || await(wait)
        yield
      ensure
        held&.release
      end

      private

      def await(wait)
        deadline = Clock.deadline(@stranger_s)
        wait.call(MachineName.holder(@name))
        until (held = MachineName.take(@name))
          refuse_stranger if Clock.mono_ns > deadline
          Interruption.heard { sleep POLL_S }
        end
        held
      end

      # One's own processes and root's are no strangers.
      def refuse_stranger
        holder = MachineName.holder(@name)
        return if holder.nil? || holder.ours? || holder.uid&.zero?

        process = holder.pid ? "process #{holder.pid} of #{holder.user}" : "an unknown process"
        raise EnvironmentError,
              "#{process} has kept this machine for itself for #{(@stranger_s / 60.0).round} min " \
              "(the socket @#{@name} in /proc/net/unix). Have it ended, by root if need be" \
              "#{": kill #{holder.pid}" if holder.pid}; then start again or `mohs resume`."
      end
    end
  end
end
