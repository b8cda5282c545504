# frozen_string_literal: true

# A request of ticks, each of which either computes or waits, by chance, and of garbage. So requests
# differ, and computing and waiting are mixed, as in an application with several queries.
#
# A tick computes the same in each boot and under each variant: it is not calibrated to a time. One
# of 1 ms waits as long as a tick computes on a core of 2.5 GHz or so (Ruby 3.3, no JIT).
class Half
  TICKS = 10
  TICK_S = 0.001
  STEPS = 30_000 # of a tick
  WAITS = 0.5    # the chance that a tick waits
  OBJECTS = 20_000

  # waits: as WAITS; WAITS=0.25 in the environment has three of four ticks compute.
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
