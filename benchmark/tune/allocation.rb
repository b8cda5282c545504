# frozen_string_literal: true

# What should the searches of `mohs tune` be spent on, many settings on few boots each or few
# settings on many? Simulates tunings with time for so many searches: four settings, each of which
# truly serves so much more than the present one, are ordered by a race that errs, as by
# Tune::Schedule: of those within 10 % of the best, the one with the fewest threads
# comes first, then the best, then the others with the fewest threads. Which settings have fewer
# threads has nothing to do with what they serve. The first are searched beside the present setting.
# Rates vary from boot to boot. Counts how often the gain of the setting with the highest mean is
# shown, as Tune::Result#gain judges it, how often its interval holds, and how far the setting
# is behind the best one:
#
#     ruby benchmark/tune/allocation.rb 1500

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require_relative "../../test/support/noise"

module Mohs
  # Simulates the searches of tunings.
  class Allocation
    PRESENT = "present"

    # How much more than the present setting the others truly serve, as logarithms.
    GAINS = { "up to 46 % more" => [0.38, 0.38, 0.28, 0.2],
              "up to 22 % more" => [0.2, 0.15, 0.1, 0],
              "none more" => [0, 0, 0, -0.1] }.freeze

    # Standard deviations of rates from boot to boot, and of the race's errors, as logarithms.
    BOOTS_VARY = [0.06, 0.1, 0.14].freeze
    RACE_ERRS = 0.08

    # Settings, the present one among them, and boots of each.
    DESIGNS = [[2, 3], [3, 3], [2, 4], [2, 5], [4, 3], [2, 6], [5, 3], [3, 5], [5, 4],
               [4, 5]].freeze

    # An answer: the interval of the ratio to the present setting, the true ratio, and that of the
    # best setting to this one.
    Answer = Struct.new(:interval, :ratio, :behind) do
      def shown? = interval.low > 1

      def holds? = ratio.between?(interval.low, interval.high)
    end

    #: (Integer) -> void
    def initialize(tries)
      @tries = tries
      @noise = Noise.new(1)
      @random = Random.new(1)
    end

    #: () -> void
    def call
      GAINS.to_a.product(BOOTS_VARY) do |(title, gains), sd|
        puts "#{title}, boots vary by #{(100 * sd).round} %:"
        DESIGNS.each { |design| show(*design, answers(gains, sd, *design)) }
      end
    end

    private

    def answers(gains, boot_sd, settings, boots)
      Array.new(@tries) do
        truth = { PRESENT => 0.0, **searched(gains.shuffle(random: @random), settings - 1) }
        rounds = Array.new(boots) { truth.transform_values { |log| noisy(log, boot_sd) } }
        answer(truth, rounds, [*gains, 0].max)
      end
    end

    # { name => its true gain }, of so many settings, given in the order of their threads.
    def searched(gains, count)
      raced = gains.map.with_index { |gain, slots| [slots, noisy(gain, RACE_ERRS)] }
      first, best = raced.max_by(&:last)
      near = raced.select { |_, rate| rate >= best + Math.log(0.9) }.map(&:first)
      order = [near.min, first, *near, *raced.sort_by { |_, rate| -rate }.map(&:first)].uniq
      order.first(count).to_h { |slots| [slots.to_s, gains[slots].to_f] }
    end

    def noisy(log, sd) = log + (sd * @noise.normal)

    def answer(truth, rounds, best)
      pick = (truth.keys - [PRESENT]).max_by { |name| Stats::Center.mean(rounds.map { _1[name] }) }
      alpha = Tune::Result::ALPHA / (truth.size - 1)
      contrasts = Stats::Contrasts.new(rounds, rounds: [*rounds.each_index], baseline: PRESENT)
      interval = contrasts.between(PRESENT, pick, alpha:).interval(alpha:)
      Answer.new(interval, Math.exp(truth[pick]), Math.exp(best - truth[pick]))
    end

    def show(settings, boots, all)
      shown, holds = %i[shown? holds?].map { |one| 100.0 * all.count(&one) / @tries }
      behind = 100 * (Stats::Center.mean(all.map(&:behind)) - 1)
      puts format("  %<searches>2d searches, %<settings>d settings on %<boots>d boots: shown in " \
                  "%<shown>5.1f %%, holds in %<holds>.1f %%, behind by %<behind>.1f %%",
                  searches: settings * boots, settings:, boots:, shown:, holds:, behind:)
    end
  end
end

Mohs::Allocation.new(Integer(ARGV.fetch(0, "1500"))).call
