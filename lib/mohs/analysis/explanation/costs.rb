# frozen_string_literal: true

module Mohs
  module Analysis
    class Explanation
      # One trial's readings and slices as figures: counters as amounts per correct response, gauges
      # as means over the readings after its blocks, and figures derived from several. code_ns is
      # user time outside garbage collection; other_wait_ns is the part of the latency spent neither
      # on a core nor waiting for one or for the GVL; gvl_demand is how many threads of a process
      # needed that lock.
      class Costs
        # A figure, and the step in which it is counted, on the same scale: differences below a step
        # or two are chance, even if three cohorts show the same.
        Amount = Struct.new(:value, :step, keyword_init: true)

        # The kernel divides CPU time into user and system time in ticks of this length.
        TICK_NS = 10_000_000

        # Memory is allocated in pages.
        PAGE = 4096

        # In a process whose JIT is off these are 0, which the engine doesn't report.
        JIT = Measures::ALL.keys.grep(/\Ajit_/).freeze

        # Figures from the totals of the slices, pauses included: CPU time and latency a request;
        # latency less CPU time, which is time on no core; one over the rate; and how many cores
        # were kept busy.
        OF_TOTALS = {
          cpu_ns: ->(of) { of[:cpu_ns].fdiv(of[:good]) },
          latency_ns: ->(of) { of[:latency_ns]&.fdiv(of[:good]) },
          waiting_ns: ->(of) { (of[:latency_ns] - of[:cpu_ns]).fdiv(of[:good]) if of[:latency_ns] },
          span_ns: ->(of) { of[:span_ns].fdiv(of[:good]) },
          cores_busy: ->(of) { of[:cpu_ns].fdiv(of[:span_ns]) },
        }.freeze

        # The unit of a figure: ns_per_request, bytes, cores. A part of a profile is a time.
        #: (Symbol | Hash[Symbol, untyped]) -> String
        def self.unit(name)
          return "cores" if name == :cores_busy
          return "bytes" if name == :memory_bytes

          measure = Measures::ALL[name]
          unit = measure ? measure.unit : :ns
          measure && !measure.counter? ? unit.to_s : "#{unit}_per_request"
        end

        #: (Store::Trial) -> void
        def initialize(trial)
          @trial = trial
          @slices = trial.measured_slices
          @readings = trial.readings
          @known = {}
        end

        # nil if unknown. A step of 0: it is not a count.
        #: (Symbol) -> Analysis::Explanation::Costs::Amount?
        def [](name)
          @known.fetch(name) { @known[name] = of(name) }
        end

        # { cpu_ns:, span_ns:, good:, latency_ns: } of all measured slices, pauses included.
        # latency_ns may be nil; if any of the others is unknown or 0, the result is nil.
        #: () -> Hash[Symbol, Integer?]?
        def totals
          return @totals if defined?(@totals)

          sums = %i[cpu_ns good].to_h { |key| [key, sum { |slice| slice[key] }] }
          sums[:span_ns] = sum { |slice| Stats::Sample.span_ns(slice) }
          whole = sums.values.all? { |one| one.to_i.positive? }
          @totals = ({ **sums, latency_ns: sum(&:latency_sum_ns) } if whole)
        end

        private

        def sum(&)
          values = @slices.map(&)
          values.sum if values.all?
        end

        def of(name)
          return code if name == :code_ns
          return other_wait if name == :other_wait_ns
          return front if name == :front_ns
          return gvl_demand if name == :gvl_demand
          return memory if name == :memory_bytes
          return exact(OF_TOTALS.fetch(name)) if OF_TOTALS.key?(name)

          measure = Measures::ALL.fetch(name)
          measure.counter? ? counted(measure) : state(measure)
        end

        def exact(figure)
          value = figure.call(totals) if totals
          Amount.new(value:, step: 0) if value
        end

        def code
          user, collecting = self[:user_ns], self[:gc_time_ns]
          return unless user && collecting

          Amount.new(value: user.value - collecting.value, step: user.step)
        end

        # CPU time of what stands in front of the server, which its readings leave out.
        def front
          return Amount.new(value: 0, step: 0) unless @trial.front

          cpu_us = Figures.new(@trial).front_cpu_us_per_request
          Amount.new(value: cpu_us * 1000, step: TICK_NS.fdiv(@trial.front[:requests])) if cpu_us
        end

        # A lower bound: a thread that has the GVL may still wait for a core, and so may threads
        # other than those that serve.
        def other_wait
          parts = [self[:waiting_ns], self[:cpu_wait_ns], gvl_wait]
          return unless parts.all?

          whole, *waits = parts.map(&:value)
          Amount.new(value: [whole - waits.sum, 0].max, step: 0)
        end

        # Not every version reports how long threads wait for it.
        def gvl_wait = gvl? ? self[:gvl_wait_ns] : Amount.new(value: 0, step: 0)

        # How many threads of each process held the GVL or waited for it, at most: CPU time spent
        # without it can't be told apart.
        def gvl_demand
          return Amount.new(value: 0, step: 0) unless gvl?

          wait, workers = gvl_wait, @trial.attested[:workers]
          return unless wait && workers && totals

          needed = (self[:cpu_ns].value + wait.value) / self[:span_ns].value
          Amount.new(value: needed / [workers, 1].max, step: 0)
        end

        def gvl? = Rubies::Engines.named(@trial.attested[:engine])::GVL

        def memory
          value = Figures.new(@trial).memory_bytes
          Amount.new(value:, step: PAGE) if value
        end

        # Counts only between consecutive readings that both have the figure.
        def counted(measure)
          spans = @readings.each_cons(2).filter_map do |before, after|
            from, to = [before, after].map { |reading| figure(reading, measure) }
            [to - from, after.good - before.good] if from && to && to >= from
          end
          requests = spans.sum(&:last)
          return unless requests.positive?

          Amount.new(value: spans.sum(&:first).fdiv(requests), step: step(measure).fdiv(requests))
        end

        def state(measure)
          values = @readings.select(&:block).filter_map { |reading| figure(reading, measure) }
          Amount.new(value: Stats::Center.mean(values), step: step(measure)) if values.any?
        end

        def figure(reading, measure)
          figures = reading.public_send(measure.source) or return
          figures.fetch(measure.name) { 0 if off?(measure.name) }
        end

        def off?(name) = JIT.include?(name) && @trial.attested[:jit] == "off"

        def step(measure)
          return 1 if measure.unit == :count
          return PAGE if measure.unit == :bytes

          measure.source == :kernel && measure.unit == :ns && measure.cpu ? TICK_NS : 0
        end
      end
    end
  end
end
