# frozen_string_literal: true

# How often do the intervals of Stats::RoundMeans hold, all of them together, and how wide are they
# compared with those of each variant's own values?
#
#     ruby benchmark/tune/round_means.rb 2000

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require_relative "../../test/support/noise"

module Mohs
  # Simulates variants whose true mean is 0.
  class RoundMeansBenchmark
    ROUNDS = 3
    ALPHA = 0.05
    # How much rounds vary, and how much each variant does.
    CASES = [0, 1, 2].product([[1, 1, 1], [3, 1, 1], [3, 3, 1], [1, 1, 1, 1, 1], [2, 1, 1, 1, 1],
                               [3, 1, 1, 1, 1], [3, 3, 1, 1, 1]]).freeze

    #: (Integer) -> void
    def initialize(tries)
      @tries = tries
      @noise = Noise.new(1)
    end

    #: () -> void
    def call
      CASES.each do |round_sd, sds|
        all = Array.new(@tries) { intervals(rounds(round_sd, sds), 1 - (ALPHA / sds.size)) }
        moderated, own = all.transpose.map { |ones| [held(ones), width(ones)] }
        puts format("rounds %<round_sd>d, variants %<sds>s: all hold in %<held>.1f %% (of own " \
                    "values %<own_held>.1f), width %<width>.2f (%<own_width>.2f)",
                    round_sd:, sds: sds.join(" "), held: moderated[0], width: moderated[1],
                    own_held: own[0], own_width: own[1])
      end
    end

    private

    def rounds(round_sd, sds)
      Array.new(ROUNDS) do
        shared = @noise.normal * round_sd
        sds.each_with_index.to_h { |sd, index| [index.to_s, shared + (@noise.normal * sd)] }
      end
    end

    def intervals(rounds, level)
      means = Stats::RoundMeans.new(rounds)
      rounds.first.keys.map { |name|
        [means.interval(name, level:), Stats::Interval.of(rounds.map { _1[name] }, level:)]
      }.transpose
    end

    def held(ones)
      100.0 * ones.count { |some| some.all? { |one| one.low <= 0 && one.high >= 0 } } / @tries
    end

    def width(ones) = ones.flatten.sum { |one| one.high - one.low } / ones.flatten.size
  end
end

Mohs::RoundMeansBenchmark.new(Integer(ARGV.fetch(0, "2000"))).call
