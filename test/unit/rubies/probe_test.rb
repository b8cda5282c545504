# frozen_string_literal: true

require "test_helper"
require_relative "no_start_test"

module Mohs
  class ProbeTest < TestCase
    include RubyFacts
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-rubies"

    # Answers by argv without the path; remembers every command.
    def probe(answers, env: {}, **options)
      @commands = []
      capture = lambda do |command, timeout_s:|
        @commands << command
        assert_operator timeout_s, :>=, 60
        key = command.argv.drop(1).map { |word| word == Rubies::Probe::SCRIPT ? :identity : word }
        found = answers.fetch(key.first) { answer(code: 1, stderr: "invalid option #{key.first}") }
        found.respond_to?(:call) ? found.call(command) : found
      end
      with_files("opt/r-1/bin/ruby" => "binary", **options.fetch(:files, {})) do |root|
        yield Rubies::Probe.new(env:, capture:, neighbours: []).call("#{root}/opt/r-1/bin/ruby",
                                                                     source: "chruby"), root
      end
    end

    test "a Ruby is described by what it prints" do
      output = identity(version: "3.1.2", description: "ruby 3.1.2p20 (2022)", configure: "--a",
                      rubygems: "3.3.15")
      probe({ identity: answer("noise\n#{output}") }) do |ruby|
        assert_equal ["3.1.2", "3.1.2", "ruby", "--a", "3.3.15", "chruby", :ok],
                     [ruby.name, ruby.version, ruby.engine, ruby.configure, ruby.rubygems,
                      ruby.source, ruby.state]
        assert_nil ruby.reason
        assert_predicate ruby, :frozen?
      end
    end

    test "the digest is that of what it runs" do
      probe({ identity: answer(identity) }) do |ruby|
        assert_equal Digest::SHA256.hexdigest(Digest::SHA256.digest("binary")), ruby.digest
      end
    end

    test "the files that decide its facts are those that it names and those that are digested" do
      jar = { "opt/r-1/lib/jruby.jar" => "" }
      output = identity(engine: "jruby", version: "9.4", language: "3.1.4", files: "/a:/b")
      probe({ identity: answer(output) }, files: jar) do |ruby, root|
        assert_equal ["/a", "/b", "#{root}/opt/r-1/lib/jruby.jar"], ruby.files
      end
    end

    test "flags are taken that change the description, the second word for one JIT is not" do
      plain = "ruby 3.3.8 (2025) +PRISM [x]"
      jit = ->(name) { answer("ruby 3.3.8 (2025) +#{name} +PRISM [x]\n") }
      answers = { identity: answer(identity(version: "3.3.8", description: plain)),
                  "--yjit" => jit.call("YJIT"),
                  "--rjit" => jit.call("RJIT"), "--mjit" => answer("#{plain}\n"),
                    "--jit" => jit.call("YJIT") }
      probe(answers) { |ruby| assert_equal %w[--yjit --rjit], ruby.flags }
    end

    test "a flag under which the Ruby fails is not taken" do
      answers = { identity: answer(identity), "--yjit" => answer("ruby 3.4.5 +YJIT", code: 1),
                  "--mjit" => answer("ruby 3.4.5 +MJIT", timed_out: true) }
      probe(answers) { |ruby| assert_empty ruby.flags }
    end

    test "one that does not start is listed with the reason" do
      probe({ identity: answer(stderr: "cannot execute: Exec format error\n",
                               code: 126) }) do |ruby|
        assert_equal :broken, ruby.state
        assert_equal "does not start: cannot execute: Exec format error", ruby.reason.to_s
        assert_equal "r-1", ruby.name
        assert_equal 1, @commands.size
      end
    end

    test "an engine that mohs cannot start is listed so" do
      probe({ identity: answer(identity(engine: "rubinius")) }) do |ruby|
        assert_equal :broken, ruby.state
        assert_includes ruby.reason.summary, "unknown engine rubinius"
      end
    end

    test "a CRuby that is older than mohs supports says so, and is not asked for its flags" do
      probe({ identity: answer(identity(version: "1.9.3")) }) do |ruby|
        assert_equal :broken, ruby.state
        assert_match(/2\.0 .*1\.9\.3/, ruby.reason.to_s)
        assert_equal ["ruby_too_old", { oldest: "2.0", found: "1.9.3" }], ruby.reason.cause
        assert_equal 1, @commands.size
      end
    end

    test "the oldest CRuby that mohs supports, and a JRuby of its own version, are not too old" do
      probe({ identity: answer(identity(version: "2.0.0")) }) { |ruby| assert_predicate ruby, :ok? }
      jruby = identity(engine: "jruby", version: "9.1.17.0", language: "2.3.3")
      probe({ identity: answer(jruby) }) { |ruby| assert_predicate ruby, :ok? }
    end

    test "a newer Java at hand is used where the Ruby wants one" do
      java = { "jdk/bin/java" => "", "jdk/release" => "JAVA_VERSION=\"99.0.1\"\n" }
      with_files(java) do |root|
        File.chmod(0o755, "#{root}/jdk/bin/java")
        needs = answer(stderr: NoStartTest::OLD_JAVA.sub("65.0", "143.0"), code: 1)
        output = answer(identity(engine: "jruby", version: "10.0.2.0", language: "3.4.2",
                               description: "jruby 10 +jit"))
        chooses = ->(command) { command.env["JAVA_HOME"] == "#{root}/jdk" ? output : needs }
        probe({ identity: chooses }, env: { "JAVA_HOME" => "#{root}/jdk" }) do |ruby|
          assert_equal({ "JAVA_HOME" => "#{root}/jdk" }, ruby.launch_env)
          assert_match(/Java 99/, ruby.note)
          assert_equal "jruby-10.0.2.0", ruby.name
        end
      end
    end

    test "a Ruby that starts keeps its Java whatever it warns of" do
      output = answer(identity(engine: "jruby", version: "9.4"),
                      stderr: "warning: JAVA_HOME is odd")
      probe({ identity: output }) { |ruby| assert_equal [{}, nil], [ruby.launch_env, ruby.note] }
    end

    test "without such a Java it is broken and says which is needed" do
      needs = answer(stderr: NoStartTest::OLD_JAVA.sub("65.0", "943.0"), code: 1)
      probe({ identity: needs }) do |ruby|
        assert_said(ruby.reason.summary)
      end
    end
  end
end
