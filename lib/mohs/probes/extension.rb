# frozen_string_literal: true

require "digest"
require "fileutils"
require "securerandom"

module Mohs
  module Probes
    # C that the attestation of an engine loads into the measured server, for what the engine shows
    # to C alone: compiled once for each Ruby, into the cache (docs/adr/0011).
    class Extension
      SCRIPT = File.expand_path("../inside/compile.rb", __dir__)
      FOLDER = "inside"

      # It took 0.2 s.
      LIMIT_S = 10
      DIGITS = 16

      # env: says where the cache is.
      #: (ruby: Rubies::Ruby, ?env: Hash[String, String], ?capture: _Call) -> void
      def initialize(ruby:, env: ENV.to_h, capture: Process::Capture)
        @ruby = ruby
        @env = env
        @capture = capture
      end

      # The compiled file; nil if the engine has no use for one, or it can't be compiled: without a
      # compiler, say, or Ruby's headers, or room in the cache. Servers run it as us, so nobody else
      # may have a hand in it. Found out once: each trial of a run would wait for a compiler that
      # hangs.
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
        path if !PathWalk.weakness(path) && (File.exist?(path) || compiled?(source, path))
      rescue SystemCallError
        nil
      end

      # Another trial may be doing the same: whoever comes last replaces what is alike. Whoever can
      # write to the compiler's temporary folder decides what it assembles.
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
