# frozen_string_literal: true

module Mohs
  module Process
    # One machine measures one cohort at a time: two at once would take the same cores and measure
    # each other. A name that all mohs of this machine share decides whose turn it is.
    class MachineLock
      NAME = "mohs-measuring"
      # Names of places in a queue, from its end to the front. Who comes takes the last one and
      # moves up while the one ahead is free, so that nobody passes: neither a neighbour that
      # measures cohort after cohort and asks again at once, nor one of many that ask.
      PLACES = 16.downto(1).map { |place| "-next-#{place}" }.freeze
      POLL_S = 0.1

      # How long another user's processes are waited for: several times as long as a cohort takes.
      # Anybody can hold the name without measuring, and take it again as soon as it is free.
      STRANGER_S = 900
      # How often the holder is looked at in that time. Each look is a visit that the holder never
      # answers, and a socket has room for some hundreds of them (listen(2)).
      LOOKS = 90

      # How often it is told that it still waits.
      RENEW_S = 1.0

      #: (?name: String, ?stranger_s: Numeric, ?renew_s: Numeric) -> void
      def initialize(name: NAME, stranger_s: STRANGER_S, renew_s: RENEW_S)
        @name = name
        @stranger_s = stranger_s
        @renew_s = renew_s
      end

      # Holds the machine for the block. `wait` is called, once, with the process that it has to
      # wait for; `still` every second of the wait, with the one that was seen last. Raises
      # EnvironmentError if another user's doesn't end.
      #: [T] (wait: Proc, ?still: Proc) { () -> T } -> T
      def hold(wait:, still: ->(_holder) {})
        @seen = held = nil
        announced = false
        announce = lambda do |name|
          announced ||= true.tap { wait.call(@seen = holder(name)) }
        end
        [*PLACES, ""].each do |place|
          ahead = take(@name + place, announce, still)
          held&.release
          held = ahead
        end
        yield
      ensure
        held&.release
      end

      private

      # The one that measures; else the one that has this name.
      def holder(name) = MachineName.holder(@name) || MachineName.holder(name)

      def take(name, announce, still)
        held = MachineName.take(name) and return held

        announce.call(name)
        await(name, still)
      end

      # Adds up how long each other user has had it, in however many turns: only a turn of our own,
      # or root's, begins the count anew.
      def await(name, still)
        spent_s = Hash.new(0)
        next_look, next_word = [look_s, @renew_s].map { |each_s| Clock.deadline(each_s) }
        until (held = MachineName.take(name))
          Interruption.heard { sleep POLL_S }
          next_word = renew(still) if Clock.mono_ns >= next_word
          next if Clock.mono_ns < next_look || (seen = holder(name)).nil?

          count(@seen = seen, spent_s)
          next_look = Clock.deadline(look_s)
        end
        held
      end

      # Without a look of its own: those are few.
      def renew(still)
        still.call(@seen)
        Clock.deadline(@renew_s)
      end

      def look_s = [@stranger_s.fdiv(LOOKS), POLL_S].max

      # Those that nothing is known about count as one user. While we are stopped ourselves, there
      # are no looks that count.
      def count(holder, spent_s)
        return spent_s.clear if holder.ours? || holder.uid&.zero?

        spent_s[holder.uid] += look_s
        refuse(holder) if spent_s[holder.uid] > @stranger_s
      end

      def refuse(holder)
        process = holder.pid ? "process #{holder.pid} of #{holder.user}" : "an unknown process"
        raise EnvironmentError,
              "#{process} has kept this machine for itself for #{(@stranger_s / 60.0).round} min " \
              "(the socket @#{holder.name} in /proc/net/unix). Have it ended, by root if need be" \
              "#{": kill #{holder.pid}" if holder.pid}; then start again or `mohs resume`."
      end
    end
  end
end
