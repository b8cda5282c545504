# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Drivers
    # mohs's own driver, in C (ext/mohs/core): closed and open loops over epoll that record every
    # request.
    class Native < Base
      # In addition to the contract: drain_s: seconds that a timed step waits for what is in flight
      # at its end. gone_s: seconds without any response after which a failing server is given up
      # for the step. spin: in an open loop the threads do not sleep between arrivals, which uses
      # their cores fully and sends about 50 us sooner.
      #: (targets: Array[Load::Target], ?threads: Integer, ?cpus: Array[Integer]?, ?seed: Integer, ?capacity: Integer, ?drain_s: Numeric, ?gone_s: Numeric, ?spin: bool, ?paced: bool) -> void
      def initialize(targets:, threads: 1, cpus: nil, seed: 0, capacity: 100_000, drain_s: 5,
                     gone_s: 5, spin: false, paced: false)
        super()
        @targets = targets
        @spins = spin
        @steps = []
        @engine = make_engine(
          targets: targets.map { |target| packed(target, threads) }, workers: threads,
          cpus: cpus || [], seed: seed & 0xffff_ffff_ffff_ffff, capacity:,
          drain_ns: Clock.span_ns(drain_s), gone_ns: Clock.span_ns(gone_s), spin:, paced:
        )
      end

      #: (Integer, Array[Integer]) -> void
      def watch(index, pids) = @engine.watch(index, pids)

      #: () -> bool
      def sets_aside? = true

      # Of a closed loop: its requests are those of a warm-up from now on.
      #: (Load::StepResult) -> void
      def set_aside(result) = @engine.set_aside(result.step, result.target)

      #: (Integer) -> void
      def sched_class=(sched_class)
        @engine.sched_class = sched_class
      end

      #: () -> Integer
      def sched_class = @engine.sched_class

      #: (Array[Integer]) -> void
      def pin(cpus) = @engine.pin(cpus)

      #: (Integer) -> Load::Recording
      def recording(index)
        Load::Recording.new(@engine.records(index), unsent: @engine.unsent(index))
      end

      #: (Integer) -> Load::FailedResponse?
      def first_failed(index)
        facts = @engine.failed_response(index)
        Load::FailedResponse.new(**facts) if facts
      end

      #: (Integer) -> Hash[Symbol, Integer?]?
      def handshakes(index)
        facts = @engine.handshakes(index) or return
        p50_ns = Load::Times.unpack(facts[:times]).quantile(0.5)&.round
        { **facts.slice(:done, :failed), p50_ns: }
      end

      # The origin of the records' due_ns, on the monotonic clock.
      #: () -> Integer
      def epoch_ns = @engine.epoch_ns

      #: () -> void
      def close = @engine.close

      private

      def make_engine(**options) = Core::Engine.new(**options)

      def carry_out(steps)
        look, counts = Load::Live, Load::Times # loaded before load may take every descriptor
        watching_steal do
          @engine.run(steps.map { |step| packed_step(step) }) do |facts|
            next unless block_given?

            times, waiting = facts.values_at(:times, :waiting).map { |text| counts.unpack(text) }
            yield look.new(**facts, times:, waiting:)
          end
        end
        lost = @engine.lost_records
        raise EnvironmentError, "no memory was left to record #{lost} requests" unless lost.zero?
      end

      # Measures the hypervisor's share meanwhile; unknown if /proc/stat can't be read, for example
      # because no descriptor is left under load.
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

      def result(step, target)
        facts = @engine.result(step, target) or return
        facts[:max_ns] = nil if facts[:good].zero?
        sent, actions, unsent = facts.values_at(:sent, :actions, :unsent)
        Load::StepResult.new(
          step:, target:, **facts, errors: Load::Recording.named(facts[:errors]).freeze,
          connections: { asked: targets[target].connections, **facts[:connections] }.freeze,
          thread_stats: { spins: @spins, **facts[:thread_stats], steal_share: @steal_share }.freeze,
          offered: unsent && ((actions || sent) + unsent)
        )
      end

      MOST_CONNECTIONS = (1 << 24) - 1 # a record holds 24 bits of a connection's index

      def packed(target, threads)
        verify_target(target)
        {
          **Load::Address.place(target), keep_alive: target.keep_alive, tls: target.tls,
          connections: target.connections, max_connections: target.max_connections,
          workers: target.workers || (0...threads).to_a,
          requests: target.requests.map { |request| packed_request(request, target) },
          scenario: target.scenario&.packed(host: Load::Address.host_header(target),
                                            close: closes?(target)),
        }
      end

      def packed_step(step)
        { duration_ns: step.duration_ns || 0, count: step.count || 0,
          limit_ns: step.limit_ns || 0, edge_ns: step.edge_ns, hang_up: step.hang_up,
          warm_up: step.warm_up, followed: step.followed, targets: step.targets,
          arrivals: step.arrivals&.packed, login: step.login }
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
        { bytes:, weight: request.weight, head: request.method == "HEAD", mode: check.mode,
          statuses: check.statuses, length: check.length || 0, body: check.body.to_s,
          type: check.type.to_s, text: check.text.to_s }
      end

      def wire(request, target)
        Load::Wire.render(request, host: Load::Address.host_header(target), close: closes?(target))
      end

      def closes?(target) = target.keep_alive == :asked
    end
  end
end
