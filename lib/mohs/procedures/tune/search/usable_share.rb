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

      # What the model leaves out, such as the noise of a machine, and what its formulas are off by.
      ERROR = 0.05

      # By so much more than an equal share the busiest process has to serve for each doubling of
      # the processes. Of two: of 24 settings that were searched six times each
      # (benchmark/tune/queue_model.rb), the lowest two served 14 % less than the low end would be
      # without it, and 13 were above the middle. Of four, the busiest had 1.33 times its share.
      UNEVEN = 0.17

      # Requests that a process without threads (on fibers) works on in turns.
      MANY = 64
      private_constant :ERROR, :UNEVEN, :MANY

      # nil if it is unknown: the limit may hold at no rate. service: of one process of one thread
      # alone. capacity_per_s: with all threads busy.
      #: (limit: Load::Limit, service: Tune::ServiceTimes, capacity_per_s: Numeric, processes: Integer?, threads: Integer?) -> Tune::UsableShare?
      def self.of(limit:, service:, capacity_per_s:, processes:, threads:)
        shape = Shape.new(capacity_per_s:, service:, processes: processes || 1,
                          threads: threads || MANY)
        high = [(1 + ERROR) * shape.at_most(limit), 1.0].min
        busiest = 1 + (UNEVEN * Math.log2(shape.processes))
        low = [(1 - ERROR) * shape.at_least(limit) / busiest, high].min
        new(value: Math.sqrt(low * high), low:, high:) if low.positive?
      end

      # By how much the logarithm of its ratio to another one may be off.
      # same: of servers of the same shape, for which the model is wrong in the same direction.
      # Not so of different numbers of threads: one connection for each of few threads is as one
      # queue, and many connections are spread over the processes.
      #: (Tune::UsableShare, ?same: bool) -> Float
      def bias_beside(other, same: false)
        return Math.log(high_over_low * other.high_over_low) / 2 unless same

        value, low, high = %i[value low high].map do |one|
          Math.log(public_send(one) / other.public_send(one))
        end
        [low - value, high - value].map(&:abs).max + Math.log(1 + ERROR)
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
          QueueModel.new(service: scaled(servers), servers:).utilisation(limit)
        end

        # A queue for each process, in either order.
        #: (Load::Limit) -> Float
        def at_least(limit)
          servers = [(working(processes * threads) / processes.to_f).round, 1].max
          [1, threads.fdiv(servers)].uniq.map do |shared|
            QueueModel.new(service: scaled(servers * processes), servers:, shared:)
                      .utilisation(limit)
          end.min
        end

        private

        # How many requests are served at a time while none waits (Little's law): as many as there
        # are processes, or more where they wait for a database, say.
        def working(most) = (capacity_per_s * service.mean_s).round.clamp(1, most)

        # With so many servers the capacity is the measured one.
        def scaled(servers) = service.scaled(servers / capacity_per_s.to_f)
      end
      private_constant :Shape
    end
  end
end
