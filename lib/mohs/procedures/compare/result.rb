# frozen_string_literal: true

module Mohs
  module Compare
    # The result of a comparison's cohorts at any time, computed purely from the stored run. The
    # runner uses it to decide whether to go on, the report for the verdict, so both agree.
    class Result < Analysis::Result
      # With this many cohorts in which a server crashed, it is no longer an accident.
      MOST_VOID = 3

      # Codes of what happened to a side, other than that it answers differently.
      BREAKS = %w[side_refused side_failed side_silent].freeze

      # From this log ratio on, one more cohort measures each variant alone (method, section 4:
      # 10 %).
      LARGE = Math.log(1.1)

      # `rules` and `candidate` are those of the study; their Question decides when it is over.
      # `void`: Pairs that don't count, each with what happened.
      attr_reader :rules, :candidate, :void

      # run: as returned by Store#result, of a study that has a comparison.
      #: (Store::Run) -> void
      def initialize(run)
        super
        @study = run.study
        @rules = @study.rules
        @candidate = @rules.candidate
        solo, paired = run.cohorts.partition { |cohort| cohort.spec.own[:solo] }
        @left = paired.count { |cohort| !cohort.done? }
        @solo = cut(solo.select(&:done?))
        @done = cut(paired.select(&:done?))
        @whole, @void = without_gap(run, paired).partition(&:whole?)
      end

      # The looks so far, in order, up to the one that ended the comparison. What each says is a
      # function of the cohorts up to it, whenever it is called; a decision is final.
      #: () -> Array[Compare::Look]
      def looks
        @looks ||= due.each_with_object([]) do |count, made|
          break made if made.any? && closed?(made.last)

          made << look(count, made.last)
        end
      end

      # The ratio of an interval; nil for one cohort, since a ratio whose noise nobody knows would
      # be read as a result. (Of puma:1x1 and puma:2x1 one cohort said +52 % where +100 % is true.)
      # A question whose answer is no ratio (Question#effect?) may know the noise from elsewhere.
      #: (Stats::Interval) -> Float?
      def effect(interval) = (interval.value unless interval.count == 1 && question.effect?)

      # The cohorts that count, those in which every server was measured, adjusted to the mean speed
      # of the cores as the last look knows it.
      #: () -> Array[Compare::Pair]
      def pairs = @pairs ||= cut(adjustment.even(@whole.map(&:cohort)))

      # The same cohorts as measured.
      #: () -> Array[Compare::Pair]
      def raw = @whole

      # The effect on the deciding metric as of a look.
      #: (Compare::Look) -> Stats::Interval
      def interval(look) = sequential(look:).interval(look.differences, bias: look.bias).exp

      # Fitted on the cohorts of the last look; before the first look, on all cohorts.
      #: () -> Analysis::SpeedAdjustment
      def adjustment
        @adjustment ||= looks.last&.adjustment || Analysis::SpeedAdjustment.new(@whole.map(&:cohort))
      end

      # The one cohort in which each variant was measured alone; nil without one.
      #: () -> Compare::Pair?
      def solo = @solo.find(&:whole?)

      # Is the difference so large that the two may have disturbed each other? A duet shrinks a
      # large ratio by up to a twentieth of itself (method, table 3b).
      #: () -> bool
      def wants_solo?
        return false unless state == :differs && @solo.empty?
        return false unless pairs.first.duet?
        return false if rules.most || !question.verdict? || spent?

        Stats::Center.mean(deciding_look.differences).abs > LARGE
      end

      #: () -> Analysis::Metric
      def metric = Analysis::Metric.fetch(rules.metric, *Condition::BESIDE)

      # What has a line: with the tail if it decides, alone or in a gate. At a fixed rate both serve
      # as many requests.
      #: () -> Array[Analysis::Metric]
      def metrics
        usual = streams ? Analysis::Metric.of_streams(streams) : Analysis::Metric::ALL
        usual -= [Analysis::Metric.fetch(Rules::THROUGHPUT)] if rated?
        @metrics ||= usual + (rules.tail? ? [Analysis::Metric::TAIL] : [])
      end

      # Do requests fall due at a rate, the same for both?
      #: () -> bool
      def rated? = @study.rates.any?

      # nil if responses are compared.
      #: () -> Study::Streams?
      def streams = @study.streams

      # Seconds that the comparison may take; nil without a limit.
      #: () -> Numeric?
      def budget_s = @study.rules.budget_s

      # The run of which it is the result.
      #: () -> Store::Run
      def stored = @run

      #: (*untyped) -> Analysis::Verdict
      def judge(*) = verdict

      # Its test has looks instead, which the document gives.
      #: () -> nil
      def inference = nil

      # What happened to a side is its fault.
      #: () -> nil
      def shared_failure = nil

      #: (String) -> bool
      def memory_differs?(_name)
        memory = lines.find { |line| line.metric.key == :memory_bytes }
        %w[better worse].include?(memory.outcome)
      end

      # Log differences B - A, better is bigger, one for each cohort that has one.
      #: (Analysis::Metric) -> Array[Float]
      def differences(metric) = pairs.filter_map { |pair| pair.difference(metric) }

      # The look that decided the comparison, else the last one; nil before the first.
      #: () -> Compare::Look?
      def deciding_look = looks.find(&:decided?) || looks.last

      # The look that gave the verdict; nil before it. What speaks against the figures counts only
      # up to there: the further cohorts that a gate may ask for must not add chances to spoil the
      # verdict.
      #: () -> Compare::Look?
      def decided_look = looks.find(&:decided?)

      # What ended it: the decision of its question (Stats::Sequential::Decision: :differs,
      # :equivalent, :precise, :exhausted), :quick, :budget, Question#undecided, :invalid; or
      # :continue, also if only a gate is undecided.
      #: () -> Symbol
      def state
        return :invalid if fault
        return ended || :continue if looks.empty?
        return :quick if rules.quick && decided == :continue
        return ended || :continue unless closed?(looks.last) || (cut_short? && decided != :continue)

        return question.undecided if decided == :continue

        decided == :exhausted ? ended || :exhausted : decided
      end

      # The result of the look that decided, regardless of gates: one of the above, or :continue.
      #: () -> Symbol
      def decided = deciding_look ? deciding_look.decision : :continue

      #: () -> bool
      def over? = state != :continue

      # Why no verdict is possible: a side that could not be served, answers differently, or crashes
      # again and again (`cohorts` says in how many), or, if the question is how large the
      # difference is, a fatal warning. nil if nothing rules out a verdict.
      #: () -> Analysis::Finding?
      def fault
        shortage = too_few and return shortage
        return (warnings.find(&:fatal?) if question.effect?) unless spoiler
        return spoiler.trouble if spoiler.final?

        trouble = spoiler.trouble
        Analysis::Finding.new(**trouble.to_h, values: { **trouble.values, cohorts: void.size })
      end

      # The cohort whose failure is the reason, among those up to the verdict.
      #: () -> Compare::Pair?
      def spoiler = decided_look ? among(until_verdict(void)) : spoiled

      # What happened to a side after the verdict, while a gate was open: the verdict stays, but
      # gates can no longer be decided. nil if nothing happened.
      #: () -> Analysis::Finding?
      def trouble_since = (spoiled&.trouble if decided_look && !spoiler)

      # What happened to the candidate alone, if it can't be served, failed or fell silent: where
      # nobody asks for a verdict that is an answer, not the lack of one. nil if nothing happened to
      # it, or if the baseline failed too.
      #: () -> Analysis::Finding?
      def broken
        return unless !question.verdict? && spoiled&.a&.all?(&:measured?)

        trouble = spoiled.trouble
        trouble if trouble.subject == "B" && BREAKS.include?(trouble.code)
      end

      # What would decide the comparison, or what prevents that; nil unless it ended undecided.
      #: () -> Analysis::Finding?
      def forecast
        ended = %i[quick budget exhausted].include?(state) && question.effect?
        return unless ended && ruling.outcome == :undecided

        ruling.hindrance || Forecast.new(self).finding
      end

      # What speaks against the figures, beyond each trial's own checks, up to the verdict.
      #: () -> Array[Analysis::Finding]
      def warnings = @warnings ||= Warnings.new(self).to_a

      # The number of cohorts at the next look; nil after the last.
      #: () -> Integer?
      def next_look = question.looks.find { |look| look > counting.size }

      # Requests sent to one side in total: the larger of the two numbers.
      #: () -> Integer
      def requests
        of = ->(trial) { Analysis::Figures.new(trial).requests }
        %i[a b].map { |side| pairs.flat_map(&side).sum(&of) }.max
      end

      # Seconds that a cohort took (median); nil before the first.
      #: () -> Float?
      def cohort_s = @done.empty? ? nil : Stats::Center.median(@done.map(&:seconds))

      # Seconds of the budget that its cohorts took, including those that don't count.
      #: () -> Float
      def spent_s = @done.sum(0.0, &:seconds)

      # The test of `count` metrics judged together, as of a look.
      #: (?Integer, ?look: Compare::Look?, ?alpha: Float) -> Stats::Sequential
      def sequential(count = 1, look: looks.last, alpha: Analysis::Verdict::ALPHA)
        ended = look&.count if question.effect?
        Stats::Sequential.new(alpha:, comparisons: count, ended:)
      end

      # The declared differences between the two variants, e.g. [:flags].
      #: () -> Array[Symbol]
      def declared
        a, b = [baseline, candidate].map { |name| @study.variant(name) }
        a.difference(b).map(&:to_sym)
      end

      #: () -> Analysis::Verdict
      def verdict = @verdict ||= ruling.verdict

      # The result of each metric: of the deciding metric as of the look that decided it, of the
      # others as of the last look.
      #: () -> Array[Compare::Ruling::Line]
      def lines = ruling.lines

      # The same lines with the deciding metric as of the last look, too.
      #: (?Compare::Look?) -> Array[Compare::Ruling::Line]
      def latest_lines(look = looks.last)
        return lines if rules.quick || look.nil?

        Ruling.new(self, pairs: look.pairs, deciding: look, last: look).lines
      end

      # What a gate is checked against: of these lines its own, as the question judges it.
      #: (Compare::Condition, ?Compare::Look?, ?lines: Array[Compare::Ruling::Line]) -> Compare::Ruling::Line
      def gated(gate, look = looks.last, lines: latest_lines(look))
        line = lines.find { |one| one.metric.name == gate.metric.name }
        rules.quick || look.nil? ? line : question.gated(line, gate, look, self)
      end

      # Can more cohorts decide a gate? Intervals are valid at any look, no matter who stops or why.
      #: (Compare::Look) -> bool
      def gates_open?(look)
        return false if rules.gates.empty?

        lines = latest_lines(look)
        rules.gates.any? { |one| one.open?(gated(one, look, lines:)) }
      end

      # The line of the latency's tail, which decides nothing unless that was asked for.
      #: () -> Compare::Ruling::Line
      def tail = lines.find { |line| line.metric == Analysis::Metric::TAIL } || Tail.new(self).line

      #: () -> Array[Compare::Condition::Result]
      def gates = rules.gates.map { |one| one.call(self) }

      # How the deciding metric's effect holds across the hosts of a fleet, as of the last look; nil
      # unless at least two hosts measured both sides.
      #: (?String) -> Analysis::OverHosts?
      def over_hosts(_name = candidate)
        look = looks.last or return
        found = look.pairs.map { |pair| [pair.cohort.host_name, pair.difference(metric)] }
        Analysis::OverHosts.of(found.select(&:all?), alpha: sequential(look:).nominal,
                                                     bias: look.bias.most)
      end

      # Why the two differ, by the cohorts of the last look and as strictly as that: a user who
      # stops there has looked at their readings, too.
      #: (?String, ?against: String) -> Analysis::Explanation
      def explanation(name = candidate, against: baseline)
        (@explanations ||= {})[[name, against]] ||= begin
          look = looks.last
          sides = against == baseline ? %i[a b] : %i[b a]
          counted = look ? look.pairs : pairs
          trials = counted.map { |pair| sides.map { |side| pair.public_send(side) } }
          Analysis::Explanation.new(trials, a: against, b: name, compared: compared(against),
                                            level: ->(count) { sequential(count, look:).nominal })
        end
      end

      private

      def question = rules.question

      # Hosts of a fleet finish cohorts in any order. While one is under way, or waits for the run
      # to be resumed, those behind it don't count yet: a look is a function of all cohorts up to
      # it, and none may come later.
      def without_gap(run, paired)
        return @done if run.finished?

        under_way = paired.select { |cohort| cohort.queued? || cohort.running? }
        first = under_way.map(&:position).min or return @done
        @done.select { |pair| pair.position < first }
      end

      # Without its tail a cohort does not count, and the slow ones are those without. What a
      # later cohort lacks takes no verdict back.
      def too_few
        return unless metric == Analysis::Metric::TAIL

        judged = decided_look ? until_verdict(@whole) : @whole
        shortage = Tail.new(self, judged).shortage if judged.any?
        Analysis::Finding.new(**shortage.to_h, severity: :bad) if shortage
      end

      def until_verdict(pairs) = pairs.select { |pair| pair.position <= decided_look.position }

      # The ratio of CPU time a request to that of `from`, by its line, in which better is bigger.
      def compared(from)
        line = lines.find { |one| one.metric.key == Analysis::Effects::QUIET_METRIC }
        return unless line&.effect

        ratios = [line.effect, *[line.low, line.high].compact]
        ratios = ratios.map { |ratio| 1 / ratio } if from == baseline
        value, *ends = ratios
        low, high = ends.sort
        Stats::Interval.new(value:, low:, high:, count: looks.last&.count)
      end

      def cut(cohorts) = cohorts.map { |cohort| Pair.new(cohort, baseline:, candidate:) }

      def ruling = Ruling.new(self, pairs:, deciding: deciding_look, last: looks.last)

      # The cohorts that a look counts: those with a difference in the deciding metric.
      def counting = @counting ||= @whole.select { |pair| pair.difference(metric) }

      # Numbers of cohorts at which there was a look, or is one due now. If the budget ran out, the
      # cohorts after the last planned look get a look as well: where a budget ends does not depend
      # on the differences.
      def due
        planned = question.looks.select { |look| look <= counting.size }
        kept = counting.each_index.select { |at| counting[at].cohort.look }.map { |at| at + 1 }
        last = counting.size if ended && question.effect? && counting.size >= question.first_look
        [*planned, *kept, *last].uniq.sort
      end

      def look(count, before)
        last = counting[count - 1]
        cohorts = @whole.take_while { |pair| pair.position <= last.position }.map(&:cohort)
        test = test_at(count) if question.effect?
        decide = question.decision(test, rules, last: !ended.nil? && count == counting.size)
        Look.new(cohorts, metric:, cut: method(:cut), test:, decide:, kept: last.cohort.look,
                          before:)
      end

      # The same among all cohorts.
      def spoiled = among(void)

      def among(void)
        rose = void.select(&:rose?)
        by_chance = Store::Trial.rise_by_chance?(rose.size, rose.size + @whole.size)
        void.find(&:final?) || (rose.last unless by_chance) ||
          ((void - rose).last if (void - rose).size >= MOST_VOID)
      end

      def cut_short? = !ended.nil? || !trouble_since.nil?

      def closed?(look) = question.answered?(look, self)

      # Why no further cohort is possible; nil if one is.
      def ended
        return :exhausted if @left.zero? || (rules.most && @whole.size >= rules.most)

        :budget if spent?
      end

      def test_at(count)
        ended = count unless Stats::Sequential::LOOKS.include?(count)
        Stats::Sequential.new(alpha: Analysis::Verdict::ALPHA, ended:)
      end

      # The next cohort has to fit into the budget, too.
      def spent?
        budget_s && spent_s + cohort_s.to_f > budget_s
      end
    end
  end
end
