# frozen_string_literal: true

require "test_helper"

module Mohs
  class NamingTest < TestCase
    include RubyFacts

    def version(engine, version, description: "", path: "/opt/rubies/x/bin/ruby")
      facts = { "version" => version, "description" => description }
      Rubies::Engines.named(engine).version(facts, path)
    end

    test "CRuby is called by its version, without patch level, with what it is a preview of" do
      assert_equal "3.1.2",
                   version("ruby", "3.1.2",
                           description: "ruby 3.1.2p20 (2022-04-12 revision 4491bb740a)")
      assert_equal "3.5.0dev",
                   version("ruby", "3.5.0",
                           description: "ruby 3.5.0dev (2025-01-01 master 1) +PRISM")
      assert_equal "3.5.0preview1",
                   version("ruby", "3.5.0", description: "ruby 3.5.0preview1 (2025-04-18 master)")
      assert_equal "3.4.5", Rubies::Naming.of("ruby", "3.4.5")
    end

    test "the language of a development version is older than that of the release" do
      dev = { "language" => "2.5.0", "description" => "ruby 2.5.0dev (2017-10-10 trunk 60143)" }
      language = Rubies::Engines.named("ruby").language(dev)
      assert_equal "2.5.0dev", language
      assert_operator Gem::Version.new(language), :<, Gem::Version.new("2.5.0")
      jruby = { "language" => "3.4.2", "description" => "jruby 10.0.2.0 (3.4.2)" }
      assert_equal "3.4.2", Rubies::Engines.named("jruby").language(jruby)
    end

    test "the other engines are called by theirs" do
      assert_equal "9.4.14.0", version("jruby", "9.4.14.0")
      assert_equal "24.1.1", version("truffleruby", "24.1.1")
      assert_equal "jruby-9.4.14.0", Rubies::Naming.of("jruby", "9.4.14.0")
    end

    test "a TruffleRuby that does not know its version is called as its folder is" do
      odd = "0.0-e9e59f4f"
      assert_equal "25.0.0",
                   version("truffleruby", odd, path: "/opt/rubies/truffleruby-25.0.0/bin/ruby")
      assert_equal "24.2.0",
                   version("truffleruby", odd, path: "/r/truffleruby+graalvm-24.2.0/bin/ruby")
      assert_equal odd, version("truffleruby", odd, path: "/opt/mine/bin/ruby")
    end

    test "one that does not start is called as its folder is, or by its path" do
      assert_equal "jruby-10.0.2.0", Rubies::Naming.guess("/opt/rubies/jruby-10.0.2.0/bin/ruby")
      assert_equal "3.2.1", Rubies::Naming.guess("/home/me/.rbenv/versions/3.2.1/bin/ruby")
      assert_equal "2.7.4", Rubies::Naming.guess("/opt/rubies/ruby-2.7.4/bin/ruby")
      assert_equal "/usr/bin/ruby", Rubies::Naming.guess("/usr/bin/ruby")
      assert_equal "jruby", Rubies::Naming.guess_engine("/opt/rubies/jruby-10.0.2.0/bin/ruby")
      assert_equal "ruby", Rubies::Naming.guess_engine("/opt/rubies/ruby-2.7.4/bin/ruby")
    end

    test "two of one version are told apart by who found them" do
      found = [ruby("3.4.5"), ruby("3.4.5", source: "rbenv"), ruby("3.4.5", source: "rbenv"),
               ruby("3.1.2")]
      names = Rubies::Naming.distinguish(found).map(&:name)
      assert_equal %w[3.4.5 3.4.5-rbenv 3.4.5-rbenv-2 3.1.2], names
    end
  end
end
