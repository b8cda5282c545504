# frozen_string_literal: true

require "test_helper"

class StreamsSectionTest < Mohs::TestCase
  def section(document) = Mohs::Report::Sections::Streams.new(document).to_section

  # [{ title => text } of each row] of each table.
  def tables(document)
    section(document).parts.map do |table|
      table.rows.map do |row|
        table.columns.map(&:title).zip(table.columns.map { |one| row.cells[one.key].text })
      end
    end
  end

  test "a row's connections, messages and times, each with its 99th percentile" do
    counts, times = tables(Mohs::StreamedSlices.document(facts: Mohs::StreamedSlices::FANNED,
                                                         **Mohs::StreamedSlices::SAID))

    assert_equal [["variant", "falcon:1"], ["to open", "1 200"], ["opened", "1 200"],
                  ["held", "1 200"], %w[dropped 0], ["lost messages", "0"],
                  ["missed deliveries", "120"], ["kB/conn.", "30.0"]], counts.last
    assert_equal [["variant", "falcon:1"], ["opened after", "0.80"], ["p99", "2.10"],
                  ["half have it", "0.12"], ["p99", "0.18"], ["99 % have it", "0.21"],
                  ["p99", "0.39"], ["all have it", "0.23"], ["p99", "–"],
                  ["sent after due", "0.04"], ["p99", "0.09"]], times.last
  end

  test "without messages there are only openings" do
    idle = Mohs::StreamedSlices::MESSAGES.transform_values { 0 }
    counts, times = tables(Mohs::StreamedSlices.document(messages: idle, messages_per_s: 0))

    assert_equal ["variant", "to open", "opened", "held", "dropped", "kB/conn."],
                 counts.last.map(&:first)
    assert_equal ["variant", "opened after", "p99"], times.last.map(&:first)
  end

  test "a run of requests has no such section" do
    assert_nil section(Mohs::Stored.document(SampleResult.new({ "a" => 1000 }).to_h))
  end
end
