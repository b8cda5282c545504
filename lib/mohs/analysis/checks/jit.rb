# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # The JIT that the server's process reports is the declared one, after boot and at the end.
      # Rails 8.1 turns YJIT on by itself, and an application can keep it off in spite of the flag:
      # only the process knows.
      class Jit < Base
        WORDS = {
          unattested: "the server does not report its JIT",
          same: "%{boot}, after boot and at the end",
          changed: "JIT was %{boot} after boot and %{ending} at the end",
          other: "JIT should be %{declared}, but the server reports %{boot}",
          undeclared: "JIT is %{boot}, though no flag asks for it (does the application?)",
          rails: "JIT is %{boot}, though no flag asks for it: Rails turns it on (config.yjit = " \
                 "false in config/application.rb keeps it off)",
        }.freeze

        # Cases in which the application chose the JIT, not the variant.
        BY_THE_APPLICATION = %w[jit.undeclared jit.rails].freeze

        private

        def needs = [:jit]

        def judge
          declared, boot, ending = facts[:jit].values_at(:declared, :at_boot, :at_end)
          return unknown(:unattested) if boot.nil? || ending.nil?
          return bad(:changed, boot:, ending:) if boot != ending
          return bad(:other, declared:, boot:) if declared && boot != declared
          return warn(rails? ? :rails : :undeclared, boot:) if declared.nil? && optional?(boot)

          pass(:same, boot:)
        end

        def rails? = facts.dig(:attested, :rails, :yjit) == true

        def optional?(jit) = facts[:jit][:optional].to_a.include?(jit)
      end
    end
  end
end
