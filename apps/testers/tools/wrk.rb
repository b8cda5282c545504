# frozen_string_literal: true

module Testers
  # wrk can only be given a duration: it gets the longest one allowed, and is stopped.
  class Wrk < Tool
    NAME = "wrk"
    REMEDY = "apt install wrk"

    def argv(load)
      ["wrk", "-t", load.threads, "-c", load.connections, "-d", "#{load.limit_s}s", "--latency",
       load.url]
    end

    def counts?
      false
    end

    def threads?
      true
    end

    def read(output)
      socket_errors = output[/Socket errors: (.*)/, 1].to_s.scan(/\d+/).sum(&:to_i)
      Report.new(
        per_s: find(output, %r{^Requests/sec: +([\d.]+)})&.to_f,
        errors: find(output, /Non-2xx or 3xx responses: (\d+)/).to_i + socket_errors,
        **in_ms(p50: find(output, /^ +50% +#{TIME}/), p90: find(output, /^ +90% +#{TIME}/),
                p99: find(output, /^ +99% +#{TIME}/),
                max: find(output, /^ +Latency +\S+ +\S+ +#{TIME}/))
      )
    end
  end
end
