# frozen_string_literal: true

module Mohs
  module Report
    # Turns what the doctor found into the document of docs/json.md, command `doctor`. Pure.
    module DoctorModel
      KNOWN = %w[ok warn bad].freeze

      module_function

      # changes: of Doctor::Fixes, nil where nothing was asked to be changed; self_test:
      # Doctor::SelfTest::Outcome, nil where none was made.
      #: (Array[Doctor::Result], changes: Array[Doctor::Fixes::Change]?, seconds: Numeric, ?self_test: Doctor::SelfTest::Outcome?) -> Hash[Symbol, untyped]
      def document(results, changes:, seconds:, self_test: nil)
        known, unknown = results.partition { |result| KNOWN.include?(result.level) }
        { seconds:, self_test: self_test&.to_h,
          checks: known.map(&:to_h),
          unknown: unknown.map { |result| unseen(result) },
          changes: changes&.map { |change| { **change.to_h, path: "/#{change.path}" } } }
      end

      def unseen(result) = { name: result.name, label: result.label, reason: result.detail }
      private_class_method :unseen
    end
  end
end
