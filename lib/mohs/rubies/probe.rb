# frozen_string_literal: true

require "digest"

module Mohs
  module Rubies
    # Identifies one executable by running it, and finds the flags it accepts by trying them.
    class Probe
      SCRIPT = File.expand_path("../inside/identity.rb", __dir__)

      # TruffleRuby took 12 s on an idle machine with two cores and 40 s on a busy one; JRuby 10's
      # first start took 13 s, because it archives its classes then.
      TIMEOUT_S = 90
      FACT = /^mohs:(\w+)\t(.*)$/
      TOKEN = /\+(\w+)/

      #: (env: Hash[String, String], capture: _Call, ?neighbours: Array[String]) -> void
      def initialize(env:, capture:, neighbours: [])
        @env = env
        @capture = capture
        @neighbours = neighbours
      end

      # The Ruby at `path`; if it does not start or is not supported, it is :broken, with the
      # reason.
      #: (String, source: String) -> Ruby
      def call(path, source:)
        result, java = start(path)
        facts = facts(result)
        return broken(path, source, NoStart.explain(result, timeout_s: TIMEOUT_S)) if facts.empty?

        unsupported = stranger(facts) || Engines.named(facts["engine"]).too_old(facts)
        return broken(path, source, unsupported) if unsupported

        complete(build(path, source, facts, java))
      end

      private

      # Runs the Ruby; if it needs another Java than the one it finds, runs it again with an
      # installed one.
      def start(path)
        result = identify(path, {})
        java = java_for(result.stdout + result.stderr) if facts(result).empty?
        java ? [identify(path, { "JAVA_HOME" => java.home }), java] : [result, nil]
      end

      def java_for(output)
        needed = NoStart.java_needed(output) || (NoStart.java_missing?(output) ? 0 : nil)
        needed && Java.all(@env, rubies: @neighbours).find { |java| java.version >= needed }
      end

      # Empty unless the script ran to its end.
      def facts(result)
        found = result.stdout.scan(FACT).to_h
        found.key?("rubygems") ? found : {}
      end

      def identify(path, env) = run([path, SCRIPT], env)

      def run(argv, env) = @capture.call(Process::Command.new(argv:, env:), timeout_s: TIMEOUT_S)

      def stranger(facts)
        return if Engines.supports?(facts["engine"])

        known = Engines.names.join(", ")
        Reason.new(summary: "unknown engine #{facts['engine']} (known: #{known})",
                   code: "engine_unknown", values: { engine: facts["engine"] })
      end

      def broken(path, source, reason)
        Ruby.new(name: Naming.guess(path), path:, engine: Naming.guess_engine(path), version: "",
                 language: "", flags: [], state: :broken, reason:, launch_env: {}, source:).freeze
      end

      def build(path, source, facts, java)
        engine = Engines.named(facts["engine"])
        version = engine.version(facts, path)
        reported = facts.transform_keys(&:to_sym).slice(*Ruby.members)
        Ruby.new(**reported, name: Naming.of(facts["engine"], version), path:, version:, source:,
                         language: engine.language(facts),
                         files: facts.fetch("files", "").split(":"),
                         state: :ok, flags: [],
                         launch_env: java ? { "JAVA_HOME" => java.home } : {},
                         note: java && "runs on the Java #{java.version} in #{java.home}")
      end

      def complete(ruby)
        engine = Engines.of(ruby)
        ruby.flags = flags(ruby, engine)
        digested = [File.realpath(ruby.path), *engine.identity_files]
        ruby.files |= engine.identity_files
        digests = digested.map { |file| Digest::SHA256.file(file).digest }
        ruby.digest = Digest::SHA256.hexdigest(digests.join)
        ruby.freeze
      end

      # A flag with the same effect as an earlier one (--jit, from 3.1 on) is not a separate
      # variant.
      def flags(ruby, engine)
        seen = [tokens(ruby.description)]
        engine.candidate_flags.select do |flag|
          result = run([ruby.path, *engine.flag_probe(flag)], ruby.launch_env)
          reported = tokens(result.stdout)
          result.success? && !seen.include?(reported) && seen.push(reported)
        end
      end

      def tokens(description) = description.scan(TOKEN).flatten.sort
    end
  end
end
