# frozen_string_literal: true

module Mohs
  module Report
    # Turns one load into the document of docs/json.md, command `load`. Pure.
    class LoadModel
      QUANTILES = { min: 0.0, p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999, max: 1.0 }.freeze
      # Of a step, and of a batch.
      OF_A_PART = %i[p50 p99 max].freeze
      # Bars of the histogram, each as much wider than the one before, from the fastest answer to
      # the slowest.
      BARS = 40

      # The document of a load as a whole.
      #: (Load::Result) -> Hash[Symbol, untyped]
      def self.document(load)
        both = load.to_h.slice(:asked, :empty_per_s, :specimen)
        return ScenarioModel.new(load.step, load.recording, scenario: load.scenario,
                                 login: load.login, **both).document if load.scenario

        new(load.step, load.recording,
            **both, **load.to_h.slice(:answers, :traffic, :stages)).document
      end

      # What a right answer is.
      #: (App::Answer) -> Hash[Symbol, untyped]
      def self.shown(answer)
        { request: answer.request.to_s, status: answer.status, length: answer.length,
          kind: answer.kind.to_s, weight: answer.request.weight, note: answer.note }
      end

      # { name => ms, nil without any }: these of QUANTILES.
      #: (Load::Recording, Symbol, ?Array[Symbol]) -> Hash[Symbol, Float?]
      def self.times_ms(recording, kind, names = QUANTILES.keys)
        times = recording.quantiles(kind, QUANTILES.values_at(*names))
        names.zip(times.map { |ns| ns && (ns / 1e6) }).to_h
      end

      # asked: connections, keep_alive (of a Load::Target), threads, duration_s or count, and of how
      # many `batches` that is; of an open loop `arrivals`, the Load::Arrivals#facts of each step.
      # stages: where there were several steps, the result and the recording of each; `step` is
      # their total then. traffic: of logs, what was taken and left out, as in docs/json.md.
      # empty_per_s: of Load::NullServerRate, where it was asked. specimen: the first wrong answer,
      # Load::FailedResponse#summary.
      #: (Load::StepResult, Load::Recording, answers: Array[App::Answer], asked: Hash[Symbol, untyped], ?stages: Array[[Load::StepResult, Load::Recording]], ?traffic: Hash[Symbol, untyped]?, ?empty_per_s: Float?, ?specimen: Hash[Symbol, untyped]?) -> void
      def initialize(step, recording, answers:, asked:, stages: [], traffic: nil, empty_per_s: nil,
                     specimen: nil)
        @step = step
        @stages = stages
        @recording = recording
        @answers = answers
        @asked = asked
        @traffic = traffic
        @empty_per_s = empty_per_s
        @specimen = specimen
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { driver: "native", requests:, rate_per_s: rate, offered_per_s:, latency_ms: latency(kind),
          service_ms: latency(:service), errors:, connections: @step.connections,
          duration_s: @step.wall_ns / 1e9, cpu_us_per_request: nil,
          send_lag_ms: open? ? ms(@step.lag_ns) : nil, open_loop:,
          batches:, steps: @stages.each_with_index.map { |stage, index| stage(*stage, index) },
          driver_cores:, pulse:, threads: @asked[:threads], keep_alive:,
          answers: @answers.map { |answer| shown(answer) },
          traffic: @traffic, scenario: nil, histogram:, checks: }
      end

      private

      def requests
        { asked: @asked[:count], sent: @step.sent, completed: @step.completed, good: @step.good }
      end

      def keep_alive = @asked.fetch(:keep_alive, :on).to_s

      def rate = @step.wall_ns.positive? ? @step.good * 1e9 / @step.wall_ns : nil

      def open? = !@step.offered.nil?

      # What a client waits for: in a closed loop nobody waits before a request is sent.
      def kind = open? ? :response : :service

      # Of a number of requests the rate asked for: they end when they end.
      def offered_per_s
        return unless open?
        return arrivals[:rate_per_s] if @asked[:count]

        @step.offered / [@step.wall_ns / 1e9, @asked[:duration_s]].compact.min
      end

      # Of the first step.
      def arrivals = @asked[:arrivals].first

      # The rate of one step alone; of several each tells its own.
      def open_loop
        return unless open?

        rates = @stages.empty? ? arrivals.slice(:rate_per_s, :to_per_s) : {}
        { arrivals: arrivals[:kind], rate_per_s: nil, to_per_s: nil, **rates,
          burst: arrivals[:burst], dispersion: dispersion&.fetch(:index),
          **@step.to_h.slice(:offered, :unsent, :late, :queued, :waiting_max),
          queue_ms: ms(@step.queue_ns) }
      end

      def stage(step, recording, index)
        due = @asked[:arrivals][index]
        { **due.slice(:rate_per_s, :to_per_s),
          duration_s: step.wall_ns / 1e9, answered_per_s: step.good * 1e9 / step.wall_ns,
          response_ms: self.class.times_ms(recording, :response, OF_A_PART), offered: step.offered,
          late: step.late + step.unsent, errors: step.errors.values.sum }
      end

      # Of --batches, as they ended.
      def batches
        count = @asked[:batches] or return []
        LoadBatches.new(@step, @recording, kind:).call(@asked[:count] / count)
      end

      def ms(times) = times.transform_values { |ns| ns && (ns / 1e6) }

      def shown(answer) = self.class.shown(answer)

      def errors
        { total: @step.errors.values.sum, by_class: @step.errors, first_wrong: @specimen }
      end

      # Of a core, by all threads of the driver together.
      def driver_cores = @step.wall_ns.positive? ? @step.driver_cpu_ns.fdiv(@step.wall_ns) : nil

      # What the driver noticed about itself; nil of what does not tell.
      def pulse
        facts = @step.thread_stats or return
        events, wakeups = facts.values_at(:events, :wakeups)
        { **facts.slice(:spins, :windows, :busy, :full), wakeups:, events:,
          events_max: facts[:events_max], preempted: facts[:preempted],
          event_age_ms: { mean: events.zero? ? nil : facts[:age_sum_ns] / 1e6 / events,
                          max: facts[:age_max_ns] / 1e6 },
          waited_s: facts[:waited_ns]&./(1e9), steal_share: facts[:steal_share],
          empty_per_s: @empty_per_s }
      end

      # { kind:, windows:, index: } over all steps; nil without an open loop, or with too little.
      def dispersion
        return @dispersion if defined?(@dispersion)

        @dispersion = open? ? dispersion_of(dispersions.compact) : nil
      end

      def dispersion_of(parts)
        return if parts.empty?

        windows = parts.sum { |part| part[:windows] }
        index = parts.sum { |part| part[:index] * part[:windows] } / windows
        { kind: arrivals[:kind], windows:, index: }
      end

      def dispersions
        seconds = @asked[:duration_s] unless @asked[:count]
        duration_ns = seconds && (seconds * 1e9 / @asked[:arrivals].size)
        steps = @stages.empty? ? [[@step, @recording]] : @stages
        steps.zip(@asked[:arrivals]).map do |(step, recording), due|
          Load::Dispersion.new(due, duration_ns:).call(step, recording)
        end
      end

      def latency(kind)
        { kind: kind.to_s, **self.class.times_ms(@recording, kind) }
      end

      # [{ from_ms:, count: }]: counts between logarithmically spaced times.
      def histogram
        return [] if @step.good.zero?

        low, high = @recording.quantiles(kind, [0.0, 1.0])
        edges = edges([low, 1].max, high + 1)
        edges.each_cons(2).map do |from, to|
          { from_ms: from / 1e6, count: @recording.count_between(kind, from, to) }
        end
      end

      def edges(low, high)
        factor = high.fdiv(low)**(1.0 / BARS)
        [*Array.new(BARS) { |index| (low * (factor**index)).round }, high].uniq
      end

      def slices
        steps = @stages.empty? ? [@step] : @stages.map(&:first)
        steps.map { |step| step.to_h.merge(warm_up: false) }
      end

      def checks
        facts = { slices:, recorded: @recording.size,
                  threads: @asked[:threads], connections: @step.connections,
                  arrivals: dispersion, empty_per_s: @empty_per_s }
        Analysis::Checks.of_load(facts).map { |finding| Phrase.check(finding) }
      end
    end
  end
end
