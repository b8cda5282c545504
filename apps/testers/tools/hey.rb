# frozen_string_literal: true

module Testers
  class Hey < Tool
    NAME = "hey"
    REMEDY = "apt install hey, or see https://github.com/rakyll/hey"
    GOOD = (200..299)

    def argv(load)
      ["hey", "-n", load.requests, "-c", load.connections, "-cpus", load.threads, load.url]
    end

    def threads?
      true
    end

    def read(output)
      statuses = output.scan(/^  \[(\d+)\]\t(\d+) responses$/).map { |row| row.map(&:to_i) }
      wrong = statuses.reject { |status, _| GOOD.cover?(status) }.sum(&:last)
      broken = output[/^Error distribution:\n(.*)\z/m, 1].to_s.scan(/^  \[(\d+)\]\t/).flatten
      Report.new(per_s: find(output, %r{^ +Requests/sec:\s+([\d.]+)})&.to_f,
                 errors: wrong + broken.sum(&:to_i), **in_ms(times(output)))
    end

    private

    def times(output)
      { p50: /^ +50% in ([\d.]+) secs/, p90: /^ +90% in ([\d.]+) secs/,
        p99: /^ +99% in ([\d.]+) secs/, max: /^ +Slowest:\s+([\d.]+) secs/ }
        .transform_values { |pattern| find(output, pattern)&.concat("s") }
    end
  end
end
