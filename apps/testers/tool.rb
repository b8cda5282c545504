# frozen_string_literal: true

module Testers
  # What a tester has to do: send `requests` over `connections` to the truth server at `port`, from
  # `threads` if it has them, and be done within `limit_s`.
  Load = Struct.new(:port, :requests, :connections, :threads, :limit_s, keyword_init: true) do
    def url
      "http://127.0.0.1:#{port}/"
    end
  end

  # What a tester reports of its load: times in ms. nil: it does not report the figure.
  #   step  the smallest step in which it prints times, in ns
  Report = Struct.new(:per_s, :p50, :p90, :p99, :max, :errors, :step, keyword_init: true)

  # How the life of a tester ended. status: ok, failed, hung (it was killed); memory_kb: its peak.
  Life = Struct.new(:status, :output, :memory_kb, keyword_init: true)

  # A load tester. A subclass has a NAME, a REMEDY for when it is missing, #argv(load), and
  # #read(output) -> Report; it may have an env, and need not be a command that runs one load (see
  # Native).
  class Tool
    NO_ENV = {}.freeze
    ANY = Load.new(port: 0, requests: 1, connections: 1, threads: 1, limit_s: 1).freeze

    def name
      self.class::NAME
    end

    # Raises if it can't run here; the server then ends with the reason as it boots.
    def verify
      return if executable?(command)

      raise "TESTER=#{name} needs #{command}: #{self.class::REMEDY}"
    end

    # The program.
    def command
      argv(ANY).first
    end

    def env
      NO_ENV
    end

    # Whether it can be given a number of requests to send. If not, it is stopped when the server
    # has answered that many.
    def counts?
      true
    end

    # Whether it can be asked for a number of threads.
    def threads?
      false
    end

    # The object that starts it for each load.
    def runner(truth, **options)
      Runner.new(self, truth, **options)
    end

    private

    def executable?(name)
      return File.executable?(name) if name.include?("/")

      ENV.fetch("PATH", "").split(":").any? { |folder| File.executable?(File.join(folder, name)) }
    end

    # The pattern's first group in the text; nil if the text does not match.
    def find(output, pattern)
      output[pattern, 1]
    end

    UNITS_NS = { "us" => 1e3, "ms" => 1e6, "s" => 1e9, "m" => 60e9 }.freeze
    TIME = "([\\d.]+(?:us|ms|s|m))"

    # Converts times with units, { name => "353.00us" or nil }, to fields of a report.
    def in_ms(times)
      values = times.transform_values { |text| text && (number(text) * unit(text) / 1e6) }
      values.merge(step: step(times.values.compact))
    end

    # The finest step of these times: the value of the last digit.
    def step(texts)
      texts.reject { |text| number(text).zero? }.map { |text| last_digit(text) * unit(text) }.min
    end

    def last_digit(text)
      decimals = text[/\.(\d*?)0*(?!\d)/, 1].to_s.size
      10.0**-decimals
    end

    def number(text)
      text[/[\d.]+/].to_f
    end

    def unit(text)
      UNITS_NS.fetch(text[/[a-z]+/])
    end
  end
end
