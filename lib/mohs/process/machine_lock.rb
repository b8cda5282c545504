# frozen_string_literal: true

module Mohs
  module Process
    # One machine measures one cohort at a time: two at once would take the same cores and measure
    # each other. A name that all mohs of this machine share decides whose turn it is.
    class MachineLock
      NAME = "mohs-measuring"
      # Whoever is next has this one: a neighbour that measures cohort after cohort must queue for
      # it, too, however quickly it asks again.
      QUEUE = "-next"
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
        announced = false
        announce = -> { announced ||= wait.call(holder) || true }
        turn = take(@name + QUEUE, announce)
        held = take(@name, announce)
        turn.release
        yield
      ensure
        [turn, held].each { |name| name&.release }
      end

      private

      # The one that measures; else the one that is next.
      def holder = MachineName.holder(@name) || MachineName.holder(@name + QUEUE)

      def take(name, announce)
        held = MachineName.take(name) and return held

        announce.call
        await(name)
      end

      # Only one holder's time counts: others may have had their turns in between.
      def await(name)
        seen = holder
        deadline = Clock.deadline(@stranger_s)
        until (held = MachineName.take(name))
          if Clock.mono_ns > deadline
            seen = holder.tap { |now| refuse_stranger(now) if now == seen }
            deadline = Clock.deadline(@stranger_s)
          end
          Interruption.heard { sleep POLL_S }
        end
        held
      end

      # One's own processes and root's are no strangers.
      def refuse_stranger(holder)
        return if holder.nil? || holder.ours? || holder.uid&.zero?

        process = holder.pid ? "process #{holder.pid} of #{holder.user}" : "an unknown process"
        raise EnvironmentError,
              "#{process} has kept this machine for itself for #{(@stranger_s / 60.0).round} min " \
              "(the socket @#{holder.name} in /proc/net/unix). Have it ended, by root if need be" \
              "#{": kill #{holder.pid}" if holder.pid}; then start again or `mohs resume`."
      end
    end
  end
end
