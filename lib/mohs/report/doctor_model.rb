# frozen_string_literal: true

module Mohs
  module Report
    # Turns what the doctor found into the document of docs/json.md, command `doctor`. Pure.
    module DoctorModel
      module_function

      # changes: those of Doctor::Fixes, nil if none were requested; self_test: which differences
      # this host resolves, nil if that was not measured.
      #: (Array[Analysis::Finding], changes: Array[Doctor::Fixes::Change]?, seconds: Numeric, ?self_test: untyped) -> Hash[Symbol, untyped]
      def document(findings, changes:, seconds:, self_test: nil)
        unknown, known = findings.partition { |finding| finding.severity == :unknown }
        { seconds:, self_test: self_test&.to_h,
          checks: known.map { |finding| check(finding) },
          unknown: unknown.map { |finding| unseen(finding) },
          changes: changes&.map { |change| { **change.to_h, path: "/#{change.path}" } } }
      end

      # A finding from a cohort's record, as in `host.against`.
      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def against(row)
        { **row.slice(:name, :label, :level), detail: Render.call(Analysis::Host.load(row)) }
      end

      def check(finding)
        member = Analysis::Host.member(finding.member)
        value = finding.values[:value]
        { name: finding.member, label: member.label,
          value: value.is_a?(Float) ? value.round(4) : value, unit: member.unit,
          level: Analysis::Host::LEVELS.fetch(finding.severity), detail: Render.call(finding),
          remedy: Render.remedy(finding) }
      end

      def unseen(finding)
        { name: finding.member, label: Analysis::Host.member(finding.member).label,
          reason: Render.call(finding) }
      end
      private_class_method :check, :unseen
    end
  end
end
