# frozen_string_literal: true

module Mohs
  # Self-checks: what speaks against the figures of one trial. A family of pure decisions over its
  # facts, the shape of which is in checks/base.rb.
  module Checks
    extend Family
    family "check", folder: File.join(__dir__, "checks"), list: "docs/method.md"

    # Every check's result, in alphabetical order: plain data for the store.
    #: (Hash[Symbol, untyped]) -> Array[Hash[Symbol, untyped]]
    def self.call(facts) = all.map { |check| check.new.call(facts) }

    # Why the trial's figures mean nothing (then its state is invalid), or nil.
    #: (Array[Hash[Symbol, untyped]]) -> String?
    def self.spoiled(results)
      results.find { |result| result[:level] == "invalid" }&.fetch(:detail)
    end
  end
end
