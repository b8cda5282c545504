# frozen_string_literal: true

require "json"

# Figures computed by R (test/fixtures/stats/golden.R).
module Golden
  PATH = File.expand_path("../fixtures/stats/golden.json", __dir__)

  def self.tables = @tables ||= JSON.parse(File.read(PATH))

  def golden(table) = Golden.tables.fetch(table)

  # Compares relatively, so that a tail of 1e-6 counts as much as a half.
  def assert_golden(expected, actual, relative: 1e-9)
    assert_in_delta expected, actual, (relative * expected.abs) + 1e-15
  end

  def assert_all_golden(expected, actual, **options)
    assert_equal expected.size, actual.size
    expected.zip(actual) { |wanted, got| assert_golden wanted, got, **options }
  end

  # Calls the block with each row of these columns of a table; the last column is the expected
  # value.
  def each_row(table, *columns, **options)
    rows = golden(table).values_at(*columns).transpose
    refute_empty rows
    rows.each { |*arguments, expected| assert_golden expected, yield(*arguments), **options }
  end

  def assert_interval(expected, interval, **options)
    assert_all_golden expected, [interval.value, interval.low, interval.high], **options
  end
end
