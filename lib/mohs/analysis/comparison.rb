# frozen_string_literal: true

module Mohs
  module Analysis
    # The result of a comparison's cohorts, at any time: pure, from the stored run. The runner uses
    # it to decide whether to go on, the report for the verdict, so that both agree.
    class Comparison
      # Cohorts after which it may be decided for the first time.
      FIRST_LOOK = Stats::Sequential::LOOKS.first

      # Cohorts in which a server crashed, from which on it is no accident.
      MOST_VOID = 3

      # What becomes of a side that is no different answer.
      BREAKS = %w[side_refused side_failed side_silent].freeze

      # Log ratio from which on one more cohort measures each alone (method, section 4: 10 %).
      LARGE = Math.log(1.1)

      # Of the study: what was asked. `void`: Pairs that don't count, each with what happened.
      attr_reader :rules, :baseline, :candidate, :void

      # run: store.result(run_id) of a run whose study has a comparison.
      #: (Store::Run) -> void
      def initialize(run)
        @stored = run.cohorts
        @study = run.study
        @rules = @study.comparison
        @baseline = @study.baseline
        @candidate = @rules.candidate
        solo, paired = @stored.partition(&:solo?)
        @left = paired.count { |cohort| !cohort.done? }
        @solo = cut(solo.select(&:done?))
        @measured = cut(paired.select(&:done?))
        @whole, @void = @measured.partition(&:whole?)
      end

      # The looks so far, in their order, up to the one that ended it. What each says is a function
      # of the cohorts up to it, whenever it is asked; a decision stays.
      #: () -> Array[Analysis::Comparison::Look]
      def looks
        @looks ||= due.each_with_object([]) do |count, made|
          break made if made.any? && closed?(made.last)

          made << look(count, made.last)
        end
      end

      # The cohorts that count, in which every server was measured, at the mean speed of the cores
      # as the last look knows it.
      #: () -> Array[Analysis::Comparison::Pair]
      def pairs = @pairs ||= cut(adjustment.even(@whole.map(&:cohort)))

      # The same as measured.
      #: () -> Array[Analysis::Comparison::Pair]
      def raw = @whole

      # The effect on the deciding metric as a look had it.
      #: (Analysis::Comparison::Look) -> Stats::Interval
      def interval(look) = sequential(look:).interval(look.differences, bias: look.bias).exp

      # Fitted on the cohorts of the last look; before the first on all.
      #: () -> Analysis::SpeedAdjustment
      def adjustment
        @adjustment ||= looks.last&.adjustment || SpeedAdjustment.new(@whole.map(&:cohort))
      end

      # All cohorts of the run, at the mean speed of the cores.
      #: () -> Array[Store::Cohort]
      def cohorts = @cohorts ||= adjustment.even(@stored)

      # The cohort in which each was measured alone, once; nil without one.
      #: () -> Analysis::Comparison::Pair?
      def solo = @solo.find(&:whole?)

      # Is the difference so large that the two may have disturbed each other? A duet shrinks a
      # large ratio by up to a twentieth of itself (method, table 3b).
      #: () -> bool
      def wants_solo?
        return false unless state == :differs && @solo.empty?
        return false unless pairs.first.duet?
        return false if rules.most || rules.levels || spent?

        Stats::Center.mean(deciding_look.differences).abs > LARGE
      end

      #: () -> Analysis::Metric
      def metric = Metric.fetch(rules.metric)

      # Seconds that it may take; nil without a limit.
      #: () -> Numeric?
      def budget_s = @study.budget_s

      # Log differences B - A, better is bigger, one for each cohort that has one.
      #: (Analysis::Metric) -> Array[Float]
      def differences(metric) = pairs.filter_map { |pair| pair.difference(metric) }

      # The look that decided it, else the last one; nil before the first.
      #: () -> Analysis::Comparison::Look?
      def deciding_look = looks.find(&:decided?) || looks.last

      # The look that gave the verdict; nil before it. What speaks against the figures counts up to
      # there: more cohorts, which a gate may ask for, are no more chances to spoil it.
      #: () -> Analysis::Comparison::Look?
      def decided_look = looks.find(&:decided?)

      # What ended it: :differs, :equivalent, :precise, :exhausted (Stats::Sequential::Decision),
      # :first or :second in a step of a bisection (Stats::Sides), :quick, :budget, :gated (all
      # gates of `mohs gate` hold or fail, and nothing else was decided), :invalid; or :continue,
      # also if only a gate is undecided.
      #: () -> Symbol
      def state
        return :invalid if fault
        return ended || :continue if looks.empty?
        return :quick if rules.quick && decided == :continue
        return ended || :continue unless closed?(looks.last) || (cut_short? && decided != :continue)

        return :gated if decided == :continue

        decided == :exhausted ? ended || :exhausted : decided
      end

      # The result of the look that decided, gates apart: one of those, or :continue.
      #: () -> Symbol
      def decided = deciding_look ? deciding_look.decision : :continue

      #: () -> bool
      def over? = state != :continue

      # Why no verdict is possible: a side that could not be served, answers differently, or crashes
      # again and again (`cohorts` says in how many). Nil if nothing speaks against one. A step of a
      # bisection continues in spite of warnings, which a busy host raises: its ends and its
      # confirmation do not.
      #: () -> Analysis::Finding?
      def fault
        return (warnings.find(&:fatal?) unless rules.step) unless spoiler
        return spoiler.trouble if spoiler.final?

        trouble = spoiler.trouble
        Finding.new(**trouble.to_h, values: { **trouble.values, cohorts: void.size })
      end

      # The cohort whose failure is the reason, of those up to the verdict.
      #: () -> Analysis::Comparison::Pair?
      def spoiler
        decided_look ? among(void.select { |pair| pair.position < decided_look.position }) : spoiled
      end

      # What happened to a side after the verdict, while a gate was open: the verdict stays, but no
      # gate can be decided any more. Nil if nothing did.
      #: () -> Analysis::Finding?
      def trouble_since = (spoiled&.trouble if decided_look && !spoiler)

      # What happened to the candidate alone, if it can't be served, failed or fell silent: to
      # `mohs gate` no lack of an answer, but one. Nil if nothing did, or to the baseline too.
      #: () -> Analysis::Finding?
      def broken
        return unless rules.levels && spoiled&.a&.all?(&:measured?)

        trouble = spoiled.trouble
        trouble if trouble.subject == "B" && BREAKS.include?(trouble.code)
      end

      # What would decide it, or what hinders that; nil unless it ended undecided.
      #: () -> Analysis::Finding?
      def forecast
        ended = %i[quick budget exhausted].include?(state) && !rules.step
        return unless ended && ruling.outcome == :undecided

        ruling.hindrance || Forecast.new(self).finding
      end

      # What speaks against the figures, beyond each trial's own checks, up to the verdict.
      #: () -> Array[Analysis::Finding]
      def warnings = @warnings ||= Warnings.new(self).to_a

      # The number of cohorts at the next look; nil after the last.
      #: () -> Integer?
      def next_look = Plan::Pairs.looks(rules).find { |look| look > counting.size }

      # Requests that one side answered in all: the larger number of both.
      #: () -> Integer
      def requests
        %i[a b].map { |side| pairs.flat_map(&side).sum { |one| Figures.new(one).requests } }.max
      end

      # Seconds that one cohort took; nil before the first.
      #: () -> Float?
      def cohort_s = @measured.empty? ? nil : Stats::Center.median(@measured.map(&:seconds))

      # Seconds of the budget that its cohorts took, those that don't count too.
      #: () -> Float
      def spent_s = @measured.sum(0.0, &:seconds)

      # The test of `count` metrics held together, as of a look; a step of a bisection has looks of
      # its own.
      #: (?Integer, ?look: Analysis::Comparison::Look?, ?alpha: Float) -> Stats::Sequential
      def sequential(count = 1, look: looks.last, alpha: Verdict::ALPHA)
        ended = look&.count unless rules.step
        Stats::Sequential.new(alpha:, comparisons: count, ended:)
      end

      # The declared differences between the two variants: [:flags], say.
      #: () -> Array[Symbol]
      def declared
        a, b = [baseline, candidate].map { |name| @study.variant(name) }
        a.difference(b).map(&:to_sym)
      end

      #: () -> Analysis::Verdict
      def verdict = @verdict ||= ruling.verdict

      # The result of each metric: of the deciding one as of the look that decided it, of the others
      # as of the last.
      #: () -> Array[Analysis::Comparison::Ruling::Line]
      def lines = ruling.lines

      # What gates are held against: the same, and the deciding metric as of the last look, too.
      # Those of `mohs gate` have intervals at its levels.
      #: (?Analysis::Comparison::Look?) -> Array[Analysis::Comparison::Ruling::Line]
      def gated_lines(look = looks.last)
        return lines if rules.quick || look.nil?

        lines = Ruling.new(self, pairs: look.pairs, deciding: look, last: look).lines
        rules.levels ? lines.map { |line| strict(line, look) } : lines
      end

      # That of the latency's tail, which decides nothing.
      #: () -> Analysis::Comparison::Ruling::Line
      def tail = Tail.new(self).line

      #: () -> Array[Analysis::Gate::Result]
      def gates = rules.gates.map { |text| Gate.parse(text).call(self) }

      # How the deciding metric's effect holds over the hosts of a fleet, as of the last look; nil
      # unless two measured both.
      #: () -> Analysis::OverHosts?
      def over_hosts
        look = looks.last or return
        found = look.pairs.map { |pair| [pair.cohort.host_name, pair.difference(metric)] }
        OverHosts.of(found.select(&:all?), alpha: sequential(look:).nominal, bias: look.bias)
      end

      # Why the two differ, by the cohorts of the last look and as strictly: whoever stops there has
      # looked at their readings, too.
      # `from`: name of the one that the other is explained against.
      #: (?from: String) -> Analysis::Explanation
      def explanation(from: baseline)
        (@explanations ||= {})[from] ||= begin
          look = looks.last
          sides = [[baseline, :a], [candidate, :b]].sort_by { |name, _| name == from ? 0 : 1 }
          counted = look ? look.pairs : pairs
          Explanation.new(counted.map { |pair| sides.map { |_, side| pair.public_send(side) } },
                          a: sides[0][0], b: sides[1][0], compared: compared(from),
                          level: ->(count) { sequential(count, look:).nominal })
        end
      end

      private

      # CPU time a request against that one, as its line has it: there better is bigger.
      def compared(from)
        line = lines.find { |one| one.metric.key == Effects::QUIET_METRIC }
        return unless line.effect

        ratios = [line.effect, *[line.low, line.high].compact]
        ratios = ratios.map { |ratio| 1 / ratio } if from == baseline
        value, *ends = ratios
        low, high = ends.sort
        Stats::Interval.new(value:, low:, high:, count: looks.last&.count)
      end

      def cut(cohorts) = cohorts.map { |cohort| Pair.new(cohort, baseline:, candidate:) }

      def ruling = Ruling.new(self, pairs:, deciding: deciding_look, last: looks.last)

      # The cohorts that a look counts: with a difference of the deciding metric.
      def counting = @counting ||= @whole.select { |pair| pair.difference(metric) }

      # Numbers of cohorts at which it was looked, or is to be now. What comes after the last look
      # of a budget that ran out is looked at as well: where that ends does not depend on the
      # differences.
      def due
        planned = Plan::Pairs.looks(rules).select { |look| look <= counting.size }
        kept = counting.each_index.select { |at| counting[at].cohort.look }.map { |at| at + 1 }
        last = counting.size if ended && !rules.step && counting.size >= FIRST_LOOK
        [*planned, *kept, *last].uniq.sort
      end

      def look(count, before)
        last = counting[count - 1]
        cohorts = @whole.take_while { |pair| pair.position <= last.position }.map(&:cohort)
        test = test_at(count) unless rules.step
        Look.new(cohorts, metric:, cut: method(:cut), test:, decide: decision(test, count),
                          kept: last.cohort.look, before:)
      end

      # Of all cohorts.
      def spoiled = among(void)

      def among(void) = void.find(&:final?) || (void.last if void.size >= MOST_VOID)

      def cut_short? = !ended.nil? || !trouble_since.nil?

      # Is there nothing left to find out? A quick answer waits for nothing, and under `mohs gate`
      # nobody asks which is faster.
      def closed?(look)
        return !gates_open?(look) if rules.levels

        rules.quick || (look.decided? && !gates_open?(look))
      end

      # A gate holds, as two are equal, only if the totals say so too: trimming leaves pauses out.
      def strict(line, look)
        return line if line.low.nil?

        metric = line.metric
        differences = metric == self.metric ? look.differences : look.of(metric)
        fails, holds, totals = [[:fails, differences], [:holds, differences],
                                [:holds, look.totals(metric)]].map do |outcome, logs|
          one_sided(outcome, logs, look, metric) if logs
        end
        Ruling::Line.new(**line.to_h, fails:, holds: holds.around(totals)).freeze
      end

      # Each end of the equivalence interval is a one-sided test, and holds whenever one stops.
      def one_sided(outcome, logs, look, metric)
        test = sequential(look:, alpha: rules.levels.fetch(outcome))
        test.equivalence_interval(logs, bias: look.bias(metric)).exp
      end

      # Why no further cohort is possible.
      def ended
        return :exhausted if @left.zero? || (rules.most && @whole.size >= rules.most)

        :budget if spent?
      end

      # More cohorts may decide them: intervals hold at any look, whoever stops, and why.
      def gates_open?(look)
        return false if rules.gates.empty?

        lines = gated_lines(look)
        rules.gates.any? { |text| Gate.parse(text).open?(lines) }
      end

      def test_at(count)
        ended = count unless Stats::Sequential::LOOKS.include?(count)
        Stats::Sequential.new(alpha: Verdict::ALPHA, ended:)
      end

      # The rule of a look. Both ends of a step's question are adjusted alike.
      def decision(test, count)
        return ->(differences, **) { Stats::Sides.new(**rules.step).call(differences) } unless test

        until_precise = point? && !(ended && count == counting.size)
        Stats::Sequential::Decision.new(test, margin: rules.margin, precision: rules.precision,
                                              until_precise:)
      end

      # Is it one of a history's, which are to be as sure as each other? One that stopped as soon
      # as it differs would be the less sure, the further it is from the reference.
      def point? = !@study.track.nil? && !rules.precision.nil?

      # The next cohort has to fit in, too.
      def spent?
        budget_s && spent_s + cohort_s.to_f > budget_s
      end
    end
  end
end
