# frozen_string_literal: true

module Testers
  # What a tester has to do: send `requests` over `connections` to the truth server at `port`, from
  # `threads` where it has them, and be done in `limit_s`.
  Load = Struct.new(:port, :requests, :connections, :threads, :limit_s, keyword_init: true) do
    def url
      "http://127.0.0.1:#{port}/"
    end
  end

  # What a tester says of its load: times in ms, printed as a text of them. nil: it does not say.
  #   step  the smallest step in which it prints times, in ns
  Report = Struct.new(:per_s, :p50, :p90, :p99, :max, :errors, :step, keyword_init: true)

  # How the life of a tester ended. status: ok, failed, hung (it was killed); memory_kb: its peak.
  Life = Struct.new(:status, :output, :memory_kb, keyword_init: true)

  # A load tester. A member has a NAME, a REMEDY for where it is missing, #argv(load), and
  # #read(output) -> Report; it may have an env, and be no command for one load (see Native).
  class Tool
    NO_ENV = {}.freeze
    ANY = Load.new(port: 0, requests: 1, connections: 1, threads: 1, limit_s: 1).freeze

    def name
      self.class::NAME
    end

    # Raises if it can't run here: a server that ends with the reason as it boots.
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

    # Whether it can be told to send a number of requests. Else it is stopped when the server has
    # answered so many.
    def counts?
      true
    end

    # Threads that it can be asked for.
    def threads?
      false
    end

    # What starts it for each load.
    def runner(truth, **options)
      Runner.new(self, truth, **options)
    end

    private

    def executable?(name)
      return File.executable?(name) if name.include?("/")

      ENV.fetch("PATH", "").split(":").any? { |folder| File.executable?(File.join(folder, name)) }
    end

    # Of a text, the first group of the pattern; nil if it is not there.
    def find(output, pattern)
      output[pattern, 1]
    end

    UNITS_NS = { "us" => 1e3, "ms" => 1e6, "s" => 1e9, "m" => 60e9 }.freeze
    TIME = "([\\d.]+(?:us|ms|s|m))"

    # Times with their units, { name => "353.00us" or nil }, as fields of a report.
    def in_ms(times)
      values = times.transform_values { |text| text && (number(text) * unit(text) / 1e6) }
      values.merge(step: step(times.values.compact))
    end

    # The finest step of these: that of the last digit that says something.
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
