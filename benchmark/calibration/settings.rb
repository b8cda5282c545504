# frozen_string_literal: true

module Mohs
  module Calibration
    # The settings of a session, from the environment. `runs`: comparisons of an application with
    # itself; `injected`: comparisons of each other case. `cases`: "aa" (with itself), the per cent
    # that the injected loop costs, or a flag ("yjit"). `practice`: batches of long runs.
    # `minutes`: when the session stops by itself; `budget_s`: for one comparison. `truth_s`:
    # seconds of one measurement of the loop. `shield`: whether to compare with --shield. `note`:
    # remarks on the session.
    class Settings < Struct.new(:app, :ruby, :cases, :runs, :injected, :practice, :minutes,
                                :budget_s, :truth_s, :seed, :shield, :note, :file,
                                keyword_init: true)
      CASES = "aa,1,2,5,20"

      # Cases whose loop has to be measured first.
      PERCENT = /\A\d+(\.\d+)?\z/

      #: (Hash[String, String]) -> Calibration::Settings
      def self.from(env)
        runs = number(env, "RUNS", 100)
        app = File.expand_path(File.join("..", "..", "apps", env.fetch("APP", "primes")), __dir__)
        app = File.expand_path(env["APP"]) unless File.directory?(app)
        new(app:, ruby: env.fetch("RUBY", RUBY_VERSION), runs:,
            cases: env.fetch("CASES", CASES).split(","),
            injected: number(env, "INJECTED", (runs / 5.0).ceil),
            practice: number(env, "PRACTICE", 2), minutes: number(env, "MINUTES", 30),
            budget_s: number(env, "BUDGET", 90), truth_s: number(env, "TRUTH_S", 25),
            seed: number(env, "SEED", Random.rand(10_000)), shield: env.key?("SHIELD"),
            note: env.fetch("NOTE", nil),
            file: env.fetch("FILE", File.join(FOLDER, "#{File.basename(app)}.json")))
      end

      def self.number(env, name, default)
        text = env.fetch(name, default.to_s)
        return text.to_i if text.match?(/\A\d+\z/)

        raise UsageError, "#{name}=#{text}: write a whole number, #{name}=#{default}"
      end
      private_class_method :number

      #: (**untyped) -> void
      def initialize(**values)
        super
        freeze
      end

      # How many of each unit of work the session needs: { ["live", "aa"] => 100, ... }.
      #: () -> Hash[[String, String?], Integer]
      def wanted
        live = cases.to_h { |name| [["live", name], name == "aa" ? runs : injected] }
        truths = percents.empty? ? 0 : 3
        { ["truth", nil] => truths, **live, ["practice", nil] => practice }
      end

      #: () -> Array[String]
      def percents = cases.grep(PERCENT)

      # The command with these settings.
      #: () -> String
      def command
        "rake calibrate APP=#{File.basename(app)} RUBY=#{ruby} RUNS=#{runs} INJECTED=#{injected} " \
          "CASES=#{cases.join(',')} PRACTICE=#{practice} BUDGET=#{budget_s}#{' SHIELD=1' if shield}"
      end
    end
  end
end
