# frozen_string_literal: true

module Mohs
  module Stats
    # A t test that may be looked at while cohorts come in: a fixed list of looks, each at a nominal
    # level so strict that alpha is the chance of finding, at any of them, a difference that does
    # not exist (Pocock 1977, for a t statistic; method, section 4). So the interval holds whenever
    # and for whatever reason one stops. It needs differences that are independent and roughly
    # symmetric; heavy tails make it wrong less often.
    #
    # All results use the differences up to the last look; later ones wait for the next look.
    #
    # `bias` is how far all the differences may be off in common: a bound, in their units, or a
    # Stats::Bias. Their spread shows nothing of it and no number of them reduces it, so each end is
    # moved out by it.
    class Sequential
      # The nominal level of each look at which alpha is the chance of being wrong at any of them.
      module Levels
        # The parameters of the table.
        ALPHA = 0.05
        LOOKS = [3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30].freeze

        # A look after each round: for procedures that get cheaper with each look that finds
        # something (Race).
        EACH = [*3..30].freeze

        ROUNDING = 1e-9

        # { comparisons => nominal level for a chance of ALPHA / comparisons over LOOKS }, as
        # printed by `rake stats:levels` (rakelib/support/crossing.rb, with a grid four times as
        # fine, rounded down). Fractions of one are for one-sided tests: see .one_sided.
        TABLE = {
          0.5 => 0.018, 1 => 0.008, 1.5 => 0.00504, 2 => 0.00365, 2.5 => 0.00285, 3 => 0.00233,
          4 => 0.00169, 5 => 0.00133, 6 => 0.00109, 7 => 0.000923, 8 => 0.000799, 10 => 0.000628,
          12 => 0.000516, 15 => 0.000406, 20 => 0.000299, 23 => 0.000258, 30 => 0.000195,
          45 => 0.000128, 66 => 8.6e-05, 100 => 5.57e-05, 200 => 2.69e-05,
        }.freeze

        # The same for EACH.
        EACH_TABLE = {
          0.5 => 0.0144, 1 => 0.00627, 1.5 => 0.0039, 2.5 => 0.00217, 4 => 0.00127,
          7.5 => 0.00063, 10 => 0.000458, 15 => 0.000293, 25 => 0.000169, 40 => 0.000101,
          70 => 5.57e-05, 100 => 3.79e-05, 150 => 2.44e-05, 250 => 1.41e-05, 400 => 8.59e-06,
          700 => 4.81e-06, 1100 => 3.03e-06,
        }.freeze

        TABLES = { LOOKS => TABLE, EACH => EACH_TABLE }.freeze

        # Between two entries the level is taken in proportion to alpha from the stricter one. The
        # true level grows faster than alpha, so this is on the safe side, by at most 14 % of the
        # level. For more comparisons than the table has, alpha is shared equally among the looks
        # (Bonferroni), which is stricter than needed (by 16 % or less with TABLE, by half with
        # EACH_TABLE). Nothing here needs other looks, or a larger alpha.
        #: (Float, Array[Integer]) -> Float
        def self.two_sided(alpha, looks)
          comparisons = ALPHA / alpha
          table = TABLES[looks]
          raise ArgumentError, "no level for #{looks} at #{alpha}" \
            unless table && comparisons >= table.first[0] - ROUNDING

          stricter = table.each_key.find { |count| count >= comparisons - ROUNDING }
          return alpha / looks.size unless stricter

          table[stricter] * [stricter / comparisons, 1].max
        end

        # For a test that can be wrong on one side only. A path that crosses both bounds is rare (6
        # of 100 000 at 5 % a side, simulated), so each side is wrong half as often as both.
        #: (Float, Array[Integer]) -> Float
        def self.one_sided(alpha, looks) = two_sided(2 * alpha, looks) / 2
      end

      # Decides after each cohort whether a comparison goes on (method, section 4). The answer
      # changes only at looks, so it does not matter how often it is asked for.
      class Decision
        # margin: the difference that matters (0.01 = 1 %); nil if equality need not be tested.
        # precision: half width of the interval (0.01 = 1 %) that suffices; nil: none does.
        # until_precise: before the last look only this precision, or a bias that is most of the
        # interval, ends the comparison.
        #: (Stats::Sequential, margin: Float?, ?precision: Float?, ?until_precise: bool) -> void
        def initialize(sequential, margin:, precision: nil, until_precise: false)
          @sequential = sequential
          @margin = margin
          @precision = precision && Margin.log(precision)
          @until_precise = until_precise
          freeze
        end

        # For the log differences of the cohorts so far, with a `bias` as Sequential has it:
        # :differs (also within the margin), :equivalent (within the margin), :precise, :exhausted
        # (nothing is decided, and that was the last look, or more cohorts would be in vain because
        # of the bias) or :continue. totals: as in Sequential#equivalent?.
        #: (Array[Float], ?bias: Float | Stats::Bias, ?totals: Array[Float]?) -> Symbol
        def call(differences, bias: 0.0, totals: nil)
          count = differences.size
          return exhausted_or_continue(count) unless @sequential.look?(count)

          bias = Bias.of(bias)
          precise = precise?(differences, bias)
          open = !precise && !hopeless?(differences, bias)
          return :continue if @until_precise && open && @sequential.next_look(count)
          return :differs if @sequential.differs?(differences, bias:)
          return :equivalent if equivalent?(differences, bias, totals)

          return :precise if precise

          open ? exhausted_or_continue(count) : :exhausted
        end

        private

        # Does the bias cover all that chance leaves open or, where only a precision ends it, is it
        # two thirds of the interval, which more cohorts would hardly narrow? To end undecided
        # spends no level. Not at the first look: the bias is a mean, too.
        def hopeless?(differences, bias)
          return false if bias.none? || differences.size == @sequential.looks.first
          return @sequential.half_width(differences) <= bias.half / 2 if @until_precise

          interval = @sequential.interval(differences)
          (@margin || @precision) &&
            bias.hides?(interval.low, interval.high, margin: Margin.log(@margin || 0.0))
        end

        def precise?(differences, bias)
          @precision && @sequential.half_width(differences, bias:) <= @precision
        end

        def equivalent?(differences, bias, totals)
          @margin && @sequential.equivalent?(differences, margin: @margin, bias:, totals:)
        end

        def exhausted_or_continue(count)
          @sequential.next_look(count) ? :continue : :exhausted
        end
      end

      LOOKS = Levels::LOOKS

      # The numbers of cohorts at which there is a look, and the two-sided level of each look.
      attr_reader :looks, :nominal

      # comparisons: how many are judged together (metrics, or pairs of variants): alpha is the
      # chance that any of them finds what does not exist (Bonferroni). ended: the number of cohorts
      # after which something that does not depend on their differences ended the comparison (a
      # budget): the look that would have come next is then made there. Fewer cohorts at the same
      # level are wrong no more often: they have more in common with the look before. Other `looks`
      # need `levels` that know them.
      #: (?alpha: Float, ?comparisons: Integer, ?ended: Integer?, ?looks: Array[Integer], ?levels: untyped) -> void
      def initialize(alpha: 0.05, comparisons: 1, ended: nil, looks: LOOKS, levels: Levels)
        @looks = ended ? looks.take_while { |look| look < ended } << ended : looks
        @nominal = levels.two_sided(alpha / comparisons, looks)
        one_sided = levels.one_sided(alpha / comparisons, looks)
        @bounds, @equivalence_bounds = [nominal / 2, one_sided].map do |tail|
          Hash.new { |known, n| known[n] = per_sd(tail, n) }
        end
        freeze
      end

      # If `known` differences varied by `sd`: the first look after n cohorts that will probably
      # find a difference of `delta` (Assurance), at the level and with the degrees of freedom that
      # it will have; nil if no look will.
      #: (Integer, sd: Float, delta: Float, known: Integer) -> Integer?
      def deciding(n, sd:, delta:, known:)
        looks.find do |look|
          root = Math.sqrt(look)
          look > n && Assurance.enough?(difference: delta * root / sd, bound: bound(look) * root,
                                        df: look - 1, known: known - 1)
        end
      end

      #: (Integer) -> bool
      def look?(n) = looks.include?(n)

      # The first look after n cohorts; nil after the last.
      #: (Integer) -> Integer?
      def next_look(n) = looks.find { |look| look > n }

      # The last look up to n cohorts; nil before the first.
      #: (Integer) -> Integer?
      def last_look(n) = looks.reverse_each.find { |look| look <= n }

      # f(n): half of the interval in sds of the differences. For any n from 2 on, for forecasts.
      #: (Integer) -> Float
      def bound(n) = @bounds[n]

      # The interval of the mean, on the scale of the differences (logarithms: Interval#exp converts
      # it to a ratio). Without ends before the first look.
      #: (Array[Float], ?bias: Float | Stats::Bias) -> Stats::Interval
      def interval(differences, bias: 0.0) = around(@bounds, differences, bias)

      # Half of that interval; nil before the first look.
      #: (Array[Float], ?bias: Float | Stats::Bias) -> Float?
      def half_width(differences, bias: 0.0)
        reach = reach(@bounds, seen(differences)) and reach + Bias.of(bias).half
      end

      # Whether the interval excludes 0.
      #: (Array[Float], ?bias: Float | Stats::Bias) -> bool
      def differs?(differences, bias: 0.0) = interval(differences, bias:).excludes?(0)

      # Whether the ratio is within the margin. Two one-sided tests (Schuirmann 1987): wrong with a
      # chance of at most alpha if the difference is the margin or larger. totals: those of the same
      # cohorts, which have to pass the test, too; nil if the metric has none. They can only prevent
      # the finding, so it is made no more often.
      #: (Array[Float], margin: Float, ?bias: Float | Stats::Bias, ?totals: Array[Float]?) -> bool
      def equivalent?(differences, margin:, bias: 0.0, totals: nil)
        total = equivalence_interval(totals, bias:) if totals
        Interval.equal?(equivalence_interval(differences, bias:), total:, margin:)
      end

      # The interval of that test: either end is wrong with a chance of at most alpha, so it is an
      # interval of 1 - 2 alpha, and narrower than #interval. The two variants are equal if all of
      # it lies within the margin.
      #: (Array[Float], ?bias: Float | Stats::Bias) -> Stats::Interval
      def equivalence_interval(differences, bias: 0.0)
        around(@equivalence_bounds, differences, bias)
      end

      private

      def per_sd(tail, n) = StudentT.upper_quantile(tail, n - 1) / Math.sqrt(n)

      def seen(differences)
        last = last_look(differences.size)
        differences.first(last || 0)
      end

      def around(bounds, differences, bias)
        seen = seen(differences)
        return unbounded(differences) if seen.empty?

        mean, half = Center.mean(seen), reach(bounds, seen)
        Interval.new(value: mean, low: mean - half, high: mean + half, count: seen.size).widen(bias)
      end

      def reach(bounds, seen) = (bounds[seen.size] * Spread.sd(seen) unless seen.empty?)

      def unbounded(differences)
        Interval.new(value: differences.any? ? Center.mean(differences) : nil,
                     count: differences.size)
      end
    end
  end
end
