# frozen_string_literal: true

# How often do the intervals of Stats::RandomLevel hold on the next host, compared with an interval
# over all cohorts that ignores their hosts? How often does it call a host apart that is not, and
# how often one that is?
#
#     ruby benchmark/fleet/level.rb 5000

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require_relative "../../test/support/noise"

module Mohs
  # Simulates cohorts with a spread of about 1 on hosts whose true effect is 0.
  class RandomLevelBenchmark
    ALPHA = 0.05
    HOSTS = [3, 5, 10].freeze
    # How much hosts vary, relative to cohorts.
    BETWEEN = [0, 0.5, 1, 3].freeze
    # The range of each host's number of cohorts, and how many times as much a host's cohorts may
    # vary.
    COHORTS = (3..12)
    SPREADS = [1, 3].freeze
    # How far off a host is that should be found, in spreads of a cohort.
    OFF = 3

    #: (Integer) -> void
    def initialize(tries)
      @tries = tries
      @noise = Noise.new(1)
      @random = Random.new(2)
    end

    #: () -> void
    def call
      HOSTS.product(BETWEEN, SPREADS).each { |hosts, between, spread| hold(hosts, between, spread) }
      HOSTS.product(SPREADS).each { |hosts, spread| apart(hosts, spread) }
    end

    private

    def hold(hosts, between, spread)
      level = over = 0
      @tries.times do
        groups = groups(hosts, between, spread)
        level += 1 if hold?(Stats::RandomLevel.new(groups).overall)
        over += 1 if hold?(Stats::Effect.of(groups.values.flatten))
      end
      puts format("%<hosts>2d hosts that vary %<between>.1f, spreads up to %<spread>d: hold in " \
                  "%<level>.1f %%, over cohorts in %<over>.1f %%",
                  hosts:, between:, spread:, level: share(level), over: share(over))
    end

    def apart(hosts, spread)
      falsely = Array.new(@tries) { found(groups(hosts, 0, spread)).any? }.count(true)
      groups = Array.new(@tries) do
        groups(hosts, 0, spread).tap { |made| made["0"] = made["0"].map { |one| one + OFF } }
      end
      rightly = groups.count { |made| found(made) == %w[0] }
      puts format("%<hosts>2d hosts, spreads up to %<spread>d: a host is called apart falsely in " \
                  "%<falsely>.1f %%; one that is off by %<off>d, and no other, in %<rightly>.1f %%",
                  hosts:, spread:, off: OFF, falsely: share(falsely), rightly: share(rightly))
    end

    def groups(hosts, between, spread)
      (0...hosts).to_h do |host|
        mean, sd = @noise.normal * between, 1 + (@random.rand * (spread - 1))
        [host.to_s, Array.new(@random.rand(COHORTS)) { mean + (@noise.normal * sd) }]
      end
    end

    def hold?(effect) = effect.value.abs <= effect.half_width(ALPHA)

    def found(groups) = Stats::RandomLevel.new(groups).apart(alpha: ALPHA)

    def share(count) = 100.0 * count / @tries
  end
end

Mohs::RandomLevelBenchmark.new(Integer(ARGV.fetch(0, "2000"))).call if $PROGRAM_NAME == __FILE__
