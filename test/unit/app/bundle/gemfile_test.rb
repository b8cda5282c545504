# frozen_string_literal: true

require "bundler"
require "test_helper"

module Mohs
  class BundleGemfileTest < TestCase
    include RubyFacts

    # The Gemfile evaluated by Bundler itself: name => [requirement, groups, source's path].
    def evaluate(app_gemfile, server_gems, files = {}, **engine)
      with_files("app/Gemfile" => app_gemfile, **files) do |root|
        text = App::Bundle::Gemfile.compose("#{root}/app/Gemfile", server_gems, **engine)
        File.write("#{root}/Gemfile", text)
        dsl = Bundler::Dsl.new
        dsl.eval_gemfile("#{root}/Gemfile")
        dsl.dependencies.to_h do |gem|
          [gem.name,
           [gem.requirement.to_s, gem.groups,
            gem.source&.expanded_original_path&.to_s&.delete_prefix(root)]]
        end
      end
    end

    SOURCE = "source \"https://rubygems.org\"\n"

    test "the application's gems come with the server's" do
      gems = evaluate("#{SOURCE}gem \"roda\", \"~> 3.1\"\n", { "puma" => ">= 5, < 9" })
      assert_equal(
        { "roda" => ["~> 3.1", [:default], nil], "puma" => [">= 5, < 9", [:default], nil] }, gems
      )
    end

    test "a server that the application declares stays as declared" do
      gems = evaluate("#{SOURCE}gem \"puma\", \"~> 4.0\"\n", { "puma" => ">= 5" })
      assert_equal ["~> 4.0", [:default], nil], gems["puma"]
    end

    test "a gem beside the server's own is narrowed to what the server admits" do
      gems = evaluate("#{SOURCE}gem \"rack\", \">= 2.2\"\n",
                      { "mizuno" => ">= 0.6", "rack" => "~> 2.2" })
      assert_equal [">= 2.2, ~> 2.2", [:default], nil], gems["rack"]
    end

    # Bundler reads a lock's "~> 2.2, ~> 2.2" as one, and takes that for a changed Gemfile.
    test "what the application requires already is not required twice" do
      gems = evaluate("#{SOURCE}gem \"rack\", \"~>2.2\"\ngem \"psych\", \"= 5.2.3\"\n",
                      { "mizuno" => ">= 0.6", "rack" => "~> 2.2" },
                      limits: { "psych" => "= 5.2.3" })
      assert_equal ["~> 2.2", "= 5.2.3"], gems.values_at("rack", "psych").map(&:first)
    end

    test "a server declared for development is available in production too" do
      gems = evaluate("#{SOURCE}group(:development) { gem \"puma\" }\n", { "puma" => ">= 5" })
      assert_equal [">= 0", %i[development default], nil], gems["puma"]
    end

    test "a ruby directive is ignored, also in a Gemfile that the Gemfile evaluates" do
      gems = evaluate("ruby \"1.8.7\"\nruby file: \".ruby-version\"\neval_gemfile \"more.rb\"\n",
                      { "puma" => ">= 5" },
                      { "app/more.rb" => "ruby '1.8.6', engine: 'jruby', engine_version: '1.0'\n" \
                                         "gem 'tilt'\n" })
      assert_equal %w[puma tilt], gems.keys.sort
    end

    test "paths are relative to the application's folder" do
      gems = evaluate("gem \"local\", path: \"vendor/local\"\n", {})
      assert_equal "/app/vendor/local", gems["local"].last
    end

    SUBSTITUTES = { "pg" => ["jdbc-pg", ">= 50"], "mysql2" => ["jdbc-mysql", ">= 50"] }.freeze

    test "an engine has its own gem instead of one that it can't load, in the same groups" do
      gems = evaluate("#{SOURCE}gem \"pg\", \"~> 1.1\", groups: [:default, :db]\ngem \"roda\"\n",
                      {}, substitutes: SUBSTITUTES)
      assert_equal({ "roda" => [">= 0", [:default], nil],
                     "jdbc-pg" => [">= 50", %i[default db], nil] }, gems)
    end

    test "what an application itself has for the engine stays as declared" do
      other = "gem \"pg\", platforms: :jruby\n" # as the Ruby of the tests is not one
      gems = evaluate("#{SOURCE}#{other}gem \"jdbc-pg\", \"~> 61.0\"\n", {},
                      substitutes: SUBSTITUTES)
      assert_equal({ "pg" => ">= 0", "jdbc-pg" => "~> 61.0" }, gems.transform_values(&:first))

      gems = evaluate("#{SOURCE}gem \"pg\"\ngem \"jdbc-pg\", \"~> 61.0\"\n", {},
                      substitutes: SUBSTITUTES)
      assert_equal({ "jdbc-pg" => "~> 61.0" }, gems.transform_values(&:first))
    end

    test "a gem that an engine limits is limited, whoever brings it" do
      assert_equal ["= 5.2.3", [:default], nil],
                   evaluate(SOURCE, {}, limits: { "psych" => "= 5.2.3" })["psych"]
      assert_equal [">= 5, = 5.2.3", [:default], nil],
                   evaluate("#{SOURCE}gem \"psych\", \">= 5\"\n", {},
                            limits: { "psych" => "= 5.2.3" })["psych"]
    end

    test "without a Gemfile there are rack and the server" do
      text = App::Bundle::Gemfile.compose(nil, { "puma" => ">= 5" })
      refute_includes text, "eval_gemfile"
      assert_includes text, "gem \"rack\"\n"
    end

    def note(line, version = "3.4.5", **files)
      gemfile = "source \"x\"\n#{line}\ngem \"y\"\n"
      allowed = App::RubyRequirement.all(gemfile:, **files)
      App::Bundle::Gemfile.note(gemfile, ruby(version), allowed)
    end

    test "there is a note if a line requires another Ruby" do
      ['ruby "3.2.1"', 'ruby file: ".ruby-version"', 'ruby("~> 3.3.0")'].each do |line|
        assert_equal App::Note.of("ruby_line_ignored", line:), note("#{line} # old")
      end
    end

    test "there is no note if this Ruby is required" do
      assert_nil note('ruby "3.4.5"')
      assert_nil note('  ruby ">= 3.1", "< 4"')
      assert_nil note('ruby file: ".ruby-version"', ruby_version: "3.4.5\n")
      assert_nil note('ruby ENV["X"] || ">= 3.4"', env: {})
      assert_nil note("# ruby \"3.2.1\"")
      assert_nil note("gem \"rubyzip\"")
    end

    test "there is a note if another Ruby than the line names is measured, wherever it says so" do
      assert note('ruby file: ".ruby-version"', ruby_version: "4.0.1\n")
      assert note('ruby ENV["X"] || ">= 3.4"', env: { "X" => "3.3.8" })
      assert note('ruby "3.2.1"', gemspecs: { "x.gemspec" => "s.required_ruby_version = '>= 3.4'" })
    end

    test "a version that RubyGems can't read is reported" do
      assert_equal "ruby_line_ignored", note('ruby "ruby-3.4.5"').code
    end
  end
end
