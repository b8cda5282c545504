# frozen_string_literal: true

module Mohs
  module Tune
    # The share of its rate with all threads busy that a setting serves within a limit, by the
    # theory of queues (QueueModel): between `low` and `high`, which differ as nobody knows in
    # which order a server works on what waits; `value` is their geometric mean. Pure.
    #
    # High: requests wait in one queue for whatever thread of any process is free, and each is
    # finished before its thread turns to another. Low: they are spread over the processes before
    # they wait, unevenly, and the threads of a process take turns at its lock.
    class UsableShare < Struct.new(:value, :low, :high, keyword_init: true)
      include Value

      # What the model leaves out, such as the noise of a machine, and what its formulas are off
      # by. And what the busiest process has less to spare than the others: of 24 settings that
      # were searched six times each (benchmark/tune/queue_model.rb), the lowest two served 14 %
      # less than the low end would be without it, and 13 were above the middle.
      ERROR = 0.05
      UNEVEN = 0.15

      # Below this nothing is known: the limit is as short as single requests.
      LEAST = 0.02

      # Requests that a process without threads (on fibers) works on in turns.
      MANY = 64
      private_constant :ERROR, :UNEVEN, :LEAST, :MANY

      # 0 if the limit can't hold at any rate. service: of one process of one thread alone; nil:
      # unknown, so somewhere between constant and exponential times. capacity_per_s: with all
      # threads busy.
      #: (limit: Load::Limit, service: Tune::ServiceTimes?, capacity_per_s: Numeric, processes: Integer?, threads: Integer?) -> Tune::UsableShare
      def self.of(limit:, service:, capacity_per_s:, processes:, threads:)
        shape = Shape.new(capacity_per_s:, service:, processes: processes || 1,
                          threads: threads || MANY)
        high = [(1 + ERROR) * shape.at_most(limit), 1.0].min
        return new(value: 0.0, low: 0.0, high: 0.0) if high.zero?

        uneven = shape.processes > 1 ? UNEVEN : 0.0
        low = [(1 - ERROR) * (1 - uneven) * shape.at_least(limit), LEAST].max
        low = [low, high].min
        new(value: Math.sqrt(low * high), low:, high:)
      end

      # By how much it is larger than another one, a logarithm, and by how much that may be off.
      Ratio = Struct.new(:value, :bias, keyword_init: true) { include Value }

      # same: of servers of the same shape, for which the model is wrong in the same direction.
      # Not so of different numbers of threads: one connection for each of few threads is as one
      # queue, and many connections are spread over the processes.
      #: (Tune::UsableShare, ?same: bool) -> Tune::UsableShare::Ratio
      def over(other, same: false)
        value, low, high = %i[value low high].map do |one|
          Math.log(public_send(one) / other.public_send(one))
        end
        bias = Math.log(high_over_low * other.high_over_low) / 2
        bias = [low - value, high - value].map(&:abs).max + Math.log(1 + ERROR) if same
        Ratio.new(value:, bias:)
      end

      # How much is open.
      #: () -> Float
      def high_over_low = high / low

      # The queues of a setting.
      Shape = Struct.new(:capacity_per_s, :service, :processes, :threads, keyword_init: true) do
        # One queue for all.
        #: (Load::Limit) -> Float
        def at_most(limit)
          servers = working(processes * threads)
          QueueModel.new(service: steady(servers), servers:).utilisation(limit)
        end

        # A queue for each process, in either order.
        #: (Load::Limit) -> Float
        def at_least(limit)
          servers = [(working(processes * threads) / processes.to_f).round, 1].max
          service = varying(servers * processes)
          [1, threads.fdiv(servers)].uniq.map do |shared|
            QueueModel.new(service:, servers:, shared:).utilisation(limit)
          end.min
        end

        private

        # How many requests are served at a time while none waits (Little's law): as many as there
        # are processes, or more where they wait for a database, say.
        def working(most)
          known = service ? capacity_per_s * service.mean_s : processes
          known.round.clamp(1, most)
        end

        # With so many servers the capacity is the measured one.
        def steady(servers)
          mean_s = servers / capacity_per_s.to_f
          service ? service.scaled(mean_s) : ServiceTimes.constant(mean_s)
        end

        def varying(servers)
          service ? steady(servers) : ServiceTimes.exponential(servers / capacity_per_s.to_f)
        end
      end
      private_constant :Shape
    end
  end
end
