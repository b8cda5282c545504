# frozen_string_literal: true

module Mohs
  module Load
    # The results of an open loop's steps on one target: their total, and each step.
    module Total
      SUMS = %i[wall_ns loaded_ns span_ns in_use_ns sent completed good bytes latency_sum_ns
                service_sum_ns driver_cpu_ns offered unsent late queued].freeze
      MOST = %i[max_ns waiting_max].freeze

      OF_THE_RUN = %i[spins steal_share].freeze
      MOST_OF_THREADS = %i[events_max age_max_ns gap_max_ns].freeze

      module_function

      # The total of several results, with quantiles of all requests from their recording. How the
      # requests were distributed over connections is nil: each step has connections of its own.
      #: (Array[Load::StepResult], (Load::Recording | Load::Summary)) -> Load::StepResult
      def of(results, recording)
        return results.first if results.one?

        sums = SUMS.to_h { |field| [field, sum(results, field)] }
        most = MOST.to_h { |field| [field, results.filter_map { |result| result[field] }.max] }
        lag_ns, queue_ns = %i[lag queue].map { |kind| tails(recording, kind) }
        StepResult.from_h(
          **results.first.to_h, **sums, **most, lag_ns:, queue_ns:, cpu_ns: nil,
          loaded_cpu_ns: nil, processes_cpu_ns: nil, turn_ns: lag_ns[:p50] || 0,
          p50_ns: recording.ranked(:service, [0.5]).first&.exact_ns,
          errors: errors(results), gone: results.any?(&:gone), outage: outage(results),
          pulse: thread_stats(results.map(&:thread_stats)), connections: connections(results)
        )
      end

      # Each result with its part of the recording; [] for a single result.
      #: (Array[Load::StepResult], (Load::Recording | Load::Summary)) -> Array[[Load::StepResult, (Load::Recording | Load::Summary)]]
      def stages(results, recording)
        return [] if results.one?

        results.zip(parts(recording, results.map(&:started_ns)))
      end

      # The part of a recording that belongs to each step, by the steps' start times.
      #: (Load::Recording, Array[Integer]) -> Array[Load::Recording]
      def parts(recording, starts_ns)
        return [recording] if starts_ns.one?

        [*starts_ns, Core::LONGEST_DUE_NS].each_cons(2).map do |from_ns, to_ns|
          recording.due_between(from_ns, to_ns)
        end
      end

      # nil if it is unknown in one of them.
      def sum(results, field)
        values = results.map { |result| result[field] }
        values.sum if values.all?
      end

      def errors(results)
        results.map(&:errors).reduce { |one, other| one.merge(other) { |_, a, b| a + b } }
      end

      # The longest outage, counted from the first step's start.
      def outage(results)
        longest = results.select(&:outage).max_by { |result| result.outage[:ns] } or return
        before_ns = longest.started_ns - results.first.started_ns
        { **longest.outage, from_ns: longest.outage[:from_ns] + before_ns }
      end

      # nil if one of them is unknown; a figure is nil if it is unknown in one of them.
      def thread_stats(all)
        return if all.any?(&:nil?)

        all.reduce do |one, other|
          one.merge(other) do |key, a, b|
            next a if OF_THE_RUN.include?(key)
            next if Stats::CoreSpeed::KINDS.include?(key) || [a, b].any?(&:nil?)

            MOST_OF_THREADS.include?(key) ? [a, b].max : a + b
          end
        end
      end

      def tails(recording, kind) = %i[p50 p99].zip(recording.quantiles(kind, [0.5, 0.99])).to_h

      def connections(results)
        all = results.map(&:connections)
        { **all.first, opened: all.sum { |one| one[:opened] }, lost: all.sum { |one| one[:lost] },
          served: all.map { |one| one[:served] }.max, requests_min: nil, requests_max: nil }
      end
      private_class_method :sum, :tails, :errors, :outage, :connections, :thread_stats
    end
  end
end
