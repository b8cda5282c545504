# frozen_string_literal: true

# Compares the driver with wrk on Debian's nginx, in alternating rounds, and its figures with the
# log of a server that delays as instructed. The server on the first core, the client on the second.
# Prints a table with the goal of each figure, all ratios of one run; writes only to its own
# folders.
#
#     ruby benchmark/driver.rb [rounds] [seconds a round] [parts: footprint cost switching accuracy]

require_relative "../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "mohs"
%w[nginx table floor bench cost footprint switching accuracy].each do |name|
  require_relative "driver/#{name}"
end

rounds = (ARGV[0] || 7).to_i
seconds = (ARGV[1] || 1).to_i
table = Mohs::DriverBenchmark::Table.new
# Footprint first: a fork's memory includes what this process has grown to.
parts = { "footprint" => Mohs::DriverBenchmark::Footprint, "cost" => Mohs::DriverBenchmark::Cost,
          "switching" => Mohs::DriverBenchmark::Switching }
wanted = ARGV.drop(2)
wanted = [*parts.keys, "accuracy"] if wanted.empty?
Mohs::DriverBenchmark::Nginx.open(0) do |server|
  bench = Mohs::DriverBenchmark::Bench.new(server, cpu: 1, rounds:, seconds:)
  parts.slice(*wanted).each_value { |part| part.new(bench).call(table) }
end
Mohs::DriverBenchmark::Accuracy.new(cpu: 1).call(table) if wanted.include?("accuracy")
