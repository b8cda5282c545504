# frozen_string_literal: true

require "test_helper"

class FindingTest < Mohs::TestCase
  test "a finding is frozen data with a string code" do
    finding = Mohs::Analysis::Finding.new(code: :not_steady, severity: :warn, subject: "B",
                                          values: { ratio: 1.04 })

    assert_equal ["not_steady", :warn, "B", { ratio: 1.04 }], finding.to_a
    assert_predicate finding, :frozen?
    assert_predicate finding.values, :frozen?
  end

  test "warn and bad count against the figures, only bad is fatal" do
    severities = Mohs::Analysis::Finding::SEVERITIES
    findings = severities.map do |severity|
      Mohs::Analysis::Finding.new(code: "x", severity:)
    end

    assert_equal %i[warn bad], findings.select(&:against?).map(&:severity)
    assert_equal %i[bad], findings.select(&:fatal?).map(&:severity)
    assert_equal severities, findings.sort_by(&:rank).map(&:severity)
  end

  test "its member is what stands before the first dot" do
    members = %w[trend.slower jit.a.b not_steady .odd].map do |code|
      Mohs::Analysis::Finding.new(code:, severity: :warn).member
    end

    assert_equal ["trend", "jit", "not_steady", nil], members
  end

  test "an unknown severity is refused with the list" do
    error = assert_raises(ArgumentError) do
      Mohs::Analysis::Finding.new(code: "x", severity: :fatal)
    end

    assert_match(/:fatal .*: ok, unknown, info, warn, bad/, error.message)
  end
end
