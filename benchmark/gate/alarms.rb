# frozen_string_literal: true

# How often is `mohs gate` wrong, and how many cohorts does it need? Simulates pushes: each has
# gates of known truth, with the noise of recorded cohorts (benchmark/tune/recorded_noise.rb) or
# with independent normal noise. Cohorts come in one by one and are looked at as in a comparison
# (Stats::Sequential), until every gate of the page holds or fails, or there are 30 cohorts. Prints
# for each kind of push how many fail, with a 95 % upper bound (Clopper and Pearson 1934), how many
# gates hold and are inconclusive, and the mean number of cohorts; for a regression also how many
# are found within 5, 10, 20 and 30 cohorts. Push number n is drawn from seed n.
#
#     ruby benchmark/gate/alarms.rb [pushes, 2000] [false | power | skewed | looser]
#
# `false`: nothing changed, or a change that is just within the limit, which is the hardest case.
# `power`: regressions. `skewed`: one cohort in ten is off to one side, which the t test does not
# allow for. `looser`: a control that has to show more false alarms than promised: the intervals of
# `mohs compare --gate`, 95 % for each gate.

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require_relative "../clopper_pearson"
require_relative "../tune/recorded_noise"

module Mohs
  module GateBenchmark
    # Caches quantiles: pushes of one kind ask for the same ones again and again, and nothing takes
    # longer.
    module Remembered
      KNOWN = {}

      #: (Float, Numeric) -> Float
      def upper_quantile(tail, df)
        KNOWN[[tail, df]] ||= super
      end
    end
    Stats::StudentT.singleton_class.prepend(Remembered)

    LIMIT = 0.02
    PUSHES = 400

    # One kind of push: `gates` on one page, of which `worse` change by `change` (0.05 = 5 %), with
    # cohorts of spread `sd`; `noise`: recorded, normal, or skewed so that rare cohorts are
    # "better" or "worse"; `levels`: the product's or looser ones.
    Kind = Struct.new(:gates, :worse, :change, :sd, :noise, :levels, keyword_init: true) do
      def initialize(gates: 1, worse: gates, change: 0.0, noise: "recorded", levels: nil, **others)
        super
      end

      def tests
        alarms = levels || Gate::FalseAlarms.new(pushes: PUSHES, gates:).levels
        alarms.transform_values { |alpha| Stats::Sequential.new(alpha:) }
      end

      def title = [gates, format("%.1f", 100 * change), format("%.2f", 100 * sd), noise]
    end

    # Independent deviates with mean 0 and standard deviation 1: one in ten is off by 2.8 standard
    # deviations to one side, the others by a little to the other side.
    class SkewedNoise
      RARE, OFF = 0.1, 5.0

      #: (random: Random, side: Integer) -> void
      def initialize(random:, side:)
        @random = random
        @normal = TuneBenchmark::NormalNoise.new(random:)
        @side = side
      end

      #: (Integer) -> Array[Float]
      def series(count)
        spread = Math.sqrt(1 + (RARE * (1 - RARE) * (OFF**2)))
        @normal.series(count).map do |one|
          off = @random.rand < RARE ? OFF : 0.0
          @side * (one + off - (RARE * OFF)) / spread
        end
      end
    end

    # One push, up to the cohort at which all its gates are decided.
    class Push
      COHORTS = Stats::Sequential::LOOKS.last

      # The outcome of each gate (holds, fails or inconclusive), and the number of cohorts.
      attr_reader :outcomes, :cohorts

      #: (GateBenchmark::Kind, tests: Hash[Symbol, Stats::Sequential], noise: untyped) -> void
      def initialize(kind, tests:, noise:)
        @tests = tests
        @logs = Array.new(kind.gates) do |gate|
          effect = gate < kind.worse ? -Math.log(1 + kind.change) : 0.0
          noise.series(COHORTS).map { |one| effect + (kind.sd * one) }
        end
      end

      #: () -> GateBenchmark::Push
      def call
        Stats::Sequential::LOOKS.each do |count|
          @cohorts = count
          @outcomes = @logs.map { |logs| outcome(logs.first(count)) }
          break unless @outcomes.include?(:inconclusive)
        end
        self
      end

      #: () -> bool
      def alarm? = @outcomes.include?(:fails)

      private

      # As Compare::Condition does for "metric < +2 %"; bigger is better here.
      def outcome(logs)
        bound = -Math.log(1 + LIMIT)
        return :fails if @tests[:fails].equivalence_interval(logs).high <= bound

        @tests[:holds].equivalence_interval(logs).low > bound ? :holds : :inconclusive
      end
    end

    # Prints one line for each kind.
    class Table
      WITHIN = [5, 10, 20, 30].freeze
      HEAD = ["gates", "change, %", "sd, %", "noise", "pushes that fail", "gates that hold",
              "inconclusive", "cohorts", *WITHIN.map { |count| "found by #{count}" }].freeze

      #: (Integer) -> void
      def initialize(pushes)
        @pushes = pushes
        @sessions = TuneBenchmark::RecordedNoise.sessions
      end

      #: (Array[GateBenchmark::Kind]) -> void
      def call(kinds)
        puts "pushes of seeds 1 to #{@pushes}; sessions in turn: " \
             "#{@sessions.map(&:name).join(', ')}", ""
        puts "| #{HEAD.join(' | ')} |", "|#{' --- |' * HEAD.size}"
        kinds.each do |kind|
          puts "| #{row(kind).join(' | ')} |"
          $stdout.flush
        end
      end

      private

      def row(kind)
        tests = kind.tests
        pushes = (1..@pushes).map { |seed| Push.new(kind, tests:, noise: noise(kind, seed)).call }
        failed = pushes.select(&:alarm?)
        outcomes = pushes.flat_map(&:outcomes)
        [*kind.title, at_most(failed.size), share(outcomes.count(:holds), outcomes.size),
         share(outcomes.count(:inconclusive), outcomes.size),
         format("%.1f", Stats::Center.mean(pushes.map(&:cohorts))),
         *WITHIN.map { |count| share(failed.count { |one| one.cohorts <= count }, @pushes) }]
      end

      def noise(kind, seed)
        random = Random.new(seed)
        return TuneBenchmark::NormalNoise.new(random:) if kind.noise == "normal"
        return SkewedNoise.new(random:, side: kind.noise == "better" ? 1 : -1) unless
          kind.noise == "recorded"

        TuneBenchmark::RecordedNoise.new(@sessions[seed % @sessions.size], random:)
      end

      def share(count, all) = format("%.1f %%", 100.0 * count / all)

      def at_most(count)
        bound = 100 * ClopperPearson.at_most(count, @pushes)
        format("%<share>.2f %% (<= %<bound>.2f)", share: 100.0 * count / @pushes, bound:)
      end
    end

    # The tables.
    module Kinds
      SPREADS = [0.005, 0.01, 0.02].freeze
      LOOSER = { fails: 0.025, holds: 0.025 }.freeze

      module_function

      #: () -> Array[GateBenchmark::Kind]
      def false
        same = [0.0].product(SPREADS)
        # At the limit itself the spread is a scale and nothing else.
        [*same, [LIMIT, 0.01]].product([1, 6], %w[recorded normal]).map do |truth, gates, noise|
          Kind.new(change: truth.first, sd: truth.last, gates:, noise:)
        end
      end

      #: () -> Array[GateBenchmark::Kind]
      def power
        [0.03, 0.05, 0.1].product([1, 6], SPREADS).map do |change, gates, sd|
          Kind.new(change:, gates:, worse: 1, sd:)
        end
      end

      #: () -> Array[GateBenchmark::Kind]
      def skewed
        [[0.0, 0.01], [0.0, 0.02], [LIMIT, 0.01]].product([1, 6], %w[better worse])
                                                 .map do |truth, gates, noise|
          Kind.new(change: truth.first, sd: truth.last, gates:, noise:)
        end
      end

      #: () -> Array[GateBenchmark::Kind]
      def looser
        %w[recorded normal].map do |noise|
          Kind.new(change: LIMIT, gates: 6, sd: 0.01, noise:, levels: LOOSER)
        end
      end
    end
  end
end

pushes = (ARGV[0] || 2000).to_i
kinds = Mohs::GateBenchmark::Kinds.public_send(ARGV[1] || "false")
Mohs::GateBenchmark::Table.new(pushes).call(kinds)
