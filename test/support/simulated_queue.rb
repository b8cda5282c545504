# frozen_string_literal: true

module Mohs
  # One life of a simulated server with a queue, empty when a probe begins: `servers` work at it,
  # with exponential (M/M/k) or constant (M/D/k) service times; together they serve `capacity`
  # requests a second.
  class SimulatedQueue
    #: (Random, capacity: Float, ?servers: Integer, ?constant: bool) -> void
    def initialize(random, capacity:, servers: 1, constant: false)
      @random = random
      @servers = servers
      @each_per_s = capacity / servers
      @constant = constant
    end

    # [sections of response times in ns, backlog in s at the end]
    #: (Analysis::RateSearch::Probe) -> [Array[Array[Float]], Float]
    def call(probe)
      now, free = 0.0, [0.0] * @servers
      sections = Array.new(probe.sections) { [] }
      while (now += pause(probe.rate_per_s)) < probe.seconds
        left = serve(now, free)
        index = ((now - probe.fill_s) / probe.section_s).floor
        sections[index] << ((left - now) * 1e9) if index.between?(0, probe.sections - 1)
      end
      [sections, [free.min - probe.seconds, 0].max]
    end

    private

    def serve(now, free)
      first = free.index(free.min)
      free[first] = [free[first], now].max + (@constant ? 1 / @each_per_s : pause(@each_per_s))
    end

    def pause(rate) = -Math.log(1 - @random.rand) / rate
  end
end
