# frozen_string_literal: true

require "test_helper"

module Mohs
  module Process
    class EnvironmentTest < TestCase
      test "what belongs to our own Ruby is left out, the rest stays" do
        ours = %w[RUBYOPT RUBYLIB RUBY_YJIT_ENABLE GEM_HOME GEM_PATH BUNDLE_GEMFILE BUNDLER_VERSION
                  BUNDLER_ORIG_PATH JRUBY_OPTS TRUFFLERUBYOPT MOHS_DATABASE_URL]
        theirs = %w[PATH HOME LD_PRELOAD MALLOC_ARENA_MAX JAVA_HOME RBENV_ROOT RACK_ENV]
        assert_equal theirs, Environment.clean((ours + theirs).to_h { |name| [name, "x"] }).keys
      end
    end
  end
end
