# frozen_string_literal: true

module Mohs
  module Drivers
    # Sends nothing: plays a script, on a clock of its own that no machine disturbs. For tests of
    # code that uses drivers, and as the family's simplest member. `script` is called with the
    # target's index and the number of the request on it (from 0) and returns how many ns it took,
    # or the name of its error class.
    class Mock < Base
      FAILURE_NS = 1_000_000 # how long a failed request takes
      USUAL = ->(_target, _number) { 1_000_000 }

      # In addition to the contract: cpu_ns: CPU time of the watched processes per request.
      #: (targets: Array[Load::Target], ?script: ^(Integer, Integer) -> (Integer | String), ?cpu_ns: Integer, **Object?) -> void
      def initialize(targets:, script: USUAL, cpu_ns: 100_000, **)
        super()
        @targets = targets
        @script = script
        @cpu_ns = cpu_ns
        @now_ns = 0
        @steps = []
        @records = targets.map { +"".b }
        @numbers = targets.map { 0 }
        @watched = targets.map { [] }
      end

      #: (Integer, Array[Integer]) -> void
      def watch(index, pids)
        @watched[index] = pids
      end

      #: (Integer) -> Load::Recording
      def recording(index) = Load::Recording.of(@records[index].dup)

      #: (Integer) -> Load::FailedResponse?
      def first_failed(index)
        error = recording(index).errors.keys.first
        Load::FailedResponse.new(error:, status: 0, bytes: "") if error
      end

      # Its own clock starts when it is created.
      #: () -> Integer
      def epoch_ns = 0

      #: () -> void
      def close; end

      private

      def carry_out(steps)
        @results = {}
        steps.each_with_index do |step, index|
          played = step.targets.to_h { |target| [target, play(step, target)] }
          played.each do |target, requests|
            @results[[index, target]] = step_result(index, target, requests)
          end
          @now_ns = last_ns(played.values.flatten)
          yield live(index) if block_given?
        end
      end

      def result(step, target) = @results[[step, target]]

      Played = Struct.new(:due_ns, :sent_ns, :done_ns, :connection, :error, keyword_init: true) do
        def took_ns = done_ns - due_ns

        def lag_ns = sent_ns - due_ns

        def service_ns = done_ns - sent_ns
      end

      def play(step, target)
        requests = step.arrivals ? play_open(step, target) : play_closed(step, target)
        requests.sort_by!(&:done_ns).each { |one| @records[target] << packed(one, step) }
      end

      # The connection that is free first begins the next request.
      def play_closed(step, target)
        free = Array.new(targets[target].connections, @now_ns)
        deadline = step.duration_ns && (@now_ns + step.duration_ns)
        limit = step.limit_ns && (@now_ns + step.limit_ns)
        requests = []
        until step.count ? requests.size == step.count : free.min >= deadline
          break if limit && free.min >= limit

          requests << request(target, free, free.min)
        end
        requests
      end

      # The same, but no request begins before it is due.
      def play_open(step, target)
        free = Array.new(targets[target].connections, @now_ns)
        step.arrivals.due_ns(duration_ns: step.duration_ns, count: step.count).map do |time|
          request(target, free, @now_ns + time)
        end
      end

      # Uses the connection that is free first, and sets when it is free again.
      def request(target, free, due_ns)
        took = @script.call(target, @numbers[target])
        @numbers[target] += 1
        error = took.is_a?(String) ? took : "ok"
        connection = free.index(free.min)
        sent_ns = [due_ns, free[connection]].max
        free[connection] = sent_ns + (error == "ok" ? took : FAILURE_NS)
        Played.new(due_ns:, sent_ns:, done_ns: free[connection], connection:, error:)
      end

      def packed(one, step)
        status = one.error == "ok" ? 200 : 0
        flags = { warm_up: step.warm_up, queued: one.lag_ns.positive? }.select { |_, set| set }
        Core::Records.pack(
          due_ns: one.due_ns, sent_ns: one.lag_ns, first_ns: one.took_ns, done_ns: one.took_ns,
          connection: one.connection, status:, error: Core::ERRORS.index(one.error),
          flags: Load::Recording::FLAGS.values_at(*flags.keys).sum
        )
      end

      def step_result(step, target, requests)
        good = requests.select { |one| one.error == "ok" }
        wall_ns = last_ns(requests) - @now_ns
        service_sum_ns = good.sum(&:service_ns)
        Load::StepResult.new(
          step:, target:, started_ns: @now_ns, wall_ns:, loaded_ns: wall_ns, span_ns: wall_ns,
          in_use_ns: service_sum_ns, service_sum_ns:,
          sent: requests.size, completed: good.size, good: good.size, errors: failures(requests),
          bytes: 0, latency_sum_ns: good.sum(&:took_ns), turn_ns: 0,
          p50_ns: good.map(&:service_ns).sort[(requests.size - 1) / 2], # the failed rank last
          max_ns: good.map(&:took_ns).max, driver_cpu_ns: requests.size * 1000,
          cpu_ns: @watched[target].empty? ? nil : requests.size * @cpu_ns,
          processes_cpu_ns: each_cpu_ns(target, requests.size * @cpu_ns),
          connections: connections(target, good), gone: false, **open_loop(step, requests)
        )
      end

      # All serve as many.
      def each_cpu_ns(target, cpu_ns)
        pids = @watched[target]
        pids.map { cpu_ns / pids.size } if pids.any?
      end

      # Everything is sent in the end, and at once if a connection is free.
      def open_loop(step, requests)
        return {} unless @steps[step].arrivals

        queued = requests.select { |one| one.lag_ns.positive? }
        lag = requests.size > queued.size ? 0 : nil
        { offered: requests.size, unsent: 0, late: late(@steps[step], requests),
          queued: queued.size, waiting_max: waiting_max(queued), lag_ns: { p50: lag, p99: lag },
          queue_ns: { p50: median(queued.map(&:lag_ns)), p99: queued.map(&:lag_ns).max } }
      end

      def waiting_max(queued)
        sent = queued.map(&:sent_ns).sort
        waiting = queued.map(&:due_ns).sort.each.with_index(1).map do |due_ns, count|
          count - (sent.bsearch_index { |sent_ns| sent_ns > due_ns } || sent.size)
        end
        waiting.max || 0
      end

      def late(step, requests)
        last = requests.map(&:due_ns).max
        return requests.count { |one| one.sent_ns > last } unless step.duration_ns

        requests.count { |one| one.sent_ns >= @now_ns + step.duration_ns }
      end

      def median(times) = times.sort[(times.size - 1) / 2]

      def last_ns(requests) = requests.map(&:done_ns).push(@now_ns).max

      def failures(requests) = requests.map(&:error).tally.reject { |error, _| error == "ok" }

      def connections(target, good)
        asked = targets[target].connections
        counts = Array.new(asked, 0)
        good.each { |one| counts[one.connection] += 1 }
        { asked:, opened: asked, lost: 0, served: counts.count(&:positive?),
          requests_min: counts.min, requests_max: counts.max }
      end

      def live(step)
        failed = @results.values.sum { |result| result.errors.values.sum }
        Load::Live.new(step:, completed: @results.values.sum(&:good), failed:)
      end
    end
  end
end
