# frozen_string_literal: true

module Mohs
  module Tune
    # The response times of a setting by the theory of queues: requests at random moments, so many
    # `servers` that work on one request each, and whatever waits in front of them in the order of
    # arrival. docs/method.md has the sources and how far it is off. Pure.
    class QueueModel
      # The rates of a server that can be found are these shares of its capacity.
      LEAST = 0.01
      MOST = 0.995
      STEPS = 16

      # Steps of Newton's method at most; it needs about 8.
      NEWTON = 60
      private_constant :LEAST, :MOST, :STEPS, :NEWTON

      # service: the times in which these servers serve a request, at the load in question.
      # shared: how many requests a server works on in turns (threads of a process that compute
      # one at a time); 1 if it finishes one before it begins the next.
      #: (service: Tune::ServiceTimes, ?servers: Integer, ?shared: Numeric) -> void
      def initialize(service:, servers: 1, shared: 1)
        @service = service
        @servers = servers
        @shared = [shared, 1].max
      end

      # The highest share of its capacity at which the limit holds; 0 if it holds at none.
      #: (Load::Limit) -> Float
      def utilisation(limit)
        return 0.0 unless holds?(limit, LEAST)
        return MOST if holds?(limit, MOST)

        low, high = LEAST, MOST
        STEPS.times do
          middle = (low + high) / 2
          holds?(limit, middle) ? low = middle : high = middle
        end
        low
      end

      # The share of requests whose response takes longer than this, at such a utilisation.
      #: (Numeric, Float) -> Float
      def beyond(time_s, utilisation)
        tail = tail(utilisation)
        turns = @service.expected { |own_s| waits(tail, time_s - (@shared * own_s)) }
        return turns if @shared == 1

        [turns, @service.expected { |own_s| crowded(time_s / own_s, utilisation) }].min
      end

      # The mean response time. Sharing in turns changes no mean if service times are exponential,
      # and makes it longer if they vary less.
      #: (Float) -> Float
      def mean_s(utilisation)
        wait_s = waiting(utilisation) * @service.mean_s / (@servers * (1 - utilisation))
        shape = (1 + @service.variability) / 2
        @service.mean_s + (wait_s * (@shared == 1 ? shape : [shape, 1].max))
      end

      private

      def holds?(limit, utilisation)
        limit_s = limit.ns / 1e9
        return mean_s(utilisation) <= limit_s unless limit.share

        beyond(limit_s, utilisation) <= 1 - limit.share
      end

      # [chance of a wait, factor, decay]: the chance that a request waits longer than a time is
      # factor * e^(-decay * time), and at most that of any wait. The decay is exact for any
      # number of servers (Takahashi 1981), the factor for one (Cramer and Lundberg).
      def tail(utilisation)
        per_s = utilisation * @servers / @service.mean_s
        decay = decay(per_s)
        growth = @service.expected { |own_s| own_s * grown(decay, own_s) }
        one = (1 - utilisation) / ((per_s / @servers * growth) - 1)
        chance = waiting(utilisation)
        [chance, one * chance / utilisation, decay * @servers]
      end

      def waits((chance, factor, decay), time_s)
        return 1.0 if time_s.negative?

        [chance, factor * Math.exp(-decay * time_s)].min
      end

      # The positive root of E[e^(x S)] = 1 + x servers / rate, by Newton's method from the right:
      # the difference is convex.
      def decay(per_s)
        slope = @servers / per_s
        root = 1 / @service.mean_s
        root *= 2 until rest(root, slope).positive?
        NEWTON.times do
          rise = @service.expected { |own_s| own_s * grown(root, own_s) } - slope
          step = rest(root, slope) / rise
          root -= step
          break if step < root * 1e-9
        end
        root
      end

      def rest(root, slope) = @service.expected { |own_s| grown(root, own_s) } - 1 - (root * slope)

      def grown(root, own_s) = Math.exp([root * own_s, 700].min)

      # The chance that all servers are busy (Erlang's formula C): exact for exponential times.
      def waiting(utilisation)
        offered = utilisation * @servers
        blocked = (1..@servers).inject(1.0) do |share, count|
          offered * share / (count + (offered * share))
        end
        blocked / (1 - (utilisation * (1 - blocked)))
      end

      # The chance that so many requests share the servers that one takes `times` its service
      # time, if they work on all of them in turns: their number does not depend on how service
      # times vary. It changes while a request is served, so half a request less is enough.
      def crowded(times, utilisation)
        return 1.0 if times < 1

        more = (@servers * (times - 1)) - 0.5
        waiting(utilisation) * (utilisation**[more, 0].max)
      end
    end
  end
end
