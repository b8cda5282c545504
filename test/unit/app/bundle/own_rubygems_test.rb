# frozen_string_literal: true

require "test_helper"

module Mohs
  class OwnRubygemsTest < TestCase
    include RubyFacts

    def own(folder, version: "2.7.4", rubygems: "3.1.6", capture: nil)
      App::Bundle::OwnRubygems.new(ruby: ruby(version, rubygems:), folder:,
                                   capture: capture || ->(*, **) { flunk "runs something" })
    end

    test "a Ruby with a recent RubyGems keeps it" do
      kept = own("/c", version: "3.3.8", rubygems: "3.5.22")
      refute_predicate kept, :needed?
      assert_predicate kept, :ready?
      assert_empty kept.env
      assert_nil kept.version
      assert_nil kept.install
    end

    test "a Ruby with an old RubyGems gets the path of the other" do
      [own("/c"), own("/c", version: "3.1.2", rubygems: "3.3.15")].each do |old|
        assert_equal({ "RUBYLIB" => "/c/rubygems-3.4.22/lib:/c/rubygems-3.4.22/bundler/lib" },
                     old.env)
        refute_predicate old, :ready?
      end
    end

    test "a Ruby before 2.6 gets the last one that runs on it, with a Bundler" do
      %w[2.4.10 2.5.9 2.6.0dev].zip(%w[2.6.14.4 2.7.6.3 3.0.0]) do |version, rubygems|
        assert_equal "/c/rubygems-3.3.27/lib:/c/rubygems-3.3.27/bundler/lib",
                     own("/c", version:, rubygems:).env["RUBYLIB"], version
      end
      assert_equal "3.4.22", own("/c", version: "2.6.2", rubygems: "3.0.3").version
      %w[2.0.0 2.2.10].each do |version|
        assert_equal "2.7.11", own("/c", version:, rubygems: "2.0.14").version
      end
    end

    test "another engine keeps its own RubyGems" do
      jruby = ruby("9.3.15.0", engine: "jruby", language: "2.6.8", rubygems: "3.2.29")
      refute_predicate App::Bundle::OwnRubygems.new(ruby: jruby, folder: "/c"), :needed?
    end

    test "it is fetched once, by the Ruby that runs mohs" do
      with_files do |root|
        runs = 0
        fetch = lambda do |command, timeout_s:| # rubocop:disable Lint/UnusedBlockArgument
          runs += 1
          FileUtils.mkdir_p("#{command.chdir}/gems/rubygems-update-3.4.22/lib")
          File.write("#{command.chdir}/gems/rubygems-update-3.4.22/lib/rubygems.rb", "x")
          assert_equal [Gem.ruby, "-S", "gem", "install", "rubygems-update", "-v", "3.4.22"],
                       command.argv.first(7)
          answer
        end
        2.times { assert_nil own("#{root}/c", capture: fetch).install }
        assert_equal ["rubygems-3.4.22"], Dir.children("#{root}/c")
        assert_path_exists "#{root}/c/rubygems-3.4.22/lib/rubygems.rb"
        assert_equal 1, runs
      end
    end

    test "a failure is returned, and nothing is left behind" do
      with_files do |root|
        output = own("#{root}/c",
                   capture: ->(*, **) { answer("a", stderr: "no network", code: 2) }).install
        assert_equal "ano network", output
        assert_empty Dir.children("#{root}/c")
      end
    end
  end
end
