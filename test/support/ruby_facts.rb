# frozen_string_literal: true

module Mohs
  # What Rubies report about themselves, for tests that start none.
  module RubyFacts
    # A result of Process::Capture.
    #: (?String, ?stderr: String, ?code: Integer, ?timed_out: bool) -> Process::Capture::Result
    def answer(stdout = "", stderr: "", code: 0, timed_out: false)
      status = timed_out ? Process::ExitStatus.new(signal: 9) : Process::ExitStatus.new(code:)
      Process::Capture::Result.new(stdout:, stderr:, status:, timed_out:)
    end

    # What inside/identity.rb prints.
    #: (**String) -> String
    def identity(engine: "ruby", version: "3.4.5", language: version,
                 description: "ruby #{language} (2025) [x]", **facts)
      { description:, engine:, version:, language:, executable: "x", configure: "",
        gem_abi: "3.4.0",
        gem_platform: "x86_64-linux", rubygems: "3.6.9", libcrypto: "",
                      **facts }.map { |key, value| "mohs:#{key}\t#{value}\n" }.join
    end

    #: (?String, **untyped) -> Rubies::Ruby
    def ruby(version = "3.4.5", engine: "ruby", language: version, **facts)
      Rubies::Ruby.new(name: Rubies::Naming.of(engine, version),
                       path: "/rubies/#{version}/bin/ruby", engine:, version:,
                       language:, description: "#{engine} #{version}", digest: "d" * 64,
                         configure: "", flags: [],
                       state: :ok, launch_env: {}, rubygems: "3.6.9", gem_platform: "x86_64-linux",
                              libcrypto: "/usr/lib/libcrypto.so.3", files: [], source: "path",
                       **facts).freeze
    end
  end
end
