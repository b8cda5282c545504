# frozen_string_literal: true

module Mohs
  module Drivers
    # Sends nothing: plays what a script says, on a clock of its own that no machine disturbs. For
    # tests of what uses drivers, and as the family's simplest member. `script` is called with the
    # target's index and the number of the request on it (from 0) and says how many ns it took, or
    # the name of its error class.
    class Mock < Base
      FAILURE_NS = 1_000_000 # how long a failed request takes
      USUAL = ->(_target, _number) { 1_000_000 }

      # Beyond the contract: `cpu_ns`, of the watched processes for each request.
      #: (targets: Array[Load::Target], ?script: ^(Integer, Integer) -> (Integer | String), ?cpu_ns: Integer, **untyped) -> void
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

      #: (Integer) -> Load::Specimen?
      def specimen(index)
        error = recording(index).errors.keys.first
        Load::Specimen.new(error:, status: 0, bytes: "") if error
      end

      #: () -> void
      def close; end

      private

      def carry_out(steps)
        @results = {}
        steps.each_with_index do |step, index|
          @now_ns += step.gap_ns
          played = step.targets.to_h { |target| [target, play(step, target)] }
          played.each do |target, requests|
            @results[[index, target]] = summary(index, target, requests)
          end
          @now_ns = last_ns(played.values.flatten)
          yield live(index) if block_given?
        end
      end

      def result(step, target) = @results[[step, target]]

      Played = Struct.new(:due_ns, :done_ns, :connection, :error, keyword_init: true) do
        def took_ns = done_ns - due_ns
      end

      # The connection that is free first begins the next request, as in a closed loop.
      def play(step, target)
        free = Array.new(targets[target].connections, @now_ns)
        deadline = step.duration_ns && (@now_ns + step.duration_ns)
        requests = []
        until step.count ? requests.size == step.count : free.min >= deadline
          connection = free.index(free.min)
          requests << request(target, connection, free[connection])
          free[connection] = requests.last.done_ns
        end
        requests.sort_by!(&:done_ns).each { |one| @records[target] << packed(one, step) }
      end

      def request(target, connection, due_ns)
        took = @script.call(target, @numbers[target])
        @numbers[target] += 1
        failed = took.is_a?(String)
        Played.new(due_ns:, done_ns: due_ns + (failed ? FAILURE_NS : took), connection:,
                   error: failed ? took : "ok")
      end

      def packed(one, step)
        status = one.error == "ok" ? 200 : 0
        [one.due_ns, 0, one.took_ns, one.took_ns | (one.connection << 40), 0, status,
         Core::ERRORS.index(one.error), step.warm_up ? 2 : 0].pack("Q<L<L<Q<L<S<CC")
      end

      def summary(step, target, requests)
        good = requests.select { |one| one.error == "ok" }
        times = good.map(&:took_ns).sort
        Load::StepResult.new(
          step:, target:, started_ns: @now_ns, wall_ns: last_ns(requests) - @now_ns,
          sent: requests.size, completed: good.size, good: good.size, errors: failures(requests),
          bytes: 0, latency_sum_ns: times.sum, p50_ns: times[(times.size - 1) / 2],
          max_ns: times.last, driver_cpu_ns: requests.size * 1000,
          cpu_ns: @watched[target].empty? ? nil : requests.size * @cpu_ns,
          connections: connections(target, good), gone: false
        )
      end

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
        Load::Live.new(elapsed_ns: @now_ns, step:, completed: @results.values.sum(&:good), failed:)
      end
    end
  end
end
