# frozen_string_literal: true

module Mohs
  module Compare
    # What speaks against the figures of a comparison, beyond what each trial's own checks say. Each
    # warning is a Finding, or nil; a fatal one rules out a verdict.
    class Warnings
      # The chance of a false warning of this kind.
      ALPHA = Analysis::Verdict::ALPHA / 5

      # With fewer cohorts, or slices, a warning can't be distinguished from chance.
      FEWEST = 3

      THROUGHPUT = Analysis::Metric.fetch("throughput")

      # Growth over a trial's measured slices from which on it is not noise of the host; and the
      # number of requests that growth is reported for.
      GROWTH, PER = 0.05, 1000

      # How much slower one half of the machine has to be for a warning.
      HALVES = 0.1

      # How many times as much a cohort varies in which each variant is alone, in turns, as one in
      # which they run side by side: 1.15 % against 0.79 to 0.52 % (method, table 3b).
      ALONE = 2.2

      # Metrics that don't depend on how many other connections are open; and the difference in the
      # share held from which on it counts, as with failed requests.
      UNHELD = %w[held boot].freeze
      FEWER = Analysis::Checks::Errors::VOID

      # The driver's share from which on requests/s hides a quarter of the difference.
      DILUTION = 0.25

      # Attested facts, and the declared differences between the variants that explain each.
      FACTS = {
        interpreter: %i[ruby flags env url own_jit], version: %i[ruby url],
        jit: %i[ruby flags env url own_jit],
        malloc: %i[env url], workers: %i[server processes config env revision url],
        threads: %i[server threads config env revision url],
      }.freeze
      GEMS = %i[ruby server gemfile revision url].freeze
      FEW = 3

      # As of the look that decided: later cohorts change neither the verdict nor what speaks
      # against it. Before a decision, as of all cohorts.
      #: (Compare::Result) -> void
      def initialize(comparison)
        @comparison = comparison
        @look = comparison.decided_look || comparison.looks.last
        @pairs = comparison.decided_look ? @look.pairs : comparison.pairs
      end

      #: () -> Array[Analysis::Finding]
      def to_a
        found = [unusable, ruled_out, held_fewer, wider, *may_rise, changing, growth, unsteady,
                 pauses, halves, dilution, contention, beyond]
        [*found.compact, *adjusted]
      end

      private

      def finding(code, severity, subject: nil, **values)
        Analysis::Finding.new(code:, severity:, subject:, values:)
      end

      # The interval of values, one for each cohort. Warnings are evaluated after each cohort, so
      # its test may be looked at repeatedly; it has a fifth of the verdict's own chance of error.
      def interval(values) = sequential(alpha: ALPHA).interval(values)

      def sequential(**options) = @comparison.sequential(look: @look, **options)

      # The same interval if it excludes 0; nil if it doesn't, or has no ends.
      def certain(values)
        interval = interval(values)
        interval if interval.low && (interval.low * interval.high).positive?
      end

      # A metric that its own row leaves out can't decide anything.
      def unusable
        metric = @comparison.metric
        bunching = Bunching.values(metric, @pairs, rated: @comparison.rated?)
        return finding("metric_bunching", :bad, **bunching) if bunching
        return if @pairs.size < @comparison.rules.question.first_look || differences(metric).any?

        finding("metric_not_recorded", :bad, metric: metric.title)
      end

      # A server that took all of the other's cores leaves nothing to compare. Gates of other
      # metrics may be decided all the same.
      def ruled_out
        @look&.ruled_out(@comparison.metric) if @comparison.rules.question.verdict?
      end

      # A server that holds fewer connections has less to do for each of them: it can't win by that,
      # and is not equal. If it is behind nevertheless, the verdict stands.
      def held_fewer
        return if @comparison.streams.nil? || UNHELD.include?(@comparison.metric.name)

        shares = @pairs.map { |pair| [pair.a, pair.b].map { |trials| held(trials) } }
                       .select(&:all?)
        interval = certain(shares.map { |a, b| b - a }) if shares.size >= FEWEST
        return if interval.nil? || interval.value.abs < FEWER

        a, b = shares.transpose.map { |side| Stats::Center.mean(side) }
        side, share, other = b < a ? ["B", b, a] : ["A", a, b]
        finding("held_fewer", behind?(side) ? :warn : :bad, subject: side, side:, share:, other:)
      end

      def held(trials)
        shares = trials.filter_map { |trial| Analysis::Figures.new(trial).held_share }
        Stats::Center.mean(shares) if shares.any?
      end

      # In the deciding metric, without being equal.
      def behind?(side)
        found = differences(@comparison.metric)
        return false if found.empty? || @look&.decision == :equivalent

        mean = Stats::Center.mean(found)
        side == "B" ? mean.negative? : mean.positive?
      end

      # One that took less widens the interval. The user has to know if that is more than what is to
      # be found: more cohorts don't help.
      def wider
        bias = @look&.taken
        return if bias.nil? || bias.most < Stats::Margin.log(@comparison.rules.margin)

        side = bias.below >= bias.above ? "B" : "A"
        finding("slowed_other", :warn, subject: side, side:, share: 1 - Math.exp(-bias.most))
      end

      # Nor do they help a server that was measured before its JIT has compiled all.
      def may_rise = @look ? @look.may_rise(Stats::Margin.log(@comparison.rules.margin)) : []

      # An application that answers differently from one boot to the next has no single speed. The
      # servers of a cohort were compared with each other already; this compares cohorts.
      def changing
        { "A" => :a, "B" => :b }.each do |side, trials|
          first, *later = @pairs.flat_map(&trials).filter_map(&:answers)
          change = later.filter_map { |one| App::SameAnswers.difference(one, first) }.first or next
          return finding("answers_change", :bad, subject: side, side:, **change.to_h)
        end
        nil
      end

      # An application that needs more CPU time with every request that it has answered (a list that
      # grows, a leak) has no single speed: the result depends on when it is measured. CPU time is
      # used because the host's own drift changes it least.
      def growth
        interval = certain(@pairs.filter_map { |pair| grown_in(pair) }) or return
        return unless interval.value > Math.log(1 + GROWTH)

        # From the middle of the first slice to the middle of the last.
        answered = @pairs.flat_map(&:trials)
                         .map { |trial| trial.measured_slices.drop(1).sum(&:good) }
        per = Math.exp(interval.value * PER / Stats::Center.mean(answered)) - 1
        finding("growth", :bad, growth: per, requests: PER)
      end

      # The mean over all trials of a cohort: their conditions are the same.
      def grown_in(pair)
        grown = pair.trials.filter_map { |trial| grown(trial.measured_slices) }
        Stats::Center.mean(grown) if grown.any?
      end

      # Logarithm of the growth of a request's cost from the first slice to the last.
      def grown(slices)
        costs = slices.filter_map { |slice| Stats::Sample.log(slice, :cpu_us_per_request) }
        slope = Stats::TheilSen.slope(costs) if costs.size > FEWEST
        slope && (-slope * (costs.size - 1))
      end

      # "Not steady": see Drift. Fatal if the difference moved by more than all of B's lead.
      def unsteady
        differences = @look&.of(THROUGHPUT)
        return if differences.nil? || differences.empty?

        blocks = @pairs.map { |pair| pair.block_differences(THROUGHPUT) }
        Analysis::Drift.call(blocks, margin: @comparison.rules.margin, lead: Stats::Center.mean(differences),
                                     of: "B", over: "A") { |moves| interval(moves) }
      end

      # Pauses rarer than one slice in five are trimmed away. If one side has more of them, the
      # totals over all slices disagree with the verdict (method, section 4): the warning is given
      # if their intervals don't overlap.
      def pauses
        totals = @pairs.filter_map { |pair| pair.total_difference(THROUGHPUT) }
        all, typical = [totals, differences(THROUGHPUT)].map do |values|
          sequential.interval(values).exp
        end
        return if all.low.nil? || typical.low.nil?
        return if all.low <= typical.high && all.high >= typical.low

        side = all.value < typical.value ? "B" : "A"
        finding("pauses", :warn, subject: side, side:, ratio: all.value)
      end

      def differences(metric) = @pairs.filter_map { |pair| pair.difference(metric) }

      # Position effect: is one half of the machine slower than the other, whichever server is on
      # it? Exchanging the halves cancels it, but its cause may disturb in other ways.
      def halves
        duets = @pairs.select(&:duet?)
        interval = certain(duets.filter_map { |pair| between_halves(pair) }) or return
        return if interval.value.abs < Math.log(1 + HALVES)

        finding("halves", :warn, share: Math.exp(interval.value.abs) - 1)
      end

      def between_halves(pair)
        logs = [pair.a, pair.b].map { |trials| half_difference(trials) }
        Stats::Center.mean(logs) if logs.all?
      end

      # The difference between the halves for one variant: if its servers change halves, each slice
      # says on which one it was.
      def half_difference(trials)
        halves = trials.flat_map { |trial| rates(trial) }.group_by(&:first)
        means = halves.values_at(0, 1).map { |rates| rates && Stats::Center.mean(rates.map(&:last)) }
        means[1] - means[0] if means.all?
      end

      def rates(trial)
        trial.measured_slices.filter_map do |slice|
          rate = Stats::Sample.measured(slice, :throughput_per_s)
          [slice.half || trial.worker, rate] if rate
        end
      end

      # If the driver shares its core with the server, requests/s shows server and driver together:
      # a difference between servers is diluted by the driver's share of that CPU time (method,
      # table 3b: r 4.74 where c is 5.18).
      def dilution
        return if @comparison.rated? # requests/s is the same for both

        slices = @pairs.flat_map(&:trials).flat_map(&:measured_slices)
        return if slices.empty? || slices.any? { |slice| slice.cpu_ns.nil? }

        driver, server = slices.sum(&:driver_cpu_ns), slices.sum(&:cpu_ns)
        share = driver.fdiv(driver + server)
        finding("dilution", :warn, share:) unless share < DILUTION
      end

      # Two servers that are loaded at the same time share caches, memory and the clock of the
      # machine; if they differ much, that can shrink the difference (method, table 3b). So a large
      # difference is measured once more with each server alone. The result of that one cohort is
      # reported if it lies outside the interval; it is reported as contention only if the
      # difference is larger by more than the noise of one cohort leaves to chance.
      def contention
        metric = @comparison.metric
        alone = @comparison.solo&.difference(metric) or return
        together = differences(metric)
        known = sequential.interval(together)
        return if known.low.nil? || alone.between?(known.low, known.high)

        ratio = Math.exp(metric.more ? alone : -alone)
        return finding("measured_alone", :info, metric: metric.title, ratio:) \
          unless larger?(alone, together)

        finding("contention", :warn, metric: metric.title, ratio:)
      end

      # Is it beyond a prediction interval for one more cohort (Hahn and Meeker, Statistical
      # Intervals, section 4.7), one-sided at ALPHA? This is asked only once.
      def larger?(alone, together)
        mean, count = Stats::Center.mean(together), together.size
        error = Stats::Spread.sd(together) * Math.sqrt((ALONE**2) + (1.0 / count))
        reach = (Stats::StudentT.upper_quantile(ALPHA, count - 1) * error) + @look.bias.most
        (alone - mean) * (mean <=> 0) > reach + taken_alone
      end

      # What one of the two may have taken from the other while each was alone.
      def taken_alone
        solo = @comparison.solo
        sides = [solo.a, solo.b].map { |trials| Analysis::IdleActivity.of(trials) }
        Stats::Bias.of_lead(@comparison.metric.key, *sides).most
      end

      def adjusted
        return [] unless @look && @comparison.rules.question.effect?

        Adjusted.new(@comparison, @look).findings
      end

      # The servers attest more differences than were declared: a user who compares YJIT with no
      # YJIT doesn't want to compare two versions of a gem as well.
      def beyond
        pair = @pairs.last or return
        a, b = [pair.a, pair.b].map { |trials| trials.last.attested }
        found = differing_facts(a, b) + differing_gems(a, b)
        return if found.empty?

        finding("differ_beyond", :warn, differing: found.first(FEW),
                                        more: [found.size - FEW, 0].max)
      end

      def differing_facts(a, b)
        declared = @comparison.declared
        FACTS.reject { |_, causes| causes.intersect?(declared) }.keys.filter_map do |name|
          one, other = a[name], b[name]
          { name: name.to_s, a: one, b: other } unless [one, other].any?(&:nil?) || one == other
        end
      end

      def differing_gems(a, b)
        return [] if GEMS.intersect?(@comparison.declared)

        one, other = [a, b].map { |facts| facts[:gems] || {} }
        differing = (one.keys | other.keys).reject { |name| one[name] == other[name] }
        differing.map { |name| { gem: name.to_s, a: one[name], b: other[name] } }
      end
    end
  end
end
