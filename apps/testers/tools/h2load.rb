# frozen_string_literal: true

module Testers
  # Over HTTP/1.1. Prints the shortest, longest and mean time, and no quantiles.
  class H2load < Tool
    NAME = "h2load"
    REMEDY = "apt install nghttp2-client"

    def argv(load)
      ["h2load", "--h1", "-t", load.threads, "-c", load.connections, "-n", load.requests, load.url]
    end

    def threads?
      true
    end

    def read(output)
      shortest, longest = output.match(/^time for request: +#{TIME} +#{TIME}/)&.captures
      failed = find(output, /^requests: .*?(\d+) failed/).to_i
      Report.new(per_s: find(output, %r{^finished in .*?, ([\d.]+) req/s})&.to_f, errors: failed,
                 **in_ms(shortest: shortest, max: longest).reject { |key, _| key == :shortest })
    end
  end
end
