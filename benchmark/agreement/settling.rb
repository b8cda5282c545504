# frozen_string_literal: true

# How long does a server go on getting cheaper? Boots a variant several times and sends it requests
# one after the other, in turns with a server of the same variant that has served WARM, on the same
# core: the speed of the core drifts by more than there is to see. Prints, for each range of
# requests, by which share their CPU time, relative to that of the warm server, is above the last
# range's: the mean over the boots and its 95 % interval (Student's t).
#
#     ruby benchmark/agreement/settling.rb FOLDER PATH BOOTS VARIANT [VARIANT ...] [NAME=value ...]
#
# Some ten requests, with which a server is attested and its responses are checked, come before.

require_relative "server"

module Mohs
  # The ranges, and what they cost.
  class AgreementSettling
    ENDS = [50, 85, 120, 152, 200, 300, 400, 560, 712, 1000].freeze

    # Requests of a server that is warm, and of a turn.
    WARM = 1500
    TURN = 16

    Side = Struct.new(:server, :driver)

    #: (String, String, Hash[String, String]) -> void
    def initialize(folder, path, env)
      @folder = File.expand_path(folder)
      @path = path
      @env = env
      @cpus = Process::CpuSet.plan
    end

    #: (String, Integer) -> void
    def call(variant, boots)
      logs = serving(variant) do |warm|
        cost(warm, WARM)
        Array.new(boots) { serving(variant) { |young| logs(young, warm) } }
      end
      puts "#{variant}, #{boots} boots"
      logs.transpose.zip(ENDS).each { |values, last| puts line(values, last) }
    end

    private

    def serving(variant)
      AgreementServer.with(app: @folder, notation: variant, path: @path, env: @env, connections: 1,
                           cpus: @cpus[:server]) do |server|
        driver = Drivers.fetch("native").new(targets: [server.target], cpus: @cpus[:driver],
                                             paced: false)
        yield Side.new(server, driver)
      ensure
        driver&.close
      end
    end

    # Of each range, the logarithm of its cost relative to that of the last.
    def logs(young, warm)
      logs = [0, *ENDS].each_cons(2).map do |first, last|
        costs = (first...last).each_slice(TURN).map do |turn|
          [young, warm].map { |side| cost(side, turn.size) }
        end
        Math.log(costs.sum(&:first).fdiv(costs.sum(&:last)))
      end
      logs.map { |log| log - logs.last }
    end

    # ns of CPU time of so many requests.
    def cost(side, count)
      pids = side.server.trial.pids
      before = Probes::Cpu.tree_ns(pids)
      result = side.driver.run([Load::Step.new(targets: [0], count:)]).first
      raise "#{count - result.good} of #{count} failed: #{result.errors}" if result.good < count

      Probes::Cpu.tree_ns(pids) - before
    end

    def line(logs, last)
      interval = Stats::Interval.of(logs, level: 0.95).map { |log| 100 * (Math.exp(log) - 1) }
      format("until %<last>4d: %<value>+.1f %% [%<low>+.1f, %<high>+.1f]", last:, **interval.to_h)
    end
  end

  env, words = ARGV.partition { |word| word.match?(/\A[A-Z_]+=/) }
  folder, path, boots, *variants = words
  abort "a folder, a path, a number of boots and variants are needed" if variants.empty?
  settling = AgreementSettling.new(folder, path, env.to_h { |one| one.split("=", 2) })
  variants.each { |variant| settling.call(variant, boots.to_i) }
end
