# frozen_string_literal: true

module Mohs
  module Process
    # What a child starts from. Our own Ruby, RubyGems and Bundler settings would otherwise reach
    # every interpreter that we measure: RUBYOPT from `bundle exec` alone stops most of them.
    module Environment
      # RUBYOPT, RUBYLIB, RUBY_YJIT_ENABLE, ...; GEM_HOME, GEM_PATH; BUNDLE_GEMFILE, BUNDLER_ORIG_*,
      # ...; options of any engine (JRUBY_OPTS, TRUFFLERUBYOPT); and MOHS_*, which may hold a
      # database password.
      OURS = /\A(RUBY|GEM_|BUNDLE|[A-Z]+RUBY_?OPTS?\z|MOHS_)/

      # `variables` without what belongs to the Ruby that runs mohs.
      #: (Hash[String, String]) -> Hash[String, String]
      def self.clean(variables) = variables.reject { |name, _| name.match?(OURS) }
    end
  end
end
