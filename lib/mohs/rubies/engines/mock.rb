# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # Stands in for an interpreter in tests: any executable that takes a script.
      class Mock < Base
        EXECUTABLE = "mock"
        FOR_TESTS = true
        FORKS = true
        BOOT_LIMIT_S = 10

        def candidate_flags = %w[--mock]

        private

        def jit_by(flags) = flags.include?("--mock") ? "mock" : nil
      end
    end
  end
end
