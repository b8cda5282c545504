# frozen_string_literal: true

# Serves a request that consists of ticks, each of which either computes or waits, at random, and
# of garbage. So requests differ, and computing and waiting are mixed, as in an application with
# several queries.
#
# A tick computes the same in each boot and under each variant; it is not calibrated to a time. A
# tick that waits takes 1 ms, about as long as one computes on a core of 2.5 GHz (Ruby 3.3, no
# JIT).
class Half
  TICKS = 10
  TICK_S = 0.001
  STEPS = 30_000 # steps of a tick that computes
  WAITS = 0.5    # probability that a tick waits
  OBJECTS = 20_000

  # waits: like WAITS; with WAITS=0.25 in the environment three of four ticks compute.
  def initialize(waits: Float(ENV.fetch("WAITS", WAITS)))
    @waits = waits
  end

  def call(_env)
    OBJECTS.times { +"a" }
    TICKS.times { rand < @waits ? sleep(TICK_S) : compute }
    body = "served\n"
    [200, { "content-type" => "text/plain", "content-length" => body.bytesize.to_s }, [body]]
  end

  private

  def compute
    sum = number = 0
    sum = ((sum * 31) + number) % 1_000_003 while (number += 1) <= STEPS
    sum
  end
end
