# frozen_string_literal: true

# How soon does a history (Track::Result) show a step, and how often does it show one where
# there is none? Simulates points of known ratios, with normal noise, with heavier tails (t with 5
# degrees of freedom), and with noise that lasts from point to point (correlated by 0.3), judged
# anew with each point as `mohs track` does. Prints the false alarms in 1,000 points with a 95 %
# upper bound (Clopper and Pearson 1934), and how many steps were found within five points.
# Simulation number n is drawn from seed n.
#
#     ruby benchmark/history/changes.rb [histories, 200] [points of each, 150] [steps, 400]

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require_relative "../clopper_pearson"

module Mohs
  module HistoryBenchmark
    Point = Struct.new(:effects)
    METRIC = Analysis::Metric::ALL.first

    # A step of 3 % in a history of 60 points has to be found within 5.
    STEP = Math.log(1 - 0.03)
    BEFORE = 30
    WITHIN = 5
    NEAR = 2

    NORMAL = lambda do |random|
      Math.sqrt(-2 * Math.log(1 - random.rand)) * Math.cos(2 * Math::PI * random.rand)
    end
    TAILED = lambda do |random|
      chi = Array.new(5) { NORMAL.call(random)**2 }.sum
      NORMAL.call(random) / Math.sqrt(chi / 5) / Math.sqrt(5 / 3.0)
    end

    # Correlation from point to point.
    CORRELATION = 0.3

    module_function

    # `count` deviates with a standard deviation of 1.
    def series(noise, random, count)
      return Array.new(count) { noise.call(random) } if noise.respond_to?(:call)

      last = NORMAL.call(random)
      Array.new(count) do
        last = (CORRELATION * last) + (Math.sqrt(1 - (CORRELATION**2)) * NORMAL.call(random))
      end
    end

    NOISE = { "normal" => NORMAL, "t, 5 df" => TAILED, "correlated" => :correlated }.freeze

    def changes(logs)
      points = logs.map { |log| Point.new({ METRIC.key => [log, nil, nil] }) }
      history = Track::Result.new(points, metric: METRIC)
      history.changes.map do |change|
        [points.index { |one| one.equal?(change.first) }, change.fresh]
      end
    end

    # How many points reported a change in a history without one.
    def alarms(noise, sd, count, seed)
      logs = series(noise, Random.new(seed), count).map { |one| sd * one }
      (Track::Result::FEWEST..count).count do |known|
        changes(logs.first(known)).any?(&:last)
      end
    end

    def found?(noise, sd, seed)
      logs = series(noise, Random.new(seed), BEFORE + WITHIN).map.with_index do |one, index|
        (sd * one) + (index < BEFORE ? 0 : STEP)
      end
      (1..WITHIN).any? do |more|
        changes(logs.first(BEFORE + more)).any? { |index, _| (index - BEFORE).abs <= NEAR }
      end
    end

    def run(histories, points, steps)
      NOISE.each do |name, noise|
        [0.0065, 0.01].each do |sd|
          false_ones = (0...histories).sum { |seed| alarms(noise, sd, points, seed) }
          found = (0...steps).count { |seed| found?(noise, sd, seed) }
          of = histories * (points - Track::Result::FEWEST + 1)
          at_most = 1000 * ClopperPearson.at_most(false_ones, of)
          puts format("%-10s sd %.2f %%: %d false alarms in %d points (%.2f in 1,000, <= %.2f); " \
                      "%d of %d steps of 3 %% within %d points", name, 100 * sd, false_ones, of,
                      1000.0 * false_ones / of, at_most, found, steps, WITHIN)
          $stdout.flush
        end
      end
    end
  end
end

counts = ARGV.map { |text| Integer(text, 10) }
Mohs::HistoryBenchmark.run(*counts, *[200, 150, 400].drop(counts.size)) if $PROGRAM_NAME == __FILE__
