# frozen_string_literal: true

require "test_helper"

module Mohs
  class RubyTest < TestCase
    include RubyFacts

    test "a command has flags, what is required, the script and its arguments, in this order" do
      command = ruby.command(flags: ["--yjit"], requires: ["bundler/setup"], script: "/g/puma",
                             args: ["-w", "2"], chdir: "/app")
      assert_equal ["/rubies/3.4.5/bin/ruby", "--yjit", "-rbundler/setup", "/g/puma", "-w", "2"],
                   command.argv
      assert_equal "/app", command.chdir
    end

    test "a command may have no script" do
      assert_equal ["/rubies/3.4.5/bin/ruby", "-e", "p 1"], ruby.command(args: ["-e", "p 1"]).argv
    end

    test "the environment given lies over what the Ruby needs to start" do
      jruby = ruby("10.0.2.0", engine: "jruby", launch_env: { "JAVA_HOME" => "/java", "A" => "1" })
      assert_equal({ "JAVA_HOME" => "/java", "A" => nil, "B" => "2" },
                   jruby.command(env: { "A" => nil, "B" => "2" }).env)
    end

    test "versions order Rubies, one that cannot be read is the oldest" do
      assert_operator ruby("3.4.10").gem_version, :>, ruby("3.4.9").gem_version
      assert_equal Gem::Version.new("0"), ruby("nightly build", engine: "truffleruby").gem_version
    end

    test "what the flags promise about the JIT is asked of the engine" do
      assert_equal "yjit", ruby.expects_jit(["--yjit"])
      assert_nil ruby.expects_jit([])
    end

    test "a broken Ruby is not ok" do
      refute_predicate ruby(state: :broken), :ok?
      assert_predicate ruby, :ok?
    end
  end
end
