# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class FrameworkTest < TestCase
      def rails?(gemfile: "", lock: "") = Framework.rails?(gemfile:, lock:)

      test "Rails, or a part of it, is locked, whatever is mounted in it" do
        assert rails?(lock: "    sinatra (4.0.0)\n    railties (8.0.1)\n")
        assert rails?(lock: "    rails (8.0.1)\n")
        refute rails?(lock: "    sinatra (4.0.0)\n")
      end

      test "a mere dependency does not count as locked" do
        refute rails?(lock: "    rack-test (2.1)\n      rails (>= 1)\n    rails-i18n (7.0)\n")
      end

      test "without a lock the Gemfile decides, or the gemspec that it names" do
        [%(gem "rails", "~> 7.1"\n), %(  gem 'rails', require: false\n),
         %(gem("railties", RAILS)\n),
         %(  spec.add_dependency "railties", ">= 7"\n)].each { |gemfile| assert rails?(gemfile:) }
      end

      test "comments and other gems are ignored" do
        refute rails?(gemfile: %(# gem "rails"\ngem "rack"\ngem "rails-i18n"\n))
      end
    end
  end
end
