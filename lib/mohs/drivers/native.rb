# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Drivers
    # Our own, in C (ext/mohs/core): closed and open loops over epoll that record every request.
    class Native < Base
      # Beyond the contract: `drain_s`, how long a timed step waits for what is in flight at its
      # end; `gone_s`, after how long without any answer a failing server is given up for the step;
      # `spin`: in an open loop the threads do not sleep between arrivals, which takes their cores
      # whole and sends some 50 us sooner.
      #: (targets: Array[Load::Target], ?threads: Integer, ?cpus: Array[Integer]?, ?seed: Integer, ?capacity: Integer, ?drain_s: Numeric, ?gone_s: Numeric, ?spin: bool, ?paced: bool) -> void
      def initialize(targets:, threads: 1, cpus: nil, seed: 0, capacity: 100_000, drain_s: 5,
                     gone_s: 5, spin: false, paced: false)
        super()
        @targets = targets
        @spins = spin
        @steps = []
        packed = targets.map { |target| packed(target, threads) }
        @engine = Core::Engine.new(packed, threads, cpus || [],
                                   seed & 0xffff_ffff_ffff_ffff, capacity, ns(drain_s), ns(gone_s),
                                   spin, paced)
      end

      #: (Integer, Array[Integer]) -> void
      def watch(index, pids) = @engine.watch(index, pids)

      #: (Integer) -> void
      def sched_class=(sched_class)
        @engine.sched_class = sched_class
      end

      #: () -> Integer
      def sched_class = @engine.sched_class

      #: (Array[Integer]) -> void
      def pin(cpus) = @engine.pin(cpus)

      #: (Integer) -> Load::Recording
      def recording(index) = Load::Recording.new(@engine.records(index))

      #: (Integer) -> Load::FailedResponse?
      def first_failed(index)
        error, status, bytes = @engine.specimen(index)
        Load::FailedResponse.new(error: Core::ERRORS.fetch(error), status:, bytes:) if error
      end

      # What due_ns of the records counts from, on the monotonic clock.
      #: () -> Integer
      def epoch_ns = @engine.epoch_ns

      #: () -> void
      def close = @engine.close

      private

      def carry_out(steps)
        look, counts = Load::Live, Load::Times # loaded before load may take every descriptor
        rows = steps.map do |step|
          [step.duration_ns || 0, step.count || 0, step.gap_ns, step.warm_up, step.targets,
           step.arrivals&.packed, step.login]
        end
        watching_steal do
          @engine.run(rows) do |(elapsed_ns, step, completed, failed, times)|
            next unless block_given?

            yield look.new(elapsed_ns:, step:, completed:, failed:, times: counts.unpack(times))
          end
        end
        lost = @engine.lost_records
        raise EnvironmentError, "no memory was left to record #{lost} requests" unless lost.zero?
      end

      # What the hypervisor takes meanwhile; unknown where /proc/stat can't be read, also for want
      # of a descriptor under load.
      def watching_steal
        @steal_share = nil
        watch = unless_refused { Probes::ForeignLoad.new }
        yield
      ensure
        @steal_share = unless_refused { watch&.call&.fetch(:steal_share) }
      end

      def unless_refused
        yield
      rescue SystemCallError
        nil
      end

      # In the order in which Core::Engine#result gives them.
      FIELDS = %i[started_ns wall_ns sent completed good errors bytes latency_sum_ns p50_ns max_ns
                  cpu_ns driver_cpu_ns opened lost served requests_min requests_max gone
                  actions finished thread_stats open_loop].freeze
      OF_THREADS = %i[windows busy full wakeups events events_max age_sum_ns age_max_ns preempted
                    waited_ns pace_ns memory_ns].freeze
      OF_CONNECTIONS = %i[opened lost served requests_min requests_max].freeze

      def result(step, target)
        values = @engine.result(step, target) or return
        facts = FIELDS.zip(values).to_h
        connections = { asked: targets[target].connections, **facts.slice(*OF_CONNECTIONS) }.freeze
        errors = Load::Recording.named(facts[:errors]).freeze
        unmeasured = facts[:good].zero? ? { p50_ns: nil, max_ns: nil } : {}
        begun = targets[target].scenario ? facts[:actions] : facts[:sent]
        unmeasured.update(actions: nil, finished: nil) unless targets[target].scenario
        Load::StepResult.new(step:, target:, **facts.except(*OF_CONNECTIONS, :open_loop), errors:,
                             connections:, thread_stats: thread_stats(facts), **unmeasured,
                             **open_loop(facts, begun))
      end

      def thread_stats(facts)
        { spins: @spins, **OF_THREADS.zip(facts[:thread_stats]).to_h,
          steal_share: @steal_share }.freeze
      end

      def open_loop(facts, begun)
        values = facts[:open_loop] or return {}
        unsent, late, queued, waiting_max, *times = values
        lag_ns, queue_ns = times.each_slice(2).map { |p50, p99| { p50:, p99: }.freeze }
        { offered: begun + unsent, unsent:, late:, queued:, waiting_max:, lag_ns:,
          queue_ns: }
      end

      MOST_CONNECTIONS = (1 << 24) - 1 # a record holds 24 bits of a connection's index

      def packed(target, threads)
        verify_target(target)
        [
          Load::Address.of(target),
          target.source_addresses.map { |host| Load::Address.source(host) },
          target.connections,
          index_of(Load::Target::KEEP_ALIVE, target.keep_alive),
          ns(target.timeout_s),
          target.workers || (0...threads).to_a,
          target.requests.map { |request| packed_request(request, target) },
          target.max_connections,
          target.scenario&.packed(host: Load::Address.host_header(target), close: closes?(target)),
        ]
      end

      def verify_target(target)
        raise UsageError, "a unix socket has no source addresses: leave them out" if
          target.unix && target.source_addresses.any?

        raise ArgumentError, "connections that are grown have not logged in" if
          target.scenario&.login && target.max_connections > target.connections

        counts = target.to_h.values_at(:connections, :max_connections)
        return if [1, *counts, MOST_CONNECTIONS].each_cons(2).all? { |low, high| low <= high }

        raise ArgumentError, "1 to #{MOST_CONNECTIONS} connections, growing from the first " \
                             "number to the second, not #{counts.join(' to ')}"
      end

      def packed_request(request, target)
        check = request.check
        raise ArgumentError, "a weight is above 0: #{request}" unless request.weight.positive?

        bytes = target.scenario ? "" : wire(request, target) # clients render their own
        mode = index_of(Load::Check::MODES, check.mode)
        [bytes, request.weight, request.method == "HEAD", mode, check.statuses, check.length || 0,
         check.body.to_s, check.digest || 0]
      end

      def wire(request, target)
        Load::Wire.render(request, host: Load::Address.host_header(target), close: closes?(target))
      end

      def closes?(target) = target.keep_alive == :asked

      def index_of(list, name)
        list.index(name) || raise(ArgumentError, "#{name.inspect} is none of #{list.join(', ')}")
      end

      def ns(seconds)
        raise ArgumentError, "#{seconds} s: a time is 0 or more" if seconds.negative?

        (seconds * 1_000_000_000).to_i
      end
    end
  end
end
