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
          shown = certain(logs.size)
          fresh = newly(shown)
          shown.map { |found| change(found, fresh.include?(found.index)) }
        end
      end

      # How many more there are if no point is off by anything.
      #: () -> Integer
      def hidden
        shown = certain(logs.size)
        search(places(logs.size)).count { |one| shown.none? { |other| alike?(one, other) } }
      end

      # The ratio to the reference since the last change, certain or not; nil without points.
      #: () -> Stats::Interval?
      def now
        return unless kept.any?

        all = places(logs.size)
        last = [*search(all), *certain(logs.size)].map(&:index).max || 0
        since = usable(all.drop(last))
        Stats::Effect.of(logs.values_at(*since))
                     .biased(Stats::Bias.mean(biases.values_at(*since))).interval
      end

      private

      # A change after the point `before` and up to the point `index` (their places in the history):
      # `change`, of the mean; `sides`, the places of the points on both sides that show it; `p`.
      Found = Struct.new(:before, :index, :change, :sides, :p, keyword_init: true)
      private_constant :Found

      def biases = @biases ||= kept.map { |point| point.bias(metric) }

      def places(count) = [*0...count]

      # The changes from one of these points to the next, whatever they may be off by.
      def search(places)
        @searched ||= {}
        @searched[places] ||= begin
          changes = Stats::Otava.call(logs.values_at(*places), alpha: ALPHA, smallest: SMALLEST)
          bounds = [0, *changes.map(&:index), places.size].each_cons(3)
          changes.zip(bounds).map do |change, (first, at, last)|
            Found.new(before: places[at - 1], index: places[at], change: change.change,
                      sides: [places[first...at], places[at...last]])
          end
        end
      end

      # Those in the first `count` points that are beyond what the points may be off by. They are
      # searched for in all points, which tell best where a change is, and then in those alone that
      # are hardly off: some others in a row may look like a level of their own.
      def certain(count)
        @certain ||= {}
        @certain[count] ||= begin
          all = places(count)
          near = near(all)
          shown = confirmed(search(all))
          more = near.size < count ? confirmed(search(near)) : []
          more = more.reject { |one| shown.any? { |other| alike?(one, other) } }
          (shown + more).sort_by(&:index)
        end
      end

      # A change is judged by the points that are hardly off, and by all: one that may be far off
      # says nothing, and two that are certain may be too few.
      def confirmed(changes)
        changes.filter_map do |change|
          judged = [change.sides.map { |side| near(side) }, change.sides].uniq.map do |sides|
            Found.new(**change.to_h, sides:, p: chance(sides))
          end
          judged.find { |one| one.p <= ALPHA }
        end
      end

      def chance(sides)
        return 1.0 if sides.any? { |side| side.size < Stats::Otava::FEWEST }

        values, off = compared(sides)
        Stats::Otava.p(*values, bias: Stats::Bias.between(*off))
      end

      # The logarithms of the points on both sides, and what they may be off by.
      def compared(sides)
        [logs, biases].map { |all| sides.map { |side| all.values_at(*side) } }
      end

      # They are chosen by their bias, never by their ratio.
      def near(places) = places.select { |place| biases[place].most < HARDLY_OFF }

      # Those that are hardly off, if they are enough.
      def usable(places)
        near = near(places)
        near.size < Stats::Otava::FEWEST ? places : near
      end

      # Indexes of the changes that no earlier night knew. A change can't have been known before
      # there were points after it.
      def newly(found)
        return [] unless @newest && @newest.equal?(kept.last)

        left = found.map(&:index)
        (logs.size - 1).downto(FEWEST) do |count|
          break if left.empty? || count < left.min - SAME

          left -= same(found, certain(count))
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
        apart = [one.before + 1 - other.index, other.before + 1 - one.index].max
        apart <= SAME && one.change.positive? == other.change.positive?
      end

      def change(found, fresh)
        values, off = compared(found.sides)
        effect = Stats::Effect.between(*values).biased(Stats::Bias.between(*off))
        Change.new(before: kept[found.before], first: kept[found.index], effect: effect.interval,
                   p: found.p, points: values.map(&:size), fresh:)
      end
    end
  end
end
