# frozen_string_literal: true

# How far is the model of a queue off (Tune::UsableShare), from which a tuning has its
# rates where no search can count enough requests?
#
#     ruby benchmark/tune/queue_model.rb recorded
#
# beside the searches of live.ndjson: six of each of 24 settings. UsableShare::UNEVEN and
# Choice::CREDIT were chosen by these, and so was what the ends stand for.
#
#     ruby benchmark/tune/queue_model.rb simulated
#
# beside simulated servers (SimulatedServer), for each order of service and each distribution.
#
# Prints the share that was found, the model's with its ends, and how often it is between them; for
# recorded searches also what the setting that is picked loses, for some shares of the model's error
# that are credited to fewer threads (Tune::Choice::CREDIT).

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require "json"
require_relative "../../test/support/exponential_times"
require_relative "../../test/support/simulated_server"

module Mohs
  module QueueModelBenchmark
    module_function

    def line(name, found, share)
      return found.zero?.tap { puts format("%-34s %.3f  model unknown", name, found) } if share.nil?

      inside = (share.low..share.high).cover?(found)
      puts format("%-34s %.3f  model %.3f [%.3f, %.3f]%s", name, found, share.value, share.low,
                  share.high, inside ? "" : "  outside")
      inside
    end

    # Recorded searches.
    module Recorded
      LIMIT = Load::Limit.parse("p90 < 20ms")

      # Seconds of a request of WaitingApp, with the server's own part.
      SERVICE = Tune::ServiceTimes.constant(0.0052)

      module_function

      def call
        found = searches
        singles = found.flat_map { |(_, name), all| all.map { |one| [name, *one] } }
        means = found.transform_values { |all| all.transpose.map { |one| mean(one) } }
        inside = means.count do |(waiting, name), (rate, busy)|
          QueueModelBenchmark.line("#{waiting} #{name}", rate / busy, share(name, busy))
        end
        single = singles.count { |name, rate, busy| within?(rate / busy, share(name, busy)) }
        puts "#{inside} of #{means.size} settings, #{single} of #{singles.size} single searches"
        means.group_by { |(waiting, _), _| waiting }.each { |waiting, all| pick(waiting, all) }
      end

      # { [waiting, setting] => [[rate, rate with all threads busy], ...] }
      def searches
        lines = File.readlines(File.join(__dir__, "live.ndjson")).map { |line| JSON.parse(line) }
        truth = lines.select { |one| one["kind"] == "truth" }
        all = truth.flat_map do |one|
          one["found"].select { |_, found| found["outcome"] == "found" }.map do |name, found|
            [[one["waiting"], name], found.values_at("rate_per_s", "capacity_per_s")]
          end
        end
        all.group_by(&:first).transform_values { |pairs| pairs.map(&:last) }.sort.to_h
      end

      def share(name, busy)
        processes, threads = name.split("x").map(&:to_i)
        Tune::UsableShare.of(limit: LIMIT, service: SERVICE, capacity_per_s: busy, processes:,
                               threads:)
      end

      def pick(waiting, settings)
        rates = settings.to_h { |(_, name), (rate, busy)| [name, [rate, busy, share(name, busy)]] }
        best, (most, *) = rates.max_by { |_, (rate, *)| rate }
        picked = [0, Tune::Choice::CREDIT, 1].map do |credit|
          name = choose(rates, credit)
          less = 100 * (1 - (rates[name].first / most))
          format("%s, %.1f %% less, with a credit of %.2f", name, less, credit)
        end
        puts format("waits %.0f %%: best %s, picked %s", 100 * waiting, best, picked.join("; "))
      end

      # As Tune::Choice does, without memory.
      def choose(rates, credit)
        logs = rates.transform_values { |_, busy, share| Math.log(busy * share.value) }
        first = logs.max_by(&:last).first
        near = logs.keys.select do |name|
          bias = name == first ? 0 : rates[first].last.bias_beside(rates[name].last)
          logs[first] - logs[name] - (credit * bias) <= Math.log(1.03)
        end
        near.min_by { |name| name.split("x").map(&:to_i).reduce(:*) }
      end

      def mean(values) = Math.exp(Stats::Center.mean(values.map { |value| Math.log(value) }))

      def within?(found, share) = (share.low..share.high).cover?(found)
    end

    # Simulated servers.
    module Simulated
      REQUESTS = 60_000
      STEPS = 7
      MEAN_S = 0.015

      DISTRIBUTIONS = {
        "constant" => [Tune::ServiceTimes.constant(MEAN_S), ->(_) { MEAN_S }],
        "exponential" => [ExponentialTimes.of(MEAN_S),
                          ->(random) { -MEAN_S * Math.log(1 - random.rand) }],
        "two pages" => [Tune::ServiceTimes.new(times_s: [0.01, 0.035], shares: [0.8, 0.2]),
                        ->(random) { random.rand < 0.8 ? 0.01 : 0.035 }],
      }.freeze

      module_function

      def call
        counts = cases.map { |one| found(**one) }
        puts "#{counts.count(true)} of #{counts.size}"
      end

      def cases
        all = DISTRIBUTIONS.keys.product(["p99 < 200ms", "p99 < 60ms", "p90 < 60ms"],
                                         [[1, 1], [1, 5], [2, 1], [2, 5]],
                                         [[false, false], [true, false], [true, true]])
        all.filter_map do |kind, text, (processes, threads), (spread, turns)|
          next if (turns && threads == 1) || (spread && !turns && processes == 1)

          { kind:, text:, processes:, threads:, spread:, turns: }
        end
      end

      def found(kind:, text:, processes:, threads:, spread:, turns:)
        service, work_s = DISTRIBUTIONS.fetch(kind)
        limit = Load::Limit.parse(text)
        capacity_per_s = processes / MEAN_S
        share = Tune::UsableShare.of(limit:, service:, capacity_per_s:, processes:, threads:)
        true_share = bisect do |part|
          server = SimulatedServer.new(Random.new(5), work_s:, processes:, threads:, spread:,
                                                      turns:)
          times = server.call(part * capacity_per_s, REQUESTS).sort
          times[(limit.share * times.size).floor] <= limit.ns / 1e9
        end
        order = [("spread" if spread), ("turns" if turns)].compact.join(", ")
        QueueModelBenchmark.line("#{kind}, #{text}, #{processes}x#{threads} #{order}", true_share,
                                 share)
      end

      def bisect
        low, high = 0.02, 0.99
        STEPS.times do
          middle = (low + high) / 2
          yield(middle) ? low = middle : high = middle
        end
        low == 0.02 ? 0.0 : (low + high) / 2
      end
    end
  end
end

{ "recorded" => Mohs::QueueModelBenchmark::Recorded, "simulated" => Mohs::QueueModelBenchmark::Simulated }
  .fetch(ARGV.first || "recorded").call
