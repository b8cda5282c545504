# frozen_string_literal: true

module Mohs
  class LoadRun
    # The figures and self-checks of a load by our own driver. Times are in ms, quantiles exact.
    class Result
      QUANTILES = { min: 0.0, p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999, max: 1.0 }.freeze
      # Quantiles of a step or a batch.
      OF_A_PART = %i[p50 p99 max].freeze
      # Bars of the histogram, from the fastest response to the slowest, each wider than the one
      # before by the same factor.
      BARS = 40
      # A request has waited for a thread if it took at least this long and this many times the
      # median.
      STARVED_NS, STARVED_TIMES = 1_000_000_000, 20

      # Figures of a load by our driver, a scenario or another tool.
      #: (Load::Result) -> LoadRun::Result
      def self.of(result)
        return ByPeer.new(result) if result.tool

        result.scenario ? ByScenario.new(result) : new(result)
      end

      # { name => ms } for these QUANTILES, over all requests that fell due (Recording#ranked); only
      # `min` is of the fastest response. A time is nil without requests, and where its rank lies
      # among `unanswered` requests: then it is longer than the one in `more_than`.
      #: (Load::Recording | Load::Summary, Symbol, ?Array[Symbol]) -> Hash[Symbol, untyped]
      def self.times_ms(recording, kind, names = QUANTILES.keys)
        ranked = names.zip(recording.ranked(kind, QUANTILES.values_at(*names))).to_h.compact
        least, = recording.quantiles(kind, [QUANTILES[:min]]) if names.include?(:min)
        ranked[:min]&.then { |min| min.ns, min.more = least, false }
        exact, bounds = ranked.partition { |_, one| one.ns && !one.more }.map(&:to_h)
        { **names.to_h { |name| [name, in_ms(exact[name])] },
          unanswered: recording.unanswered(kind),
          more_than: bounds.transform_values { |one| in_ms(one) }.compact }
      end

      def self.in_ms(ranked) = ranked&.ns && (ranked.ns / 1e6)
      private_class_method :in_ms

      #: (Hash[Symbol, Integer?]) -> Hash[Symbol, Float?]
      def self.ms(times) = times.transform_values { |ns| ns && (ns / 1e6) }

      #: (Load::Result) -> void
      def initialize(result)
        @result = result
      end

      # Correct responses a second; nil if unknown.
      #: () -> Float?
      def rate_per_s = Load.rate_per_s([step])

      # For a fixed number of requests, which end when they end, the requested rate. nil in a closed
      # loop.
      #: () -> Numeric?
      def offered_per_s
        return unless open?
        return arrivals[:rate_per_s] if asked[:count]

        step.offered / [step.wall_ns / 1e9, asked[:duration_s]].compact.min
      end

      # The time that the rate is for: in a closed loop by time, that in which all connections were
      # loaded.
      #: () -> Float
      def duration_s = (by_time? && step.loaded_ns ? step.loaded_ns : step.wall_ns) / 1e9

      # From when a connection first had nothing more to send to the last response; nil in an open
      # loop, or if unknown.
      #: () -> Float?
      def drain_s = ((step.wall_ns - step.loaded_ns) / 1e9 unless open? || step.loaded_ns.nil?)

      # In a closed loop by time: correct responses that came after duration_s, which the rate does
      # not count; else 0.
      #: () -> Integer
      def drained
        return 0 unless by_time? && step.loaded_ns

        @drained ||= recording.good_after(step.started_ns + step.loaded_ns)
      end

      # In a closed loop by time: the rate if each response of duration_s counted as one, also those
      # near its ends; else nil.
      #: () -> Float?
      def plain_per_s
        return unless by_time? && step.loaded_ns&.positive?

        (step.good - drained) * 1e9 / step.loaded_ns
      end

      # The time that a client waits; #service_ms is the server's part of it.
      #: () -> Hash[Symbol, untyped]
      def latency_ms = times(kind)

      #: () -> Hash[Symbol, untyped]
      def service_ms = times(:service)

      # nil in a closed loop.
      #: () -> Hash[Symbol, Float?]?
      def send_lag_ms = open? ? self.class.ms(step.lag_ns) : nil

      # How the requests of an open loop fell due and what happened to them: `open_loop` of
      # docs/json.md; nil in a closed loop. The rate is that of a single step; with several, each
      # step has its own.
      #: () -> Hash[Symbol, untyped]?
      def open_loop
        return unless open?

        rates = @result.stages.empty? ? arrivals.slice(:rate_per_s, :to_per_s) : {}
        { arrivals: arrivals[:kind], rate_per_s: nil, to_per_s: nil, **rates,
          burst: arrivals[:burst], dispersion: dispersion&.fetch(:index),
          **step.to_h.slice(:offered, :unsent, :late, :queued, :waiting_max),
          queue_ms: self.class.ms(step.queue_ns) }
      end

      # The batches of --batches, in the order in which their requests ended: `batches` of
      # docs/json.md. They follow each other without a pause; each begins when the last request
      # before it has ended.
      #: () -> Array[Hash[Symbol, untyped]]
      def batches = @batches ||= asked[:batches] ? timed_batches : []

      # The course of each figure over the batches: `batch_figures` of docs/json.md; nil without
      # batches. A batch without a correct response has no latencies: lowest, median and highest are
      # those of the known ones.
      #: () -> Hash[Symbol, Hash[Symbol, untyped]]?
      def batch_figures
        return if batches.empty?

        { answered_per_s: course(batches.map { |one| one[:answered_per_s] }),
          **%i[p50 p99].to_h { |name| [:"#{name}_ms", course_of_times(name)] } }
      end

      # With several steps: `steps` of docs/json.md.
      #: () -> Array[Hash[Symbol, untyped]]
      def steps
        @result.stages.zip(asked[:arrivals]).map { |(step, part), due| stage(step, part, due) }
      end

      # [{ from_ms:, count: }]: counts between logarithmically spaced times.
      #: () -> Array[Hash[Symbol, untyped]]
      def histogram
        return [] if step.good.zero?

        low, high = recording.quantiles(kind, [0.0, 1.0])
        edges([low, 1].max, high + 1).each_cons(2).map do |from, to|
          { from_ms: from / 1e6, count: recording.count_between(kind, from, to) }
        end
      end

      # In a closed loop, the connections that waited for a thread of the server while others kept
      # all of them busy (Puma serves a kept connection as long as it has requests): { connections:,
      # longest_ms: }; nil without any. A request that takes this long is not a slow page, since
      # most others are far quicker; nor one of a connection that the server's full queue delayed,
      # as these are retried, too. Where the server closes connections, all of them wait in turn:
      # then `connections` is how many at a time (ThreadWaits).
      #: () -> Hash[Symbol, Numeric]?
      def starved
        return if open? || asked[:keep_alive].to_s != "on" || !step.p50_ns
        return if Analysis::Checks::Connects.queued?(connects)

        least_ns = [STARVED_NS, STARVED_TIMES * step.p50_ns].max
        found = [recording.starved(least_ns)].find { |one| some?(one) } ||
                ThreadWaits.new(recording, least_ns:).call
        { connections: found[:connections], longest_ms: found[:longest_ns] / 1e6 } if some?(found)
      end

      # When the server was gone, from the start of the load: { from_s:, for_s: }; nil if it never
      # was, or if that is unknown.
      #: () -> Hash[Symbol, Float]?
      def outage
        found = Analysis::Checks.fetch("outage").new.call(facts)
        found.values if found.against?
      end

      # Cores used by all threads of the driver together.
      #: () -> Float?
      def driver_cores = step.wall_ns.positive? ? step.driver_cpu_ns.fdiv(step.wall_ns) : nil

      # The driver's threads; nil if their number is not ours to choose.
      #: () -> Integer?
      def threads = asked[:threads]

      #: () -> Hash[Symbol, Integer?]
      def connections = step.connections

      # How long events waited in the driver before it read them; nil if the driver can't tell.
      #: () -> Hash[Symbol, Float?]?
      def event_age_ms
        events, sum_ns, max_ns = step.thread_stats&.values_at(:events, :age_sum_ns, :age_max_ns)
        events && { mean: events.zero? ? nil : sum_ns / 1e6 / events, max: max_ns / 1e6 }
      end

      # The self-checks that apply.
      #: () -> Array[Analysis::Finding]
      def checks = SelfChecks.of(facts, names_of_checks)

      private

      def step = @result.step

      def recording = @result.recording

      def asked = @result.asked

      def open? = @result.open_loop?

      def kind = @result.kind

      # If all connections waited, no other connection kept the threads busy.
      def some?(starved) = starved && starved[:connections].between?(1, connections[:asked] - 1)

      # The arrivals of the first step.
      def arrivals = asked[:arrivals].first

      def times(kind) = { kind: kind.to_s, **self.class.times_ms(recording, kind) }

      def timed_batches
        from_ns = step.started_ns
        recording.each_batch(asked[:count] / asked[:batches]).map do |part|
          to_ns = [part.ended_ns, from_ns].max
          batch(part, (to_ns - from_ns) / 1e9).tap { from_ns = to_ns }
        end
      end

      def course(values)
        known = values.compact
        { first: values.first, lowest: known.min,
          median: (Stats::Center.median(known) if known.any?), highest: known.max,
          last: values.last }
      end

      # Batches whose figure is only bounded rank last; the bound is the longest time known.
      def course_of_times(name)
        parts = batches.map { |one| one[:latency_ms] }
        bounds = parts.filter_map { |one| one[:more_than][name] }
        longest = [*bounds, *parts.filter_map { |one| one[name] }].max
        ranked = course(parts.map { |one| one[:more_than][name] ? Float::INFINITY : one[name] })
        endless = ranked.select { |_, time| time == Float::INFINITY }
        { **ranked, **endless.transform_values { nil },
          more_than: endless.to_h { |place, _| [place, longest] } }
      end

      def batch(part, seconds)
        { requests: part.size, errors: part.errors.values.sum, duration_s: seconds,
          answered_per_s: seconds.positive? ? part.good / seconds : nil,
          latency_ms: self.class.times_ms(part, kind, OF_A_PART) }
      end

      def stage(step, part, due)
        { **due.slice(:rate_per_s, :to_per_s),
          duration_s: step.wall_ns / 1e9, answered_per_s: Load.rate_per_s([step]),
          response_ms: self.class.times_ms(part, :response, OF_A_PART), offered: step.offered,
          late: step.late + step.unsent, errors: step.errors.values.sum }
      end

      def edges(low, high)
        factor = high.fdiv(low)**(1.0 / BARS)
        [*Array.new(BARS) { |index| (low * (factor**index)).round }, high].uniq
      end

      # { kind:, windows:, index: } over all steps; nil in a closed loop, or with too few requests.
      def dispersion
        return @dispersion if defined?(@dispersion)

        parts = open? ? dispersions.compact : []
        @dispersion = parts.empty? ? nil : together(parts)
      end

      def together(parts)
        windows = parts.sum { |part| part[:windows] }
        index = parts.sum { |part| part[:index] * part[:windows] } / windows
        { kind: arrivals[:kind], windows:, index: }
      end

      def dispersions
        seconds = asked[:duration_s] unless asked[:count]
        duration_ns = seconds && (seconds * 1e9 / asked[:arrivals].size)
        parts.zip(asked[:arrivals]).map do |(step, part), due|
          Dispersion.new(due, duration_ns:).call(step, part)
        end
      end

      # [step, recording] for each step.
      def parts = @result.stages.empty? ? [[step, recording]] : @result.stages

      def names_of_checks = Analysis::Checks.names

      def facts
        { slices:, recorded: recording.size, threads:, connections: step.connections,
          arrivals: dispersion, empty_per_s: @result.empty_per_s, connects:, **wrong_answers }
      end

      def connects = @connects ||= Analysis::Checks::Connects.count(recording, [step])

      # Why responses were wrong. In a load, how many were wrong is a figure of its own.
      def wrong_answers
        return {} unless @result.diagnosis

        { answers: @result.answers.map(&:to_h), diagnosis: @result.diagnosis,
          specimen: @result.specimen }
      end

      def by_time? = !open? && !asked[:count]

      def slices = parts.map { |one, _| Analysis::Checks.slice(one) }

      # A load by another tool. Figures that it does not report are nil.
      class ByPeer < Result
        # Unknown: the tool records no requests.
        #: () -> nil
        def starved = nil

        #: () -> Integer
        def drained = 0

        #: () -> nil
        def plain_per_s = nil

        # A few quantiles don't make a histogram.
        #: () -> Array[Hash[Symbol, untyped]]
        def histogram = []

        #: () -> Integer?
        def threads = (super if @result.tool[:threads])

        private

        def names_of_checks = %w[driver_share]

        # The tool records no requests.
        def connects = nil
      end

      # A load by a scenario's clients: the figures of any load, and those of each request of its
      # actions.
      class ByScenario < Result
        OF_A_REQUEST = %i[p50 p99].freeze

        # The figures of each request, in the order of Load::Scenario#outline.
        #: () -> Array[Hash[Symbol, untyped]]
        def requests
          @result.scenario[:steps].each_with_index.map do |outline, number|
            own = recording.of_request(number)
            times = self.class.times_ms(own, kind, OF_A_REQUEST)
            by_class = own.errors
            total = by_class.values.sum
            { **outline, sent: own.size, good: own.size - total, p50_ms: times[:p50],
              p99_ms: times[:p99], more_than: times[:more_than], errors: { total:, by_class: } }
          end
        end

        # Clients think, so that connections wait without the server.
        #: () -> nil
        def starved = nil

        # Includes connections that the logins opened or lost.
        #: () -> Hash[Symbol, Integer?]
        def connections
          opened, lost = %i[opened lost].map do |key|
            [@result.login, step].compact.sum { |result| result.connections[key] }
          end
          step.connections.merge(opened:, lost:)
        end

        private

        # Actions fall due, but what is recorded is their requests.
        def dispersion = nil

        # Little's law requires connections that are always busy: here some think, and the last
        # actions end at different times.
        def names_of_checks = super - %w[little_law]

        # The logins are in the recording too.
        def slices = [@result.login&.to_h, *super].compact
      end
    end
  end
end
