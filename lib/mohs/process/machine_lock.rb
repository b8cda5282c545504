# frozen_string_literal: true

module Mohs
  module Process
    # One machine measures one cohort at a time: two at once would compete for the same cores and
    # measure each other. A name shared by every mohs on this machine decides whose turn it is.
    class MachineLock
      NAME = "mohs-measuring"
      # Names of places in a queue, from its end to its front. A newcomer takes the last place and
      # moves up whenever the place ahead is free, so that nobody can overtake: neither a neighbour
      # that measures cohort after cohort and asks again at once, nor one of many waiting processes.
      PLACES = 16.downto(1).map { |place| "-next-#{place}" }.freeze
      POLL_S = 0.1

      # How long to wait for processes of another user: several times as long as a cohort takes.
      # Anybody can hold the name without measuring, and take it again as soon as it is free.
      STRANGER_S = 900
      # How often the holder is looked up in that time. Each look-up is a connection that the holder
      # never accepts, and a socket has room for only a few hundred of them (listen(2)).
      LOOKS = 90

      # Seconds between two reports that it is still waiting.
      RENEW_S = 1.0

      #: (?name: String, ?stranger_s: Numeric, ?renew_s: Numeric) -> void
      def initialize(name: NAME, stranger_s: STRANGER_S, renew_s: RENEW_S)
        @name = name
        @stranger_s = stranger_s
        @renew_s = renew_s
      end

      # Holds the machine for the block. `wait` is called once, with the process that has to be
      # waited for; `still` every second of the wait, with the holder seen last. Raises
      # EnvironmentError if another user's process doesn't end.
      #: [T] (wait: Proc, ?still: Proc) { () -> T } -> T
      def hold(wait:, still: ->(_holder) {})
        queue(wait, still)
        yield
      ensure
        release
      end

      # Called while it is held: lets those that wait measure first, as if this process asked anew.
      # Without any, it returns at once. `wait` and `still` as for `hold`.
      #: (wait: Proc, ?still: Proc) -> void
      def pass(wait:, still: ->(_holder) {})
        release
        queue(wait, still)
      end

      private

      def queue(wait, still)
        @seen = nil
        announced = false
        announce = lambda do |name|
          announced ||= true.tap { wait.call(@seen = holder(name)) }
        end
        [*PLACES, ""].each do |place|
          ahead = take(@name + place, announce, still)
          release
          @held = ahead
        end
      end

      def release
        @held&.release
        @held = nil
      end

      # The process that is measuring; else the one that has this name.
      def holder(name) = MachineName.holder(@name) || MachineName.holder(name)

      def take(name, announce, still)
        held = MachineName.take(name) and return held

        announce.call(name)
        await(name, still)
      end

      # Adds up how long each other user has had the name, in however many turns: only a turn of our
      # own user or of root resets the count.
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

      # Does not look up the holder: look-ups are limited.
      def renew(still)
        still.call(@seen)
        Clock.deadline(@renew_s)
      end

      def look_s = [@stranger_s.fdiv(LOOKS), POLL_S].max

      # Adds one look-up's time. Unknown users count as one user. While mohs itself is stopped, no
      # time is counted, since there are no look-ups.
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
