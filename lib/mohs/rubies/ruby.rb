# frozen_string_literal: true

module Mohs
  module Rubies
    # One interpreter on this machine. `name` is what the person types, "3.4.5" or "jruby-10.0.2.0";
    # `version` the engine's own and `language` the Ruby it speaks ("3.4.2" for that JRuby); `flags`
    # those that were seen to do something; `digest` SHA-256 of what it runs; `gem_abi`,
    # `gem_platform` and `rubygems` say which gems it takes; `launch_env` what it needs to start,
    # JAVA_HOME say, and `note` tells the person so; `reason` is why it is :broken, and what to do.
    Ruby = Struct.new(
      :name, :path, :engine, :version, :language, :description, :digest, :configure, :flags,
        :state, :reason, :note,
      :gem_abi, :gem_platform, :rubygems, :launch_env, :source, keyword_init: true
    ) do
      #: () -> bool
      def ok? = state == :ok

      # To order versions by; a version that RubyGems cannot read is the oldest.
      #: () -> Gem::Version
      def gem_version
        Gem::Version.correct?(version) ? Gem::Version.new(version) : Gem::Version.new("0")
      end

      # What starts `script` (nil: none, as with `args: ["-e", ...]`) under this Ruby. `requires`
      # are loaded before it; `env` is laid over what the Ruby itself needs.
      #: (?flags: Array[String], ?env: Hash[String, String?], ?requires: Array[String], ?script: String?, ?args: Array[String], ?chdir: String?) -> Process::Command
      def command(flags: [], env: {}, requires: [], script: nil, args: [], chdir: nil)
        argv, engine_env = Engines.of(self).launch(flags:, requires:, script:, args:)
        Process::Command.new(argv:, env: engine_env.merge(launch_env || {}, env), chdir:)
      end

      # What attestation must find in a server started with `flags`; nil where they say nothing
      # about the JIT.
      #: (Array[String]) -> String?
      def expects_jit(flags) = Engines.of(self).expects_jit(flags)
    end
  end
end
