# frozen_string_literal: true

require "digest"
require "fileutils"
require "securerandom"

module Mohs
  module Probes
    # C code that an engine's attestation loads into the measured server, for what the engine shows
    # only to C: compiled once for each Ruby, into the cache (docs/adr/0011).
    class Extension
      SCRIPT = File.expand_path("../inside/compile.rb", __dir__)
      FOLDER = "inside"

      # Compiling took 0.2 s.
      LIMIT_S = 10
      DIGITS = 16

      # env: determines where the cache is.
      #: (ruby: Rubies::Ruby, ?env: Hash[String, String], ?capture: _Call) -> void
      def initialize(ruby:, env: ENV.to_h, capture: Process::Capture)
        @ruby = ruby
        @env = env
        @capture = capture
      end

      # The compiled file; nil if the engine has no use for one, or if it can't be compiled: without
      # a compiler, for example, or Ruby's headers, or space in the cache. Servers run it as our
      # user, so nobody else may be able to change it. Determined only once: otherwise each trial of
      # a run would wait for a compiler that hangs.
      #: () -> String?
      def path
        return @path if defined?(@path)

        @path = compiled
      end

      private

      def compiled
        source = Rubies::Engines.of(@ruby).extension or return
        key = Digest::SHA256.hexdigest(@ruby.digest + File.binread(source))[0, DIGITS]
        name = "#{File.basename(source, '.c')}.so"
        path = File.join(Folders.cache(@env), FOLDER, key, name)
        FileUtils.mkdir_p(File.dirname(path), mode: 0o700)
        path if !PathSafety.weakness(path) && (File.exist?(path) || compiled?(source, path))
      rescue SystemCallError
        nil
      end

      # Another trial may be doing the same: the last one replaces the file by an identical one.
      # TMPDIR is set because whoever can write to the compiler's temporary folder decides what it
      # assembles.
      def compiled?(source, path)
        part = "#{path}.#{SecureRandom.hex(6)}.part"
        env = { "TMPDIR" => File.dirname(path) }
        command = @ruby.command(env:, script: SCRIPT, args: [source, part])
        return false unless @capture.call(command, timeout_s: LIMIT_S).success?

        File.rename(part, path)
        true
      ensure
        FileUtils.rm_f(part) if part
      end
    end
  end
end
