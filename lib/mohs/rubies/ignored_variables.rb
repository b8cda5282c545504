# frozen_string_literal: true

module Mohs
  module Rubies
    # Finds out which tuning variables (RUBY_GC_HEAP_INIT_SLOTS, RUBY_MN_THREADS) a Ruby does not
    # read: it would silently ignore them, and a variant that sets them would be the same as one
    # that doesn't.
    class IgnoredVariables
      # CRuby takes 0.1 s; no other engine is started.
      TIMEOUT_S = 30

      #: (?env: Hash[String, String], ?capture: _Call?) -> void
      def initialize(env: ENV.to_h, capture: nil)
        @capture = capture || Inventory.capture(env)
        @answers = {}
      end

      # The variables of `env` that `ruby` does not read, each with Ruby's own explanation, nil if
      # it gives none. Each combination is tried once.
      #: (Ruby, Hash[String, String]) -> Hash[String, String?]
      def call(ruby, env)
        tuning = env.select { |name, value| name.match?(Engines::Base::TUNING) && !value.empty? }
        return {} if tuning.empty?

        @answers[[ruby.path, tuning]] ||= ask(ruby, Engines.of(ruby), tuning)
      end

      private

      def ask(ruby, engine, tuning)
        args = engine.tuning_probe or return engine.ignored(tuning, "")
        result = @capture.call(ruby.command(env: tuning, args:), timeout_s: TIMEOUT_S)
        return {} unless result.success? # its boot will report the problem

        ignored = engine.ignored(tuning, "#{result.stdout}\n#{result.stderr}")
        ignored.transform_values { |line| line&.sub(FlagTrial::PREFIX, "") }
      end
    end
  end
end
