# frozen_string_literal: true

module Mohs
  # A simulated server in front of which requests arrive at random moments: so many processes, each
  # of which computes one request at a time, whichever of its threads has it. `spread`: each request
  # goes to a process by chance; else the next process that is free takes it. `turns`: all threads
  # of a process advance alike; else it finishes a request before it begins the next.
  class SimulatedServer
    # work_s: called with a Random, returns the time that a request computes.
    #: (Random, work_s: ^(Random) -> Float, ?processes: Integer, ?threads: Integer, ?spread: bool, ?turns: bool) -> void
    def initialize(random, work_s:, processes: 1, threads: 1, spread: true, turns: false)
      @random = random
      @work_s = work_s
      @processes = processes
      @threads = threads
      @spread = spread
      @turns = turns
    end

    # Response times of so many requests, in seconds, without the first tenth.
    #: (Float, Integer) -> Array[Float]
    def call(rate_per_s, requests)
      now = 0.0
      arrivals = Array.new(requests) { now += -Math.log(1 - @random.rand) / rate_per_s }
      groups = @spread ? arrivals.group_by { @random.rand(@processes) }.values : [arrivals]
      servers = @spread ? 1 : @processes
      groups.flat_map { |own| (@turns ? turns(own, servers) : in_order(own, servers)) }
            .sort_by(&:first).drop(requests / 10).map(&:last)
    end

    private

    # [arrival, response time] each.
    def in_order(arrivals, servers)
      free = [0.0] * servers
      arrivals.map do |due|
        first = free.index(free.min)
        free[first] = [free[first], due].max + @work_s.call(@random)
        [due, free[first] - due]
      end
    end

    def turns(arrivals, servers)
      done, active, waiting, now = [], [], arrivals.dup, 0.0
      until active.empty? && waiting.empty?
        speed = [1.0, servers.fdiv([active.size, 1].max)].min
        shortest = active.min_by(&:last)
        ends = shortest ? now + (shortest.last / speed) : Float::INFINITY
        starts = waiting.any? && active.size < @threads * servers ? waiting.first : Float::INFINITY
        later = [[ends, starts].min, now].max
        active.each { |one| one[1] -= (later - now) * speed }
        now = later
        if starts <= ends
          active << [waiting.shift, @work_s.call(@random)]
        else
          active.delete(shortest)
          done << [shortest.first, now - shortest.first]
        end
      end
      done
    end
  end
end
