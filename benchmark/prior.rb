# frozen_string_literal: true

# Would the spread of earlier comparisons of an application help? It makes up for the few degrees of
# freedom of three cohorts if the noise is the same, and is wrong if the host has become restless.
# Simulates comparisons whose spread is `ratio` times the earlier one (known from ten degrees of
# freedom): how often two equal variants are called different at any look, and after how many
# cohorts a difference of so many standard deviations is decided.
#
#     ruby benchmark/prior.rb [comparisons]

require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # A sequential t test whose variance is pooled with that of earlier comparisons.
  class PriorTest
    LOOKS = Stats::Sequential::LOOKS
    TAIL = Stats::Sequential.new.nominal / 2
    KNOWN = 10

    # weight: degrees of freedom that the earlier spread counts for. wider: times that it is taken
    # as larger than it was. most: its variance counts while the cohorts' own is no more than this
    # many times as large.
    def initialize(weight:, wider: 1, most: 1, random: Random.new(11))
      @weight = weight
      @wider = wider
      @most = most
      @random = random
      @quantiles = Hash.new { |known, df| known[df] = Stats::StudentT.upper_quantile(TAIL, df) }
    end

    # The number of cohorts after which a difference is found; nil if it isn't.
    def call(effect:, ratio: 1)
      logs = Array.new(LOOKS.last) { (ratio * normal) + effect }
      earlier = Array.new(KNOWN) { normal**2 }.sum / KNOWN * (@wider**2)
      LOOKS.find do |look|
        seen = logs.first(look)
        variance, df = pooled(Stats::Spread.variance(seen), look - 1, earlier)
        Stats::Center.mean(seen).abs > @quantiles[df] * Math.sqrt(variance / look)
      end
    end

    private

    def pooled(own, df, earlier)
      return [own, df] if own > @most * earlier

      [((@weight * earlier) + (df * own)) / (@weight + df), @weight + df]
    end

    def normal
      Math.sqrt(-2 * Math.log(1 - @random.rand)) * Math.cos(2 * Math::PI * @random.rand)
    end
  end

  if $PROGRAM_NAME == __FILE__
    count = Integer(ARGV.fetch(0, "3000"))
    designs = { "without" => { weight: 0 },
                "2 df, 1.5 times, if no larger" => { weight: 2, wider: 1.5 },
                "4 df, 1.5 times, if no larger" => { weight: 4, wider: 1.5 },
                "4 df, always" => { weight: 4, most: Float::INFINITY } }
    designs.each do |name, design|
      test = PriorTest.new(**design)
      wrong = [0.5, 1, 2, 3, 6].map do |ratio|
        "#{ratio}: #{(100.0 * count.times.count { test.call(effect: 0, ratio:) } / count).round(1)}"
      end
      found = [3, 4, 6].map do |sds|
        cohorts = Array.new(count) { test.call(effect: sds) || PriorTest::LOOKS.last }
        format("%d sd: %.2f", sds, Stats::Center.mean(cohorts))
      end
      puts "#{name}\n  false (%), by ratio: #{wrong.join(', ')}\n  cohorts: #{found.join(', ')}"
    end
  end
end
