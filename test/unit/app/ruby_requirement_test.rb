# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class RubyRequirementTest < TestCase
      include RubyFacts
      include Screens

      # The golden file of its sentences (Screens#assert_said).
      SAID = "said-app"

      def self.gemspec(text) = { "x.gemspec" => "  s.required_ruby_version = #{text}" }

      # Files => Rubies that they allow, of these: CRuby by version, others with what they follow.
      RUBIES = %w[2.7.4 3.1.2 3.3.8 3.4.5 3.5.0 jruby-9.4.14.0 truffleruby-25.0.0].freeze
      LANGUAGES = { "jruby-9.4.14.0" => "3.1.4", "truffleruby-25.0.0" => "3.3.5" }.freeze

      {
        "no line" => [{ gemfile: "gem 'rack'\n" }, RUBIES],
        "an exact version" => [{ gemfile: "ruby \"3.1.2\"\n" }, %w[3.1.2]],
        "two numbers, which mean each of them" => [{ gemfile: "ruby '3.1'\n" },
                                                   %w[3.1.2 jruby-9.4.14.0]],
        "at least" => [{ gemfile: "ruby '>= 3.3'\n" }, %w[3.3.8 3.4.5 3.5.0 truffleruby-25.0.0]],
        "about" => [{ gemfile: "ruby \"~> 3.1\"\n" }, RUBIES - %w[2.7.4]],
        "several" => [{ gemfile: "ruby(\">= 3.1\", '< 3.4') # ok\n" },
                      %w[3.1.2 3.3.8 jruby-9.4.14.0 truffleruby-25.0.0]],
        "an engine" => [
          { gemfile: "ruby '3.1.4', engine: 'jruby', engine_version: '9.4.14.0'\n" },
          %w[jruby-9.4.14.0],
        ],
        "an engine alone" => [{ gemfile: "ruby '>= 3.1', :engine => 'ruby'\n" },
                              %w[3.1.2 3.3.8 3.4.5 3.5.0]],
        "a file" => [{ gemfile: "ruby file: \".ruby-version\"\n", ruby_version: "ruby-3.3.8\n" },
                     %w[3.3.8]],
        "a file read by Ruby" => [
          { gemfile: "ruby File.read('.ruby-version').strip\n", ruby_version: "3.3.8" }, %w[3.3.8],
        ],
        "what only Ruby can tell" => [{ gemfile: "ruby WANTED\n" }, RUBIES],
        "a variable with a default" => [{ gemfile: "ruby ENV[\"WANTED\"] || \">=3.4.3\"\n" },
                                        %w[3.4.5 3.5.0]],
        "a variable that is fetched" => [{ gemfile: "ruby ENV.fetch('WANTED', '3.1.2') # ok\n" },
                                         %w[3.1.2]],
        "a variable that is fetched, with a block" => [
          { gemfile: "ruby(ENV.fetch(\"WANTED\") { \"3.1\" }, engine: \"ruby\")\n" }, %w[3.1.2],
        ],
        "a variable that is set" => [
          { gemfile: "ruby ENV[\"WANTED\"] || \">=3.4.3\"\n", env: { "WANTED" => "3.3.8" } },
          %w[3.3.8],
        ],
        "a variable without a default" => [{ gemfile: "ruby ENV[\"WANTED\"]\n" }, RUBIES],
        "a variable without a default that is set" => [
          { gemfile: "ruby ENV.fetch('WANTED')\n", env: { "WANTED" => "3.3.8" } }, %w[3.3.8],
        ],
        "a variable that chooses" => [
          { gemfile: "ruby ENV['NEXT'] ? '3.4.5' : '3.1.2'\n", env: { "NEXT" => "1" } }, RUBIES,
        ],
        "a variable or else a file" => [
          { gemfile: "ruby ENV[\"WANTED\"] || File.read(\".ruby-version\")\n",
            ruby_version: "3.3.8" }, %w[3.3.8],
        ],
        "a variable that names no version" => [
          { gemfile: "ruby ENV[\"WANTED\"] || \"3.1.2\"\n", env: { "WANTED" => "" } }, RUBIES,
        ],
        "a gemspec" => [
          { gemspecs: gemspec("\">= 3.4\"\n") }, %w[3.4.5 3.5.0],
        ],
        "a gemspec's list" => [
          { gemspecs: gemspec("Gem::Requirement.new('>= 3.1', \"< 3.4\")") },
          %w[3.1.2 3.3.8 jruby-9.4.14.0 truffleruby-25.0.0],
        ],
        "both" => [
          { gemfile: "ruby '< 3.5'\n", gemspecs: gemspec("'>= 3.4'") }, %w[3.4.5],
        ],
        "nonsense" => [{ gemfile: "ruby 'three'\n" }, RUBIES],
      }.each do |what, (texts, allowed)|
        test "reads #{what}" do
          requirements = RubyRequirement.all(env: {}, **texts)
          found = RUBIES.select { |name| requirements.all? { |one| one.allows?(named(name)) } }

          assert_equal allowed, found
        end
      end

      test "it is told as it is written, with its file" do
        texts = { gemfile: "ruby \"~> 3.1\"  # why\n",
                  gemspecs: self.class.gemspec("'>= 3.4' # why\n") }
        variable = RubyRequirement.all(gemfile: "ruby ENV['X'] || '3.4.5'\n",
                                       env: { "X" => "~> 3.3" })

        assert_equal ['ruby "~> 3.1" in the Gemfile',
                      "required_ruby_version '>= 3.4' in x.gemspec"],
                     RubyRequirement.all(**texts).map(&:to_s)
        assert_equal ["ruby ENV['X'] || '3.4.5' (~> 3.3) in the Gemfile"], variable.map(&:to_s)
      end

      test "a requirement that is written in another file is told with the version there" do
        { 'ruby file: ".ruby-version"' => "3.3.8",
          "ruby File.read('.ruby-version').strip" => "3.3.8",
          'ruby file: ".ruby-version", engine: "jruby"' => "3.3" }.each do |line, version|
          found = RubyRequirement.all(gemfile: "#{line}\n", ruby_version: "ruby-#{version}\n")
          assert_said(*found.map(&:to_s))
        end
      end

      test "it is near to another of the one minor version that it names" do
        near = lambda do |gemfile, name|
          RubyRequirement.all(gemfile: "#{gemfile}\n").first.near?(named(name))
        end

        assert near.call('ruby "3.4.7"', "3.4.5")
        assert near.call('ruby "= 3.4.2"', "3.4.5")
        ['ruby "3.3.7"', 'ruby "~> 3.4.7"', 'ruby "3.4.7", "< 4"', 'ruby "3.4.7", engine: "jruby"',
         'ruby "3.4.7", engine: "ruby", engine_version: "3.4.7"'].each do |gemfile|
          refute near.call(gemfile, "3.4.5"), gemfile
        end
        refute near.call('ruby "3.1.7"', "jruby-9.4.14.0")
        refute RubyRequirement.all(gemspecs: self.class.gemspec("'3.4.7'")).first
                              .near?(named("3.4.5"))
      end

      test "its version is the first that it names" do
        { 'ruby "4.0.1"' => "4.0.1", 'ruby ">= 3.2.0", "< 4.1"' => "3.2.0",
          'ruby "3.1"' => "3.1.0" }.each do |gemfile, version|
          found = RubyRequirement.all(gemfile: "#{gemfile}\n").first.version
          assert_equal Gem::Version.new(version), found
        end
      end

      def named(name)
        engine, version = name.match(/\A(?:(\w+)-)?(.+)\z/).captures
        ruby(version, engine: engine || "ruby", language: LANGUAGES.fetch(name, version))
      end
    end
  end
end
