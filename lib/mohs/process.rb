# frozen_string_literal: true

module Mohs
  # Spawns, groups and ends processes; knows nothing about Ruby servers.
  module Process
    # What other programs wrote, as text: it may be in any encoding, and cut in the middle of a
    # character.
    module Text
      #: (String) -> String
      def self.utf8(bytes) = bytes.dup.force_encoding(Encoding::UTF_8).scrub("?")
    end

    # What a child starts from. Our own Ruby, RubyGems and Bundler settings would otherwise reach
    # every interpreter that we measure: RUBYOPT from `bundle exec` alone stops most of them.
    module Environment
      # RUBYOPT, RUBYLIB, RUBY_YJIT_ENABLE, ...; GEM_HOME, GEM_PATH; BUNDLE_GEMFILE, BUNDLER_ORIG_*,
      # ...; options of any engine (JRUBY_OPTS, TRUFFLERUBYOPT); and MOHS_*, which may hold a
      # database password.
      OURS = /\A(RUBY|GEM_|BUNDLE|[A-Z]+RUBY_?OPTS?\z|MOHS_)/

      # `variables` without what belongs to the Ruby that runs mohs.
      #: (Hash[String, String]) -> Hash[String, String]
      def self.clean(variables) = variables.reject { |name, _| name.match?(OURS) }
    end

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

    # How a command ended: by an exit code, or by a signal; the other is nil.
    ExitStatus = Struct.new(:code, :signal, keyword_init: true) do
      # From the status word of wait(2): the low seven bits are the signal, the next byte the code.
      #: (Integer) -> ExitStatus
      def self.from_wait(word)
        signal = word & 0x7f
        signal.zero? ? new(code: (word >> 8) & 0xff).freeze : new(signal:).freeze
      end

      #: () -> bool
      def success? = code == 0 # rubocop:disable Style/NumericPredicate -- code may be nil

      #: () -> String
      def to_s = signal ? "killed by SIG#{Signal.signame(signal) || signal}" : "exit #{code}"
    end
  end
end
