# frozen_string_literal: true

# Does the interval of `mohs load --find-rate` contain the rate, and how wide is it? Searches on
# simulated queues whose highest rate under a p90 or a p99 is known, at several shares of their
# capacity: `servers` in one queue, with exponential (M/M/k) or constant (M/D/1) service times.
# `budget` is in RateSearch.needed_s, `guess` the capacity that the search is told, as a multiple of
# the true one. Prints for each kind the bias and the standard deviation of the estimates, how many
# intervals contain the rate (with a 95 % lower bound, Clopper and Pearson 1934) and their median
# width, as the ratio of their ends. Search number n is drawn from seed n. Then cliffs, whose time
# is flat below and above one rate: how long until they are known to 2 %.
#
#     ruby benchmark/find_rate.rb [searches of each kind, 100]

require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"
require_relative "clopper_pearson"
require_relative "../test/support/simulated_queue"

module Mohs
  module FindRateBenchmark
    CAPACITY = 200.0

    Kind = Struct.new(:share, :servers, :constant, :budget, :guess, :quantile,
                      keyword_init: true) do
      def initialize(servers: 1, constant: false, budget: 1.0, guess: 1.0, quantile: 0.9, **others)
        super
      end

      def title
        [constant ? "M/D/1" : "M/M/#{servers}", (100 * quantile).round, share, budget,
         guess.round(2)]
      end

      def limit
        @limit ||= Load::Limit.new(figure: Load::Limit::FIGURES.key(quantile),
                                   ns: (quantile_s * 1e9).round)
      end

      def queue(random) = SimulatedQueue.new(random, capacity: CAPACITY, servers:, constant:)

      def searching
        capacity_per_s = guess * CAPACITY
        needed_s = Analysis::RateSearch.needed_s(limit:, rate_per_s: CAPACITY)
        Analysis::RateSearch.new(limit:, capacity_per_s:, budget_s: budget * needed_s)
      end

      private

      # The time that a share of `quantile` of responses does not exceed at the rate.
      def quantile_s
        rarity = -Math.log(1 - quantile)
        most = (constant ? 1 + (0.65 * rarity / (1 - share)) : spread(rarity)) / CAPACITY
        (0.0..most).bsearch { |time| beyond(time) <= 1 - quantile }
      end

      def spread(rarity) = (1.3 * rarity * servers) + (1.3 * rarity / (1 - share))

      def beyond(time)
        return constant_beyond((CAPACITY * time) - 1) if constant

        one, spare = CAPACITY / servers, CAPACITY * (1 - share)
        waiting = erlang_c
        return Math.exp(-one * time) * (1 + (waiting * one * time)) if (one - spare).abs < 1e-9

        waited = (spare * Math.exp(-one * time)) - (one * Math.exp(-spare * time))
        ((1 - waiting) * Math.exp(-one * time)) + (waiting * waited / (spare - one))
      end

      # The share of requests that wait in M/M/k (Erlang 1917).
      def erlang_c
        terms = (0..servers).map { |n| ((share * servers)**n) / (1..n).inject(1, :*) }
        last = terms.pop / (1 - share)
        last / (terms.sum + last)
      end

      # The share of requests that wait longer in M/D/1, in service times (Erlang 1909). The terms
      # alternate: of much longer waits nothing is left.
      def constant_beyond(wait)
        return 1.0 if wait.negative?

        sum = (0..wait.floor).sum do |n|
          part = share * (n - wait)
          (part**n) * Math.exp(-part) / (1..n).inject(1, :*)
        end
        1 - ((1 - share) * sum)
      end
    end

    SHARES = [0.2, 0.25, 0.35, 0.5, 0.615, 0.8, 0.95].freeze
    # Under a p99: it is searched in sections of fewer times beyond it (RateSearch.section_s).
    P99 = [
      *[1.0, 0.5].product([0.5, 0.615, 0.8, 0.95]).map { |budget, share| { share:, budget: } },
      *[0.5, 0.615, 0.8].map { |share| { share:, constant: true, budget: 0.5 } },
      *[0.5, 0.8, 0.95].map { |share| { share:, servers: 4, budget: 0.5 } },
    ].freeze
    KINDS = [
      *[1.0, 0.5, 0.2].product(SHARES).map { |budget, share| { share:, budget: } },
      *[0.35, 0.615, 0.8].product([1 / 3r, 2]).map { |share, guess| { share:, guess: guess.to_f } },
      *[0.35, 0.615, 0.8, 0.95].map { |share| { share:, constant: true } },
      *[2, 4].product([0.5, 0.615, 0.8, 0.95]).map { |servers, share| { servers:, share: } },
      *P99.map { |one| { quantile: 0.99, **one } },
    ].freeze
    CLIFFS = [0.3, 0.65, 0.95].freeze

    module_function

    #: (Integer) -> void
    def call(searches)
      puts "queue  figure  share  budget  guess   bias     sd   contain (at least)   width"
      KINDS.each { |given| row(Kind.new(**given), searches) }
      CLIFFS.each { |share| cliff(share) }
    end

    def row(kind, searches)
      truth = kind.share * CAPACITY
      intervals = Array.new(searches) { |seed| searched(kind, Random.new(seed)) }
      mean, sd = intervals.map { |one| one.value / truth }.then { |all| spread(all) }
      hits = intervals.count { |one| truth.between?(one.low, one.high) }
      width = intervals.map { |one| one.high / one.low }.sort[searches / 2]
      puts format("%s  p%d     %5.3f  %6.2f  %5.2f  %+5.1f %%  %4.1f %%  " \
                  "%5.1f %% (%4.1f %%)     %5.2f",
                  *kind.title, 100 * (mean - 1), 100 * sd, 100.0 * hits / searches,
                  100 * ClopperPearson.at_least(hits, searches), width)
      $stdout.flush
    end

    def spread(values)
      mean = Stats::Center.mean(values)
      [mean, Stats::Spread.sd(values)]
    end

    def searched(kind, random)
      searching, queue = kind.searching, kind.queue(random)
      while (probe = searching.next)
        sections, behind_s = queue.call(probe)
        searching.add(probe, sections, behind_s:, seconds: probe.seconds + behind_s)
      end
      searching.interval
    end

    # 5 ms below it, 500 ms above; the limit is 30 ms.
    def cliff(share)
      searching = Analysis::RateSearch.new(limit: Load::Limit.parse("p90 < 30ms"), budget_s: 600,
                                           capacity_per_s: CAPACITY)
      spent_s = 0
      while (probe = searching.next)
        spent_s += probe.seconds
        time = probe.rate_per_s < share * CAPACITY ? 5e6 : 500e6
        searching.add(probe, [[time] * 200] * probe.sections, behind_s: 0, seconds: probe.seconds)
      end
      ends = searching.interval.then { |one| [one.low, one.high] }
      puts format("cliff  %5.3f: %.0f s, between %.3f and %.3f of the capacity",
                  share, spent_s, *ends.map { |rate| rate / CAPACITY })
    end
  end
end

Mohs::FindRateBenchmark.call(Integer(ARGV[0] || 100))
