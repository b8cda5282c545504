# frozen_string_literal: true

module Mohs
  module Analysis
    # Servers from their first request on: what each level of a study did in batches of requests,
    # when it was warm, and whether its trials vary more than those of the others (method, Cold
    # starts). Pure.
    class ColdStart
      # What is known of a JIT at a moment, counted from the server's start: methods compiled,
      # pieces of code (versions of methods or of their blocks), bytes of code, time spent
      # compiling, how often code was thrown away, and how often code was left for the interpreter.
      FIGURES = %i[methods pieces code_bytes compile_ns invalidations exits].freeze

      # Correct responses (`good`) in `seconds` since the batch before it; latencies, nil if
      # unknown; `stalls` as Checks::Stalls.count gives them, nil if unknown; `jit`, what was
      # compiled by its end (FIGURES), nil if unknown.
      class Batch < Struct.new(:good, :seconds, :p50_ms, :p99_ms, :stalls, :jit, keyword_init: true)
        include Value

        #: () -> Float
        def per_s = good / seconds
      end

      # One boot: `boot_ms`, nil if unknown, and its batches; `jit_at_start`, what was compiled
      # before them; `code`, the methods that its JIT has saved: name, place, number of versions,
      # and lines of C of each (nil if the JIT saves none).
      class Trial < Struct.new(:boot_ms, :batches, :jit_at_start, :code, keyword_init: true)
        include Value

        # Versions in which a method of this name was compiled, or any method if no name is given:
        # the most if there are several methods; 0 if none was compiled. nil if unknown.
        #: (?String?) -> Integer?
        def versions(name = nil)
          same = code&.select { |one| name.nil? || one[:name] == name } or return
          same.map { |one| one[:versions] }.max.to_i
        end

        # Requests a second over all batches.
        #: () -> Float
        def average_per_s = rate(batches)

        #: () -> Float
        def last_per_s = batches.last.per_s

        # nil if no response of the first batch was correct.
        #: () -> Float?
        def first_per_s = batches.first.per_s.then { |rate| rate if rate.positive? }

        # How many times p50 p99 is, over the second half; nil if either is unknown.
        #: () -> Float?
        def stretch
          p50, p99 = %i[p50_ms p99_ms].map { |percentile| settled_ms(percentile) }
          p99 / p50 if p50 && p99
        end

        # The batches of the second half, where a series that warms up in time is warm.
        #: () -> Array[Analysis::ColdStart::Batch]
        def settled = batches.drop(batches.size / 2)

        # Requests a second of the second half.
        #: () -> Float
        def settled_per_s = rate(settled)

        # Number of batches that it needed to warm up; nil if it was not warm by half of them, or if
        # there are too few to tell.
        #: () -> Integer?
        def warm_after = Stats::Mser.cut(batches.map(&:per_s), batch: 1)

        # The rate of as many batches after the first `count`, relative to that of the second half.
        # Where there are fewer before the second half, only those count; nil if there are none, or
        # they had no response.
        #: (Integer) -> Float?
        def settling(count)
          half = batches.size / 2
          behind = batches[count...[2 * count, count + 1].max.clamp(..half)]
          found = rate(behind) / settled_per_s if behind&.any?
          found if found&.positive? && found.finite?
        end

        # The median of the batches' percentiles over the second half; nil if unknown: unanswered
        # requests take longer than any.
        #: (Symbol) -> Float?
        def settled_ms(percentile) = ColdStart.median(settled.map(&percentile))

        private

        def rate(some) = some.sum(&:good) / some.sum(&:seconds)
      end

      # One level, with `p`, the chance that its trials would differ so much more than those of the
      # others (nil for a single trial, or a single level). A small `p` says that they vary more,
      # not that any of them is wrong.
      class Level < Struct.new(:name, :trials, :p, keyword_init: true)
        include Value

        # Do its trials vary more than those of the others, so that it is compared with nothing?
        #: () -> bool
        def excluded? = !p.nil? && p < Stats::Cochran::LEVEL

        # The number, from 1, of the trial of an excluded level that stands apart from the other
        # trials beyond their variation; nil if none does: then all that is known is that the level
        # varies more.
        #: () -> Integer?
        def stray
          logs = trials.map { |trial| Math.log(trial.settled_per_s) }
          chance = Stats::Grubbs.p(logs) if excluded?
          Stats::Grubbs.farthest(logs) + 1 if chance&.<(Stats::Grubbs::LEVEL)
        end

        #: () -> Float
        def average_per_s = Stats::Center.mean(trials.map(&:average_per_s))

        #: () -> Float
        def last_per_s = Stats::Center.mean(trials.map(&:last_per_s))

        # nil if unknown.
        #: () -> Float?
        def boot_ms
          known = trials.filter_map(&:boot_ms)
          Stats::Center.mean(known) if known.any?
        end

        # The median over its trials; nil if unknown.
        #: (Symbol) -> Float?
        def settled_ms(percentile)
          ColdStart.median(trials.map { |trial| trial.settled_ms(percentile) })
        end

        # The median over its trials, of two trials the later one; nil if that trial was not warm in
        # time.
        #: () -> Integer?
        def warm_after
          ends = trials.map { |trial| trial.warm_after || Float::INFINITY }.sort
          middle = ends[ends.size / 2]
          middle unless middle == Float::INFINITY
        end

        # For each batch, the median of what the block gives, over the trials that have so many
        # batches; nil where unknown.
        #: () { (Analysis::ColdStart::Batch) -> Numeric? } -> Array[Float?]
        def curve
          longest = trials.map { |trial| trial.batches.size }.max
          Array.new(longest) do |index|
            ColdStart.median(trials.filter_map { |trial| trial.batches[index] }
                                   .map { |one| yield one })
          end
        end

        # What the JIT had compiled before the first batch and after each, as medians of the trials:
        # correct responses so far, those per second of this batch, and FIGURES, nil where unknown.
        # nil if nothing is known.
        #: () -> Array[Hash[Symbol, Numeric?]]?
        def timeline
          return if trials.none?(&:jit_at_start) && trials.flat_map(&:batches).none?(&:jit)

          served = trials.map { |trial| [0, *trial.batches.map(&:good)] }
          longest = served.map(&:size).max
          rates = [nil, *curve(&:per_s)]
          rows = trials.map { |trial| [trial.jit_at_start, *trial.batches.map(&:jit)] }
          Array.new(longest) do |index|
            moment(index, served, rates[index], rows.map { |row| row[index] })
          end
        end

        # Methods that its JIT has saved, as Trial#code, with the median of the trials' versions,
        # the most first; nil if no trial has them.
        #: () -> Array[{ name: String, at: String, versions: Float }]?
        def code
          known = trials.filter_map(&:code)
          return if known.empty?

          methods = known.flat_map { |code| code.map { |one| one.slice(:name, :at) } }.uniq
          found = methods.map { |one| { **one, versions: typical_versions(one, known) } }
          found.sort_by { |one| [-one[:versions], one[:name], one[:at]] }
        end

        # The share of responses that a delayed ACK held up (Checks::Stalls); nil without a cluster,
        # or if unknown.
        #: () -> Float?
        def delayed_acks
          known = trials.flat_map(&:batches).select(&:stalls)
          counts = known.map { |batch| batch.stalls.first }
          Checks::Stalls.share(inside: counts.sum { |one| one[:inside] },
                               beside: counts.sum { |one| one[:beside] }, good: known.sum(&:good))
        end

        private

        def moment(index, served, per_s, jit)
          reached = served.select { |each| each.size > index }
          requests = Stats::Center.median(reached.map { |each| each.first(index + 1).sum })
          { requests: requests.round, per_s:,
            **FIGURES.to_h { |name| [name, typical(jit.compact.filter_map { |one| one[name] })] } }
        end

        def typical(values) = (Stats::Center.median(values) if values.any?)

        # A trial that did not compile the method has 0 versions.
        def typical_versions(method, known)
          typical(known.map { |code| code.find { |one| method <= one }.to_h.fetch(:versions, 0) })
        end
      end

      # The median, in which a nil is larger than any value; nil if the median is, or without
      # values.
      #: (Array[Numeric?]) -> Float?
      def self.median(values)
        return if values.empty?

        middle = Stats::Center.median(values.map { |value| value || Float::INFINITY })
        middle unless middle == Float::INFINITY
      end

      # What a metric is for a trial, by its key: the rate of the last batch, which sources take for
      # that of a warm server; percentiles of the second half; what is known of batches alone. Other
      # metrics are unknown.
      METRICS = {
        throughput_per_s: :last_per_s.to_proc, boot_ms: :boot_ms.to_proc,
        latency_p50_ms: ->(trial) { trial.settled_ms(:p50_ms) },
        latency_p99_ms: ->(trial) { trial.settled_ms(:p99_ms) },
        first_per_s: :first_per_s.to_proc, latency_stretch: :stretch.to_proc,
      }.freeze

      # Was its cold start recorded? A server that still got faster has no rate, but its batches
      # show just that.
      #: (Store::Trial) -> bool
      def self.recorded?(trial)
        return false unless trial.warm_up.to_h[:batches]

        trial.measured? || trial.still_rose?
      end

      # From the trials of a run that were recorded from their start, by variant.
      #: (Hash[String, Array[Store::Trial]], alpha: Float) -> Analysis::ColdStart
      def self.of(trials, alpha:)
        new(trials.transform_values { |same| same.map { |one| trial(one) } }, alpha:)
      end

      def self.trial(stored)
        batches = stored.warm_up[:batches].map do |one|
          Batch.new(good: one[:good], seconds: one[:wall_ns] / 1e9, stalls: one[:stalls],
                    p50_ms: one[:p50_ns]&./(1e6), p99_ms: one[:p99_ns]&./(1e6), jit: one[:jit])
        end
        Trial.new(boot_ms: Figures.new(stored).boot_ms, batches:,
                  **stored.warm_up.slice(:jit_at_start, :code))
      end
      private_class_method :trial

      # trials: { name of a level => [Analysis::ColdStart::Trial] }. alpha: the chance of an
      # interval to miss.
      #: (Hash[String, Array[Analysis::ColdStart::Trial]], ?alpha: Float) -> void
      def initialize(trials, alpha: Verdict::ALPHA)
        @trials = trials
        @alpha = alpha
      end

      # The levels in the order given.
      #: () -> Array[Analysis::ColdStart::Level]
      def levels
        @levels ||= begin
          rates = @trials.transform_values { |some| some.map { |one| Math.log(one.settled_per_s) } }
          chances = Stats::Cochran.p(rates)
          @trials.map { |name, trials| Level.new(name:, trials:, p: chances.fetch(name)) }
        end
      end

      # nil if there is no level of that name.
      #: (String) -> Analysis::ColdStart::Level?
      def level(name) = levels.find { |level| level.name == name }

      # The ratio of a metric of two levels, `other` over `one`, by trials that ran at different
      # times: Welch's test, whose interval covers what differs from boot to boot, but no drift of
      # the machine between the levels.
      #: (Analysis::Metric, String, String) -> Analysis::Contrast
      def contrast(metric, one, other)
        logs = [one, other].map { |name| logs(metric, name) }
        Contrast.new(metric:, effect: Stats::Effect.between(*logs), total: nil, alpha: @alpha,
                     fatal: nil)
      end

      # The rate of a level after so many batches relative to its later rate, each trial by itself;
      # without a value if a trial is too short to tell.
      #: (String, Integer) -> Analysis::Contrast
      def settling(name, batches)
        ratios = @trials.fetch(name).map { |trial| trial.settling(batches) }
        logs = ratios.all? ? ratios.map { |ratio| Math.log(ratio) } : []
        Contrast.new(metric: Metric.fetch("throughput"), effect: Stats::Effect.of(logs), total: nil,
                     alpha: @alpha, fatal: nil)
      end

      private

      # Empty if any trial lacks the metric: the others would favour the level.
      def logs(metric, name)
        values = @trials.fetch(name).map { |trial| METRICS[metric.key]&.call(trial) }
        values.all? ? values.map { |value| Math.log(value) } : []
      end
    end
  end
end
