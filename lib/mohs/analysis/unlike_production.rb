# frozen_string_literal: true

module Mohs
  module Analysis
    # A finding about what every measured server of a Rails application attests and hardly anybody's
    # production has, or what works there that nobody started here. What only some variants have is
    # theirs to compare.
    module UnlikeProduction
      NO_CACHE = "ActiveSupport::Cache::NullStore"

      # Queue adapters whose jobs need no process of their own.
      IN_PROCESS = %w[async inline test].freeze

      #: (Array[Store::Trial]) -> Analysis::Finding?
      def self.call(trials)
        found = trials.filter_map { |trial| trial.attested[:rails] }
        values = of(found.reduce { |all, one| all.slice(*all.keys.select { all[_1] == one[_1] }) })
        Finding.note("unlike_production", **values) if values.any?
      end

      # rails: what all have in common; nil without Rails.
      def self.of(rails)
        eager_load, log_level, cache, jobs = rails.to_h.values_at(:eager_load, :log_level, :cache,
                                                                  :jobs)
        { lazy: (true if eager_load == false), debug: (true if log_level == "debug"),
          no_cache: (true if cache == NO_CACHE),
          jobs: (jobs unless IN_PROCESS.include?(jobs)) }.compact
      end
      private_class_method :of
    end
  end
end
