# frozen_string_literal: true

module Mohs
  # Trials with profiles whose truth is known: microseconds per request by place, with noise from
  # boot to boot.
  class ProfiledTrials
    GEMS = "/cache/gems"
    SERVER = Profile::Frame.new("process_client", "#{GEMS}/puma-6.4.2/lib/puma/server.rb", 1)
    PLACES = {
      application: Profile::Frame.new("price", "/home/someone/shop/lib/price.rb", 12),
      lock: Profile::Frame.new("synchronize", "/home/someone/shop/lib/stock.rb", 7),
      query: Profile::Frame.new("exec_query", "#{GEMS}/activerecord-7.1/lib/relation.rb", 40),
      gc: Profile::Frame.new("(garbage collection)", "", 0),
    }.freeze
    RUBY = Profile::Frame.new("Integer#times", "<cfunc>", 0)
    REQUESTS = 1000
    Slice = Struct.new(:cpu_ns, :wall_ns, :span_ns, :good, :latency_sum_ns, keyword_init: true)
    Trial = Struct.new(:id, :measured_slices, :readings, :attested, keyword_init: true)

    attr_reader :pairs, :profiles

    # a, b: { "cpu" => { application: 30.0 }, "wait" => { .. } }, microseconds per request;
    # wall_us: how long each request took, one after another. sampler: microseconds per request
    # that the sampler took besides.
    def initialize(a:, b:, cohorts: 4, noise: 0.01, seed: 1, wall_us: 1000, sampler: 0,
                   attested: { engine: "ruby", workers: 1 })
      @noise = noise
      @random = Noise.new(seed)
      @profiles = {}
      @wall_us = wall_us
      @sampler = sampler
      @attested = attested
      @pairs = Array.new(cohorts) { [[trial(a)], [trial(b)]] }
    end

    private

    # The profiler takes only half of the samples that it should.
    def trial(costs)
      id = @profiles.size
      costs = costs.transform_values do |places|
        places.transform_values { |us| us * Math.exp(@random.normal * @noise) }
      end
      @profiles[id] = profile(costs)
      cpu_ns = ((costs.fetch("cpu").values.sum + @sampler) * 1000 * REQUESTS).round
      Trial.new(id:, readings: [], attested: @attested,
                measured_slices: [Slice.new(cpu_ns:, wall_ns: @wall_us * 1000 * REQUESTS,
                                            good: REQUESTS, latency_sum_ns: 10**9)])
    end

    def profile(costs)
      frames = [SERVER, RUBY, *PLACES.values]
      stacks = costs.flat_map do |kind, places|
        places.map do |place, us|
          at = [0, frames.index(PLACES.fetch(place)), 1]
          [[kind, at], (us * REQUESTS * (kind == "cpu" ? 0.5 : 1)).round]
        end
      end
      idle = [["wait", [0]], 10**8]
      Profile.new(profiler: "stackprof", sampler_us: @sampler * REQUESTS, frames:,
                  stacks: [*stacks, idle].to_h)
    end
  end
end
