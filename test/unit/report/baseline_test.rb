# frozen_string_literal: true

require "test_helper"

# A baseline that was not measured, and who stands in for it.
class ReportBaselineTest < Mohs::TestCase
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-report"

  RATES = { "3.1.2" => 1204, "3.4.5" => 1260, "3.3.8" => 1300 }.freeze

  test "where the baseline did not boot, a measured one stands in for it, and that is told" do
    document = without_baseline
    report = "3.1.2 did not boot"
    assert_equal ["3.4.5", report], document.values_at(:baseline, :baseline_reason)
    assert_equal({ code: "baseline", name: "baseline", text: "#{report}; compared with 3.4.5",
                   finding: nil, variants: [] },
                 document[:notes].first)
    assert_equal %w[3.3.8 3.4.5 refused], [*document[:rows].first(2).map { |one| one[:variant] },
                                           row(document, "3.1.2")[:state]]
    verdict = row(document, "3.3.8")[:verdict]
    assert_equal %w[faster 3.4.5], verdict.values_at(:outcome, :against)
    assert_in_delta 1300 / 1260.0, verdict[:effect], 0.02
    assert_equal [false, "invalid"],
                 [row(document, "3.1.2")[:baseline], row(document, "3.1.2")[:verdict][:outcome]]
  end

  test "one that booted, but was not measured, is not said not to have booted" do
    document = built(RATES) do |result, sample|
      dead = { **sample.failed("3.1.2", state: "failed"), boot_ns: 1 }
      result[:cohorts].each { |cohort| cohort[:trials][0] = dead }
    end

    assert_said(*document.values_at(:baseline, :baseline_reason))
  end

  test "for a baseline that the person named nobody stands in" do
    document = without_baseline(reason: "the second", named: true)

    assert_equal ["3.1.2", "the second"], document.values_at(:baseline, :baseline_reason)
    assert_said(document[:sentence])
    assert_equal %w[invalid baseline], document[:rows].map { |one| one[:verdict][:outcome] }.uniq
    assert_equal %w[measured measured], document[:rows].first(2).map { |one| one[:state] }
    refute_includes document[:notes].map { |note| note[:name] }, "baseline"
  end

  private

  def row(document, name) = document[:rows].find { |one| one[:variant] == name }

  def built(rates)
    sample = SampleResult.new(rates)
    result = sample.to_h
    yield result, sample
    Mohs::Stored.document(result)
  end

  # Two cohorts a round, of which only the first holds the stand-in from the start.
  def without_baseline(reason: "the first", named: false)
    rates = RATES
    built(rates) do |result, sample|
      result[:run][:study].update(baseline_reason: reason, baseline_named: named)
      result[:cohorts] = [1, 2, 3].product([["3.4.5"], ["3.4.5", "3.3.8"]]).map do |round, names|
        cohort = sample.cohort(round, names)
        next cohort unless round == 1

        cohort.merge(trials: [sample.failed("3.1.2"), *cohort[:trials]])
      end
    end
  end
end
