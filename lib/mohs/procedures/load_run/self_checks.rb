# frozen_string_literal: true

module Mohs
  class LoadRun
    # The self-checks of a load by itself.
    module SelfChecks
      # Those of trials alone: no study holds anything, the errors of a load are figures of their
      # own, and its steps differ in their rates.
      OF_TRIALS = %w[held errors trend].freeze
      private_constant :OF_TRIALS

      # The findings of these checks, as far as they apply to loads; without those of unknown
      # severity.
      #: (Hash[Symbol, untyped], ?Array[String]) -> Array[Analysis::Finding]
      def self.of(facts, names = Analysis::Checks.names)
        found = (names - OF_TRIALS).map { |name| Analysis::Checks.fetch(name).new.call(facts) }
        found.reject { |finding| finding.severity == :unknown }
      end
    end
  end
end
