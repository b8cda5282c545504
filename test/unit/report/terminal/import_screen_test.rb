# frozen_string_literal: true

require "test_helper"

class ImportScreenTest < Mohs::TestCase
  def screen(measure:, width:)
    latency_ms = { p50: 1.5, p99: 2.5, max: 31.5 }
    rows = %w[old new].map do |variant|
      { benchmark: nil, variant:, runs: 3, measure:, latency_ms:, errors: { total: 0 }, lacks: [] }
    end
    document = { command: "import", sentence: "", rows:, comparisons: [], baseline: nil, notes: [] }
    terminal = Mohs::Report::Terminal
    terminal::ImportScreen.new(document, style: terminal::Style.new(width:)).to_s
  end

  # A file names its measure as it likes.
  test "a narrow screen keeps the measure whatever it is called" do
    measure = { name: "max", unit: Mohs::Analysis::Imports::PER_S, value: 777.0 }

    assert_includes screen(measure:, width: 30), "777"
    refute_includes screen(measure:, width: 30), "31.5"
  end
end
