# frozen_string_literal: true

module Mohs
  module Track
    # What the points of a history (mohs track) show: where the ratio to its reference changed, by
    # how much, and between which points. Pure. Each ratio is measured within one session, so a host
    # that is slower on some days changes nothing.
    class Result
      # The chance of keeping a change that is none (Stats::Otava): each new point is another look,
      # so it has to be far smaller than for a history that is judged once. Simulated with points
      # that vary by 0.65 %: 0.1 to 0.6 false alarms in 1,000 points, 2 if they are correlated by
      # 0.3; 993 of 1,000 steps of 3 % or more are found within five points
      # (benchmark/history/changes.rb).
      ALPHA = 5e-5

      # Smaller changes are not reported: a build or the memory layout can cause them.
      SMALLEST = Math.log(1.01)

      # A point that may be off by less than such a change is used as it is.
      HARDLY_OFF = SMALLEST

      # Number of points before anything can be found.
      FEWEST = 2 * Stats::Otava::FEWEST

      # A change that moves by at most this many points when more points are known is the same one.
      SAME = 5

      # A change from `before`, the last point of the old level, to `first`, the first of the new
      # one: `effect`, a Stats::Interval of the ratio of both stretches, better is bigger; `p`, its
      # chance without a change; `points`, the number compared on each side; `fresh`, if the newest
      # point revealed it and no earlier point had: a change that was lost for some points is not
      # fresh again.
      Change = Struct.new(:before, :first, :effect, :p, :points, :fresh, keyword_init: true) do
        include Value
      end

      # What points may have an effect in; of those with one key the first (Point#effects).
      METRICS = [*Analysis::Metric::ALL, Analysis::Metric::TAIL, *Analysis::Metric::FANNED,
                 *Analysis::Metric::HELD].freeze

      # The metric that is shown if none is named: the first in which the newest point with effects
      # has one.
      #: (Array[Track::Point]) -> Analysis::Metric
      def self.usual(points)
        effects = points.map(&:effects).reject(&:empty?).last.to_h
        METRICS.find { |metric| effects.key?(metric.key) } || METRICS.first
      end

      # Raises UsageError if histories have no such metric.
      #: (String) -> Analysis::Metric
      def self.named(name) = Analysis::Metric.fetch(name, *(METRICS - Analysis::Metric::ALL))

      attr_reader :metric

      # The points with a figure of this metric, in their order, and those without.
      #: () -> Array[Track::Point]
      attr_reader :kept, :left_out

      # metric: Analysis::Metric.
      #: (Array[Track::Point], metric: Analysis::Metric) -> void
      def initialize(points, metric:)
        @metric = metric
        @newest = points.last
        @kept, @left_out = points.partition { |point| point.effects.key?(metric.key) }
      end

      # Logarithms of the ratios, better is bigger.
      #: () -> Array[Float]
      def logs = kept.map { |point| point.effects.fetch(metric.key).first }

      # The changes in the order of the points.
      #: () -> Array[Track::Result::Change]
      def changes
        @changes ||= begin
          found = confirmed(logs.size)
          fresh = fresh(found.keys)
          found.map { |change, sides| change(change.index, *sides, fresh.include?(change.index)) }
        end
      end

      # How many more there are if no point is off by anything.
      #: () -> Integer
      def hidden = search(logs.size).size - changes.size

      # The ratio to the reference since the last change, certain or not; nil without points.
      #: () -> Stats::Interval?
      def now
        return unless kept.any?

        since = usable(search(logs.size).last&.index || 0, logs.size)
        Stats::Effect.of(logs.values_at(*since))
                     .biased(Stats::Bias.mean(biases.values_at(*since))).interval
      end

      private

      def biases = @biases ||= kept.map { |point| point.bias(metric) }

      # Those in the first `count` points, whatever the points may be off by.
      def search(count)
        @found ||= {}
        @found[count] ||= Stats::Otava.call(logs.first(count), alpha: ALPHA, smallest: SMALLEST)
      end

      # Those of them that are beyond what the points may be off by, each with the points before and
      # after it that it is judged by. The search does not know it: a point that may be far off
      # would hide the changes of all points that it is searched with.
      def confirmed(count)
        found = search(count)
        sides = [0, *found.map(&:index), count].each_cons(3).map do |start, index, last|
          [usable(start, index), usable(index, last)]
        end
        found.zip(sides).to_h.select { |_, both| beyond?(*both) }
      end

      def beyond?(*sides)
        off = sides.map { |side| biases.values_at(*side) }
        return true if off.flatten.all?(&:none?)

        ones, others = sides.map { |side| logs.values_at(*side) }
        Stats::Otava.p(ones, others, bias: Stats::Bias.between(*off)) <= ALPHA
      end

      # Of the points from `first` to before `last` those that are hardly off, if they are enough.
      # They are chosen by their bias, never by their ratio.
      def usable(first, last)
        all = (first...last).to_a
        near = all.select { |index| biases[index].most < HARDLY_OFF }
        near.size < Stats::Otava::FEWEST ? all : near
      end

      # Indexes of the changes that no earlier night knew. A change can't have been known before
      # there were points after it.
      def fresh(found)
        return [] unless @newest && @newest.equal?(kept.last)

        left = found.map(&:index)
        (logs.size - 1).downto(FEWEST) do |count|
          break if left.empty? || count < left.min - SAME

          left -= same(found, confirmed(count).keys)
        end
        left
      end

      # Indexes of the changes that are among the earlier ones: each is paired with the nearest of
      # the same direction, and an earlier one stands for only one. So another change that follows
      # soon is a change of its own.
      def same(found, earlier)
        pairs = found.product(earlier).select { |pair| alike?(*pair) }
                     .sort_by { |one, other| (one.index - other.index).abs }
        pairs.each_with_object({}) { |(one, other), taken|
          taken[one.index] = other.index unless taken.key?(one.index) || taken.value?(other.index)
        }.keys
      end

      def alike?(one, other)
        (one.index - other.index).abs <= SAME && one.change.positive? == other.change.positive?
      end

      def change(index, one, other, fresh)
        sides, off = [logs, biases].map { |all| [all.values_at(*one), all.values_at(*other)] }
        effect = Stats::Effect.between(*sides).biased(Stats::Bias.between(*off))
        Change.new(before: kept[index - 1], first: kept[index], effect: effect.interval,
                   p: effect.p, points: sides.map(&:size), fresh:)
      end
    end
  end
end
