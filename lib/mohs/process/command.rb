# frozen_string_literal: true

module Mohs
  module Process
    # What to start, as data. `env` is laid over the spawner's base; a value of nil unsets. The
    # executable is looked up in the PATH that the command itself will have.
    Command = Struct.new(:argv, :env, :chdir, keyword_init: true) do
      #: (argv: Array[String], ?env: Hash[String, String?], ?chdir: String?) -> void
      def initialize(argv:, env: {}, chdir: nil)
        raise ArgumentError, "a command needs an executable" if argv.empty?

        super(argv: argv.map(&:to_s).freeze, env: env.dup.freeze, chdir:)
        freeze
      end

      # The command as it could be typed, for messages and provenance; never run.
      #: () -> String
      def to_s
        assignments = env.map { |name, value| value ? "#{name}=#{value}" : "-u #{name}" }
        [*assignments, *argv].join(" ")
      end
    end
  end
end
