# frozen_string_literal: true

# How much does a server of two processes serve, by the number of connections? They stay with the
# process that accepted them. So many closed loops, each with new connections, with one to three for
# each thread and with as many as a tuning has (Tune::Rules.connections), in turn:
#
#     ruby benchmark/tune/connections.rb 20

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "mohs"
require "tmpdir"
require_relative "exhaustive"
require_relative "waiting_app"

module Mohs
  # Loads one server again and again.
  class ConnectionsBenchmark
    SETTING = "2x2"
    WAITING = 0.25
    LOOP_S = 0.7

    #: (Integer) -> void
    def initialize(loops)
      @loops = loops
    end

    #: () -> void
    def call
      rates = Dir.mktmpdir("mohs-benchmark") do |folder|
        app = WaitingApp.write(folder, WAITING)
        Exhaustive.new(app, limit: "p90 < 20ms", settings: [SETTING], search_s: 0)
                  .served(SETTING) { |trial| rates(trial) }
      end
      rates.each do |connections, all|
        puts "#{SETTING}, #{connections} connections: #{all.sort.map(&:round).join(' ')} requests/s"
      end
    end

    private

    def rates(trial)
      counts = [*[1, 2, 3].map { |times| times * trial.slots }, trial.connections]
      found = Array.new(@loops) { counts.map { |count| rate(trial.target, count) } }
      counts.zip(found.transpose)
    end

    def rate(target, connections)
      target = Load::Target.new(**target.to_h, connections:, max_connections: connections)
      driver = Drivers.fetch("native").new(targets: [target], cpus: [])
      step = Load::Step.new(targets: [0], duration_ns: (LOOP_S * 1e9).round)
      Load.rate_per_s(driver.run([step]))
    ensure
      driver&.close
    end
  end
end

Mohs::ConnectionsBenchmark.new(Integer(ARGV.fetch(0, "20"))).call
