# frozen_string_literal: true

require "test_helper"

module Mohs
  class App
    class FrameworkTest < TestCase
      def guess(gemfile: "", lock: "") = Framework.guess(gemfile:, lock:)

      test "the lock decides the framework and its version" do
        assert_equal "Sinatra 4.1.1",
                     guess(lock: "  specs:\n    rack (3.1)\n    sinatra (4.1.1)\n      rack\n")
        assert_equal "Hanami 2.1.0", guess(lock: "    hanami (2.1.0)\n    roda (3.1)\n")
      end

      test "a mere dependency does not count as locked" do
        assert_equal "Rack", guess(lock: "    rack-test (2.1)\n      sinatra (>= 1)\n")
      end

      test "Rails takes precedence over frameworks mounted in it" do
        assert_equal "Rails 8.0.1", guess(lock: "    sinatra (4.0.0)\n    railties (8.0.1)\n")
      end

      test "without a lock the Gemfile decides, with the version that it pins" do
        assert_equal "Rails 7.1", guess(gemfile: %(gem "rails", "~> 7.1"\n))
        assert_equal "Rails", guess(gemfile: %(gem "rails"\n))
        assert_equal "Sinatra", guess(gemfile: %(  gem 'sinatra', require: false\n))
        assert_equal "Roda", guess(gemfile: %(gem("roda", ">= 3")\n))
      end

      test "a version in a constant is read" do
        assert_equal "Rails 6.1.6.1", guess(gemfile: %(RAILS = "6.1.6.1"\ngem "railties", RAILS\n))
      end

      test "comments are ignored" do
        assert_equal "Rack", guess(gemfile: %(# gem "rails"\ngem "rack"\n))
      end
    end
  end
end
