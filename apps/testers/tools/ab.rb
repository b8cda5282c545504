# frozen_string_literal: true

module Testers
  # -l: a response of another length is not a failure; -r: a failure does not end the load.
  class Ab < Tool
    NAME = "ab"
    REMEDY = "apt install apache2-utils"

    def argv(load)
      ["ab", "-q", "-k", "-l", "-r", "-n", load.requests, "-c", load.connections, load.url]
    end

    def read(output)
      wrong = find(output, /^Non-2xx responses: +(\d+)/).to_i
      failed = find(output, /^Failed requests: +(\d+)/).to_i
      times = { p50: 50, p90: 90, p99: 99, max: 100 }.transform_values do |share|
        found = find(output, /^ +#{share}% +(\d+)/)
        found && "#{found}ms"
      end
      Report.new(per_s: find(output, /^Requests per second: +([\d.]+)/)&.to_f,
                 errors: wrong + failed, **in_ms(times))
    end
  end
end
