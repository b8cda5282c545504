# frozen_string_literal: true

require "rbconfig"

module Mohs
  module Calibration
    # One comparison as a person makes it: `mohs compare A B --json` in its own process.
    class Live
      METRICS = %i[throughput_per_s cpu_us_per_request latency_p50_ms].freeze

      # Time beyond the budget: boots, bundles, other mohs on this machine.
      GRACE_S = 600

      # Printed for a wait that does not count.
      WAITED = "taking turns with it"

      #: (app: String, ruby: String, budget_s: Integer, folder: String, ?shield: bool) -> void
      def initialize(app:, ruby:, budget_s:, folder:, shield: false)
        @app = app
        @ruby = ruby
        @budget_s = budget_s
        @shield = shield
        @env = { "XDG_DATA_HOME" => folder, "MOHS_DATABASE_URL" => nil }
      end

      # candidate: as typed. Returns the result, with the differences of every cohort; wall_s: from
      # the command to the verdict or, if it had to wait for another mohs, of its cohorts alone.
      #: (String, String, rounds: Integer?) -> Hash[Symbol, untyped]
      def call(name, candidate, rounds: nil)
        started = Clock.mono_ns
        said = Process::Capture.call(command(candidate), timeout_s: @budget_s + GRACE_S)
        wall_s = (Clock.mono_ns - started) / 1e9
        raise Error, "mohs compare failed:\n#{said.stderr}" if said.timed_out || said.stdout.empty?

        document = JSON.parse(said.stdout, symbolize_names: true)
        wall_s -= document.dig(:cohorts, :alone_s).to_f # it comes after the verdict
        wall_s = document.dig(:cohorts, :seconds) if said.stderr.include?(WAITED)
        { kind: "live", case: name, rounds:, wall_s:, **summary(document) }
      end

      private

      def command(candidate)
        mohs = File.join(Mohs.root, "bin", "mohs")
        options = ["--budget", "#{@budget_s}s", "--json", *("--shield" if @shield)]
        Process::Command.new(argv: [mohs, "compare", @ruby, candidate, "--app", @app, *options],
                             env: @env)
      end

      def summary(document)
        verdict = document[:verdict]
        cpu = document[:metrics].find { |line| line[:name] == "cpu" }
        seen = document[:observations]
        { outcome: verdict[:outcome], state: document[:cohorts][:state],
          interval: verdict[:interval], cpu: cpu[:interval], reasons: verdict[:reasons],
          foreign: document.dig(:host, :noise, :foreign_cpu_share),
          pace: document.dig(:cohorts, :spread, :pace),
          seconds: seen.map { |one| one[:seconds] },
          differences: seen.map { |one| one[:differences].values_at(*METRICS) } }
      end
    end
  end
end
