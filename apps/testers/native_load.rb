# frozen_string_literal: true

# Loads by mohs's own driver: for each line "PORT REQUESTS CONNECTIONS THREADS" of standard input it
# prints what the driver says of that load. Started by tools/native.rb.
require "mohs"

SHARES = { "p50" => 0.5, "p90" => 0.9, "p99" => 0.99, "max" => 1.0 }.freeze

# Every status counts as an answer, as of the others; what is no 200 is an error.
def run(port, requests, connections, threads)
  target = Mohs::Load::Target.new(host: "127.0.0.1", port:, connections:,
                                  requests: [Mohs::Load::Request.new(path: "/")])
  driver = Mohs::Drivers.fetch("native").new(targets: [target], threads:, capacity: requests)
  result = driver.run([Mohs::Load::Step.new(count: requests)]).first
  puts "per_s #{result.completed * 1e9 / result.wall_ns}", "errors #{result.errors.values.sum}"
  times = driver.recording(0).quantiles(:service, SHARES.values)
  SHARES.keys.zip(times) { |name, ns| puts "#{name} #{ns}" }
ensure
  driver&.close
end

Mohs::Drivers.fetch("native") # the first load shall not take the time to load it
$stdout.sync = true
puts "end"
$stdin.each_line do |line|
  run(*line.split.map { |word| Integer(word) })
  puts "end"
end
