# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # The JIT that the server's process reports is the declared one, after boot and at the end:
      # only the process knows. Nothing is declared if the variant leaves it to the application.
      class Jit < Base
        WORDS = {
          unattested: "the server does not report its JIT",
          same: "%{boot}, after boot and at the end",
          changed: "JIT was %{boot} after boot and %{ending} at the end",
          other: "JIT should be %{declared}, but the server reports %{boot}",
        }.freeze

        private

        def needs = [:jit]

        def judge
          declared, boot, ending = facts[:jit].values_at(:declared, :at_boot, :at_end)
          return unknown(:unattested) if boot.nil? || ending.nil?
          return bad(:changed, boot:, ending:) if boot != ending
          return bad(:other, declared:, boot:) if declared && boot != declared

          pass(:same, boot:)
        end
      end
    end
  end
end
