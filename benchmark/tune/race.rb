# frozen_string_literal: true

# What does the race of settings (Stats::Race) cost, and how often is it wrong? Simulates settings
# of known speed, with the noise of recorded cohorts. Prints for each kind of race the boots as a
# share of the full grid (30 rounds of all settings), and in how many races the best setting was
# dropped, a setting was dropped that was not worse than its leader, the pick was within the margin
# of the best, and settings were called equal that were not; with 95 % bounds (Clopper and Pearson
# 1934), and, if there were any, how many in each session. Race number n is drawn from seed n.
#
#     ruby benchmark/tune/race.rb [races] [numbers of settings, 8,24] [cost | levels] [margin, 0.03]
#
# `cost`: landscapes and spreads. `levels`: settings that are all the same, or one of which varies
# more than the others; also with independent normal noise; and at looser levels, which this has to
# notice: 5 % for the comparisons of one setting with each other one, as if there were only the
# usual looks.

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require_relative "../clopper_pearson"
require_relative "recorded_noise"

module Mohs
  module TuneBenchmark
    # Caches quantiles: races of one kind ask for the same ones again and again, and nothing takes
    # longer.
    module Remembered
      KNOWN = {}

      #: (Float, Numeric) -> Float
      def upper_quantile(tail, df)
        df.is_a?(Integer) ? KNOWN[[tail, df]] ||= super : super
      end
    end
    Stats::StudentT.singleton_class.prepend(Remembered)

    # True speeds as logarithms: the first setting is the best and has 0. x: a setting's place, 0
    # to 1.
    LANDSCAPES = {
      "even" => ->(x) { Math.log(1 - (0.2 * x)) },
      "peaked" => ->(x) { Math.log(1 - (0.4 * (x**0.7))) },
      "flat 1 %" => ->(x) { Math.log(1 - (x < 0.5 ? 0.02 * x : 0.01 + (0.38 * (x - 0.5)))) },
      "flat 3 %" => ->(x) { Math.log(1 - (x < 0.5 ? 0.06 * x : 0.03 + (0.34 * (x - 0.5)))) },
      "equal" => ->(_) { 0.0 },
    }.freeze

    # The control: levels that are too loose.
    class LooserLevels
      LEVELS = Stats::Sequential::Levels

      #: (Integer) -> void
      def initialize(settings)
        @settings = settings
      end

      #: (Float, Array[Integer]) -> Float
      def two_sided(_alpha, _looks) = LEVELS.two_sided(0.05 / (@settings - 1), LEVELS::LOOKS)

      #: (Float, Array[Integer]) -> Float
      def one_sided(alpha, looks) = LEVELS.one_sided(alpha, looks)
    end

    # One kind of race. `sd`: of the log difference of two settings in a round, if they vary alike;
    # `wild`: the factor by which the first setting varies more; `noise`: "recorded" or "normal";
    # `levels`: "own" or "looser". `margin`: within which settings are equal.
    Kind = Struct.new(:settings, :landscape, :sd, :wild, :noise, :levels, :margin,
                      keyword_init: true) do
      def initialize(landscape: "equal", wild: 1, noise: "recorded", levels: "own", **others)
        super
      end

      def speeds
        Array.new(settings) { |one| LANDSCAPES[landscape].call(one.fdiv(settings - 1)) }
      end

      def race
        chosen = levels == "own" ? Stats::Sequential::Levels : LooserLevels.new(settings)
        Stats::Race.new([*0...settings], better: :more, margin:, levels: chosen)
      end

      def title = [settings, landscape, format("%.2f", 100 * sd), wild, noise, levels]
    end

    # One race of a kind, from the first round to its end.
    class Trial
      ROUNDS = Stats::Race::LOOKS.last

      # Boots of all settings in all rounds.
      attr_reader :boots

      #: (TuneBenchmark::Kind, noise: untyped) -> void
      def initialize(kind, noise:)
        @speeds = kind.speeds
        @margin = Math.log(1 + kind.margin)
        @race = kind.race
        own = kind.sd / Math.sqrt(2)
        @noise = Array.new(kind.settings) do |one|
          spread = one.zero? ? kind.wild * own : own
          noise.series(ROUNDS).map { |value| spread * value }
        end
        @boots = 0
      end

      #: () -> TuneBenchmark::Trial
      def call
        while @race.state == :continue
          @boots += @race.alive.size
          round = @race.rounds
          @race.add(@race.alive.to_h { |one| [one, @speeds[one] + @noise[one][round]] })
        end
        self
      end

      #: () -> bool
      def best_dropped? = @race.dropped.key?(0)

      # Whether a setting was dropped that is not worse than the leader it was dropped for.
      #: () -> bool
      def falsely_dropped?
        @race.dropped.any? { |one, drop| @speeds[one] >= @speeds[drop.leader] }
      end

      #: () -> bool
      def good_pick? = @speeds[@race.leader] > -@margin

      # Whether settings were called equal though one of them is off by the margin or more.
      #: () -> bool
      def falsely_equal?
        return false unless ended == :equal

        @race.alive.any? { |one| (@speeds[one] - @speeds[@race.leader]).abs > @margin }
      end

      #: () -> Symbol
      def ended = @race.state
    end

    # Prints one line for each kind.
    class Table
      HEAD = %w[settings landscape sd,% wild noise levels boots,% best_dropped falsely_dropped
                pick_within_margin falsely_equal ended].freeze

      #: (Integer) -> void
      def initialize(races)
        @races = races
        @sessions = RecordedNoise.sessions
      end

      #: (Array[TuneBenchmark::Kind]) -> void
      def call(kinds)
        names = @sessions.map(&:name)
        puts "races of seeds 1 to #{@races}; sessions in turn: #{names.join(', ')}", ""
        puts "| #{HEAD.join(' | ')} |", "|#{' --- |' * HEAD.size}"
        kinds.each do |kind|
          puts "| #{row(kind).join(' | ')} |"
          $stdout.flush
        end
      end

      private

      def row(kind)
        trials = (1..@races).map { |seed| Trial.new(kind, noise: noise(kind, seed)).call }
        boots = Stats::Center.mean(trials.map(&:boots)) / (kind.settings * Trial::ROUNDS)
        [*kind.title, format("%.1f", 100 * boots),
         "#{at_most(trials, &:best_dropped?)}#{by_session(kind, trials, &:best_dropped?)}",
         "#{at_most(trials, &:falsely_dropped?)}#{by_session(kind, trials, &:falsely_dropped?)}",
         at_least(trials, &:good_pick?),
         at_most(trials, &:falsely_equal?),
         trials.map(&:ended).tally.sort.map { |name, count| "#{count} #{name}" }.join(", ")]
      end

      def noise(kind, seed)
        random = Random.new(seed)
        return NormalNoise.new(random:) if kind.noise == "normal"

        RecordedNoise.new(@sessions[seed % @sessions.size], random:)
      end

      # How many of each session's races the block is true for.
      def by_session(kind, trials, &is)
        return if kind.noise == "normal" || trials.none?(&is)

        seeds = trials.each_index.select { |index| yield trials[index] }.map(&:succ)
        counts = Array.new(@sessions.size) do |place|
          seeds.count { |seed| seed % @sessions.size == place }
        end
        " (#{counts.join(' ')})"
      end

      def at_most(trials, &is)
        count = trials.count(&is)
        "#{percent(count)} <= #{format('%.2f', 100 * ClopperPearson.at_most(count, trials.size))}"
      end

      def at_least(trials, &is)
        count = trials.count(&is)
        least = ClopperPearson.at_least(count, trials.size)
        "#{percent(count)} >= #{format('%.2f', 100 * least)}"
      end

      def percent(count) = format("%.2f", 100.0 * count / @races)
    end

    # The two tables.
    module Kinds
      SPREADS = [0.0035, 0.0065, 0.012].freeze

      # So large that no settings are called equal, and all looks take place.
      RESTLESS = 0.05

      module_function

      #: (Array[Integer], Float) -> Array[TuneBenchmark::Kind]
      def cost(sizes, margin)
        sizes.product(LANDSCAPES.keys, SPREADS).map do |settings, landscape, sd|
          Kind.new(settings:, landscape:, sd:, margin:)
        end
      end

      #: (Array[Integer], Float) -> Array[TuneBenchmark::Kind]
      def levels(sizes, margin)
        how = [[1, "own"], [2, "own"], [4, "own"], [1, "looser"]]
        sizes.product(how, %w[normal recorded]).map do |settings, (wild, levels), noise|
          Kind.new(settings:, sd: RESTLESS, wild:, noise:, levels:, margin:)
        end
      end
    end
  end
end

races = (ARGV[0] || 2000).to_i
sizes = (ARGV[1] || "8,24").split(",").map(&:to_i)
margin = Float(ARGV[3] || Mohs::Tune::Rules::MARGIN)
kinds = Mohs::TuneBenchmark::Kinds.public_send(ARGV[2] == "levels" ? :levels : :cost, sizes, margin)
Mohs::TuneBenchmark::Table.new(races).call(kinds)
