# frozen_string_literal: true

# Loads with mohs's own driver: for each line "PORT REQUESTS CONNECTIONS THREADS" of standard input
# it prints what the driver reports of that load. Started by tools/native.rb.
require "mohs"

SHARES = { "p50" => 0.5, "p90" => 0.9, "p99" => 0.99, "max" => 1.0 }.freeze

# As with the other testers, any status counts as answered, and everything but 200 is an error.
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

Mohs::Drivers.fetch("native") # so that the first load does not include the time to load it
$stdout.sync = true
puts "end"
$stdin.each_line do |line|
  run(*line.split.map { |word| Integer(word) })
  puts "end"
end
