# frozen_string_literal: true

require "test_helper"

# The figures of the studies, by the arithmetic that their sources did.
class ReproStudiesTest < Mohs::TestCase
  def study(name) = Mohs::Repro::Library.new.find(name, dir: Mohs.root)

  def figures(name) = study(name).figures.to_h { |figure| [figure.id, figure.value] }

  def ratio(name, text)
    study(name).claims.find { |claim| claim.text == text }.statement.published
  end

  # Printed with two decimals. One average of the source is not that of its measurements.
  test "the averages of kazakov-2023 are those of its three measurements" do
    found = figures("kazakov-2023")
    wrong = (1..9).to_a.product(%w[load average last]).reject do |table, row|
      values = %w[1 2 3].map { |column| found.fetch("t#{table}-#{row}-#{column}") }
      (found.fetch("t#{table}-#{row}-mean") - (values.sum / 3)).abs < 0.00501
    end

    assert_equal [[9, "average"]], wrong
  end

  test "the ratios of kazakov-2023 are those that its text has" do
    { "JRuby serves 94 % more than 2.7.8" => 1.94,
      "YJIT serves 30 % more than 2.7.8" => 1.306,
      "YJIT serves 25 % more than 3.2.2 without it" => 1.245,
      "3.2.2 serves 5 % more than 2.7.8" => 1.049,
      "MJIT gains less than 0.5 %" => 1.0047 }.each do |text, expected|
      assert_in_delta expected, ratio("kazakov-2023", text), 0.0006, text
    end
  end

  # Printed to two digits.
  test "the variances of gc-compact are the squares of its deviations" do
    found = figures("gc-compact")
    %w[before after compacted].each do |arm|
      assert_in_delta 1, (found.fetch("#{arm}-sd")**2) / found.fetch("#{arm}-variance"), 0.02, arm
    end
  end
end
