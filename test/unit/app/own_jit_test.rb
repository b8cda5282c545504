# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class OwnJitTest < TestCase
      # Files of an application => the JIT that they turn on, and where.
      FILES = {
        { "config/application.rb" => "class A\n  config.load_defaults 7.2\nend\n" } =>
          ["yjit", "config/application.rb:2"],
        { "config/application.rb" => "  config.load_defaults \"8.1\"\n" } =>
          ["yjit", "config/application.rb:1"],
        { "config/application.rb" => "config.load_defaults(8.0)\nconfig.yjit = false\n" } => nil,
        { "config/application.rb" => "config.load_defaults 7.1\n" } => nil,
        { "config/application.rb" => "# config.load_defaults 7.2\n" } => nil,
        { "config/application.rb" => "config.load_defaults 8.1\nconfig.yjit = false\n",
          "config/environments/production.rb" => "\n  config.yjit = true\n" } =>
          ["yjit", "config/environments/production.rb:2"],
        { "config/application.rb" => "config.load_defaults 8.1\n",
          "config/environments/production.rb" => "config.yjit = false\n" } => nil,
        { "config/application.rb" => "config.load_defaults 8.1\n",
          "config/environments/test.rb" => "config.yjit = false\n" } =>
          ["yjit", "config/application.rb:1"],
        { "config/initializers/yjit.rb" => "if defined? RubyVM::YJIT.enable\n" \
                                           "  RubyVM::YJIT.enable\nend\n" } =>
          ["yjit", "config/initializers/yjit.rb:2"],
        { "config.ru" => "RubyVM::ZJIT&.enable if defined?(RubyVM::ZJIT.enable)\n" } =>
          ["zjit", "config.ru:1"],
        { "config.ru" => "require_relative \"app\"\n", "app.rb" => "RubyVM::YJIT.enable\n" } =>
          ["yjit", "app.rb:1"],
        { "config.ru" => "require './app'\n", "app.rb" => "# RubyVM::YJIT.enable\n" } => nil,
        { "config.ru" => "run 1\n", "bench.rb" => "RubyVM::YJIT.enable\n" } => nil,
        { "config.ru" => "RubyVM::YJIT.enable if ENV[\"APP_YJIT\"]\n" } => nil,
        { "config/application.rb" => "config.load_defaults 8.1\nconfig.yjit = ENV['A']\n" } => nil,
        { "config/application.rb" => "config.load_defaults 8.1\n",
          "config/initializers/a.rb" => "Rails.application.config.yjit = false\n" } => nil,
        { "config/environments/production.rb" => "  config.yjit = Rails.env.production? # on\n" } =>
          ["yjit", "config/environments/production.rb:1"],
        { "config/puma.rb" => "RubyVM::YJIT.enable\n" } => nil,
        { "config/environments/development.rb" => "RubyVM::YJIT.enable\n" } => nil,
        { "config.ru" => "\xFF\nRubyVM::YJIT.enable\n" } => ["yjit", "config.ru:2"],
        {} => nil,
      }.freeze

      FILES.each_with_index do |(files, expected), index|
        test "reads application #{index + 1}: #{files.keys.join(', ')}" do
          with_files(files) do |folder|
            found = OwnJit.in(folder)
            expected ? assert_equal(expected, found.to_a) : assert_nil(found)
          end
        end
      end
    end
  end
end
