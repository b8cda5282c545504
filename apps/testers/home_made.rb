# frozen_string_literal: true

# A load tester as one writes it in a hurry, with a thread for each connection:
# `ruby home_made.rb PORT REQUESTS CONNECTIONS`.
require "net/http"

port, requests, connections = ARGV.map { |word| Integer(word) }
clock = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC, :microsecond) }
left = Queue.new
requests.times { left << true }
left.close

began = clock.call
threads = Array.new(connections) do
  Thread.new do
    Net::HTTP.start("127.0.0.1", port) do |http|
      seen = []
      while left.pop
        sent = clock.call
        code = http.get("/").code
        seen << [clock.call - sent, code]
      end
      seen
    end
  end
end
seen = threads.flat_map(&:value)
took_s = (clock.call - began) / 1e6

times = seen.map(&:first).sort
puts "per_s #{seen.size / took_s}", "errors #{seen.count { |_, code| code != '200' }}",
     *[50, 90, 99].map { |share| "p#{share} #{times[(times.size - 1) * share / 100]}us" },
     "max #{times.last}us"
