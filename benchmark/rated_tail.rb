# frozen_string_literal: true

# What `mohs compare --rate --metric p99` finds of a queue whose 99th percentile is known: one
# server, requests that take a constant time, Poisson arrivals (Lindley's recursion; no code of
# mohs). Slices begin idle, as in a comparison.
#
#     ruby benchmark/rated_tail.rb
module RatedTail
  # Requests per second, and the seconds of a request of A and of B.
  CASES = [[30, 0.010, 0.012], [30, 0.020, 0.024], [16, 0.043, 0.047]].freeze

  # Slices of each server, and their requests.
  SHAPES = [[20, 23], [2, 225], [2, 900]].freeze
  COHORTS = 1500
  LONG_S = 100_000

  module_function

  def p99(times) = times.sort[(times.size * 0.99).ceil - 1]

  def arrivals(random, rate, seconds)
    due, at = [], 0.0
    due << at while (at -= Math.log(1 - random.rand) / rate) < seconds
    due
  end

  # Response times, from the moment that each was due.
  def times(due, each_s)
    free = 0.0
    due.map { |at| (free = [at, free].max + each_s) - at }
  end

  # each_s: seconds of a request of A and of B; slices: the due times of both.
  def log_ratio(each_s, slices)
    a, b = each_s.zip(slices).map do |service_s, own|
      Math.log(p99(own.flat_map { |due| times(due, service_s) }))
    end
    b - a
  end

  # Mean, and standard deviation of a cohort.
  def spread(values)
    mean = values.sum / values.size
    [mean, Math.sqrt(values.sum { |one| (one - mean)**2 } / (values.size - 1))]
  end

  # The block draws the slices of one server.
  def measure(each_s, common:)
    spread(Array.new(COHORTS) do
      due = yield
      log_ratio(each_s, [due, common ? due : yield])
    end)
  end

  def call(random: Random.new(5))
    CASES.each do |rate, a, b|
      long = [arrivals(random, rate, LONG_S)]
      true_share = percent(log_ratio([a, b], [long, long]))
      puts format("%d/s, %.0f and %.0f ms: true %s", rate, a * 1000, b * 1000, true_share)
      SHAPES.product([true, false]) do |(count, each), common|
        mean, sd = measure([a, b], common:) do
          Array.new(count) { arrivals(random, rate, each.fdiv(rate)) }
        end
        puts format("  %2d slices of %3d, %s arrivals: %s, sd %.1f %%", count, each,
                    common ? "the same" : "other", percent(mean), 100 * sd)
      end
    end
  end

  def percent(log) = format("%+.0f %%", 100 * (Math.exp(log) - 1))
end

RatedTail.call if $PROGRAM_NAME == __FILE__
