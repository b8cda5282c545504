# frozen_string_literal: true

# Do `mohs load` and wrk agree on one server's rate? Both load the same Puma (apps/hello), in turn,
# closed loop with the same connections; the server on the first core, the client on the second.
# Prints each tool's rates, and the ratio of every pair.
#
#     ruby benchmark/agreement.rb [pairs] [seconds]

require "json"
require "tmpdir"
require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"

module Mohs
  # A server of the bundled hello, and two clients that take turns.
  class Agreement
    CONNECTIONS = 4

    #: (pairs: Integer, seconds: Integer) -> void
    def initialize(pairs:, seconds:)
      @pairs = pairs
      @seconds = seconds
      @cpus = Process::CpuSet.plan
    end

    #: () -> void
    def call
      with_server do |trial|
        @url = "http://127.0.0.1:#{trial.target.port}/"
        pairs = Array.new(@pairs) { |index| index.even? ? [wrk, ours] : [ours, wrk].rotate }
        report(pairs)
      end
    end

    private

    def with_server
      Dir.mktmpdir("mohs-agreement") do |folder|
        place = Cohort::Layout::Place.new(cpus: @cpus[:server], worker: 0)
        trial = Trial.new(id: 0, setup:, folder:, place:, spawner: Process::Spawner.new)
        trial.boot
        trial.attest
        trial.check
        yield trial
      ensure
        trial&.stop
      end
    end

    def setup
      notation = Study::Notation.parse(RUBY_VERSION)
      app = App::Folder.load(File.join(Mohs.root, "apps/hello"))
      declaration = { variants: [[nil, notation]], connections: CONNECTIONS }
      study = Study::Builder.new(app:).call(declaration, requests: app.default_requests)
      setup = Trial::Setups.new.for(study, study.variants.first)
      setup.bundle.install
      setup
    end

    def wrk = rate("--driver", "wrk")

    def ours = rate

    def rate(*options)
      command = [RbConfig.ruby, "-r", File.join(Mohs.root, "vendor/bundle/bundler/setup.rb"),
                 "-I", File.join(Mohs.root, "lib"), File.join(Mohs.root, "exe/mohs"), "load", @url,
                 "-c", CONNECTIONS.to_s, "-d", "#{@seconds}s", "--json", *options]
      JSON.parse(capture(command)).fetch("rate_per_s")
    end

    def capture(argv)
      command = Process::Command.new(argv: ["taskset", "-c", @cpus[:driver].first.to_s, *argv])
      Process::Capture.call(command, timeout_s: @seconds + 30).stdout
    end

    def report(pairs)
      { "wrk" => 0, "mohs load" => 1 }.each do |name, column|
        rates = pairs.map { |pair| pair[column] }
        puts format("%-10s %s   mean %d/s, spread (sd) %.1f %%", name, rates.map(&:round).join(" "),
                    Stats::Center.mean(rates), 100 * Stats::Spread.sd(rates) / Stats::Center.mean(rates))
      end
      ratio = Stats::Interval.of_positive(pairs.map { |wrk, ours| ours / wrk })
      puts format("mohs load / wrk: %.3f [%.3f, %.3f], 95 %% over %d pairs", ratio.value, ratio.low,
                  ratio.high, pairs.size)
    end
  end
end

Mohs::Agreement.new(pairs: (ARGV[0] || 8).to_i, seconds: (ARGV[1] || 2).to_i).call
