# frozen_string_literal: true

require "test_helper"

# As test/integration/attestation_traps_test.rb, with interpreters and gems that take their time.
class SlowAttestationTrapsTest < Mohs::TestCase
  include Mohs::Attested

  LIMIT_S = 1200

  def self.rubies(pattern) = Dir["/opt/rubies/#{pattern}/bin/ruby"]

  # Flags => JIT, invokedynamic (nil: as this version has it by default).
  JRUBY = {
    [] => ["jit", nil],
    %w[--dev] => ["off", false],
    %w[-Xcompile.invokedynamic=true] => ["jit", true],
    %w[-Xcompile.invokedynamic=false] => ["jit", false],
    %w[-X-C] => ["off", nil],
    %w[-Xcompile.mode=OFF -J-Xmx512m] => ["off", nil],
  }.freeze

  rubies("jruby-*").each do |path|
    JRUBY.each do |flags, (jit, invokedynamic)|
      test "#{path} #{flags.join(' ')} is attested by what JRuby itself has set" do
        attested(path, flags:) do |facts|
          default = Gem::Version.new(facts[:version]) >= Gem::Version.new("10")
          wanted = invokedynamic.nil? ? default : invokedynamic

          assert_equal [jit, wanted, flags, []],
                       facts.values_at(:jit, :invokedynamic, :flags, :unattested)
          assert_includes facts[:interpreter], "+jit" if flags.include?("-X-C")
        end
      end
    end
  end

  # The least of a Rails application, as a new one of 8.1 is configured.
  RAILS = { "Gemfile" => <<~GEMFILE, "config.ru" => <<~RUBY }.freeze
    source "https://rubygems.org"
    gem "actionpack", "~> 8.1.0"
    gem "railties", "~> 8.1.0"
  GEMFILE
    require "action_controller/railtie"

    class Shop < Rails::Application
      config.load_defaults 8.1
      config.eager_load = true
      config.secret_key_base = "none"
      config.yjit = false if ENV["WITHOUT_YJIT"]
      routes.append { get "/", to: ->(_env) { [200, { "content-type" => "text/plain" }, ["ok"]] } }
    end
    Rails.application.initialize!
    run Rails.application
  RUBY

  rubies("ruby-{3.[34],4}*").each do |path|
    test "the YJIT that Rails turns on by itself on #{path} is off, unless it is to decide" do
      on_rails("run", "--variant", path, "--variant", "#{path} own-jit",
               "--variant", "#{path}, RUBYOPT=--disable=yjit", "--rounds", "1") do |document|
        rows = document.fetch(:rows).to_h { |row| [row[:variant], row] }
        states = rows.values.map { |row| [row[:state], row.dig(:attested, :jit)] }

        assert_equal [%w[measured off], %w[measured yjit], %w[measured off]], states
        assert_equal({ jit: "yjit", where: "config.ru:4" },
                     rows.fetch(path).dig(:attested, :jit_by_app))
        note = document[:notes].find { |one| one[:name] == "app" && one[:text].include?("YJIT") }
        assert_includes note[:text], "turns YJIT on by itself (config.ru:4): off for "
      end
    end
  end

  rubies("ruby-{3.4,4}*").each do |path|
    test "#{path} as the application runs it, and with --yjit, are the same on Rails" do
      on_rails("compare", "#{path} own-jit", "#{path} --yjit", "--quick") do |document|
        assert_equal "invalid", document.dig(:verdict, :outcome)
        assert_match(/both run YJIT: .*\(config.ru:4\)/,
                     document[:sentence])
        assert_includes document.dig(:next, 0, :command), "without YJIT"
      end
    end
  end

  def on_rails(*arguments)
    with_files(RAILS) do |folder|
      result = Mohs::MohsCommand.new(folder)
                                .call(*arguments, "--app", folder, "--json", limit_s: LIMIT_S)
      yield result.json
    rescue JSON::ParserError
      flunk result.err
    end
  end

  # TruffleRuby's description and TruffleRuby.jit? are the same with all of them.
  rubies("truffleruby-*").each do |path|
    { [] => "graal", %w[--engine.Mode=latency] => "graal",
      %w[--engine.Compilation=false] => "off" }.each do |flags, jit|
      test "#{path} #{flags.join(' ')} is attested by its command line" do
        attested(path, flags:) do |facts|
          assert_equal [jit, flags, []], facts.values_at(:jit, :flags, :unattested)
        end
      end
    end
  end
end
