# frozen_string_literal: true

module Mohs
  class App
    # Is it an application of Rails, judged by the gems that it locks or requires? railties stands
    # for Rails, because some applications use only parts of it.
    module Framework
      GEMS = %w[rails railties].freeze
      REQUIRED = /^\s*(?:gem|\w+\.add_dependency)[\s(]+["']rail(?:tie)?s["']/

      #: (gemfile: String, lock: String) -> bool
      def self.rails?(gemfile:, lock:)
        Bundle::Lockfile.versions(lock).keys.intersect?(GEMS) || gemfile.match?(REQUIRED)
      end
    end
  end
end
