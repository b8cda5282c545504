# frozen_string_literal: true

require "test_helper"
require "csv"

# CSV and NDJSON, read back.
class ExportersTablesTest < Mohs::TestCase
  include Mohs::SampleDocuments

  COLUMNS = Mohs::Exporters::Figures::Figure::COLUMNS

  def csv(document) = Mohs::Exporters::Documents.fetch("csv").new.call(document)

  def ndjson(document)
    Mohs::Exporters::Documents.fetch("ndjson").new.call(document).lines
                              .map { |line| JSON.parse(line, symbolize_names: true) }
  end

  # With other names of the first variants.
  def renamed(*names)
    run = sample_document("run")
    rows = run[:rows].zip(names).map { |row, name| name ? { **row, variant: name } : row }
    run.merge(rows:)
  end

  test "both have the same fields of the same figures, of every kind of document" do
    Mohs::Exporters::Documents.fetch("csv").kinds.each do |kind|
      document = sample_document(kind)
      read = CSV.parse(csv(document), headers: true)
      lines = ndjson(document)

      refute_empty lines, kind
      assert_equal COLUMNS.map(&:to_s), read.headers
      assert_equal lines.map(&:keys).uniq, [COLUMNS]
      assert_equal(lines.map { |line| line.values.map { |value| value&.to_s } },
                   read.map { |row| row.fields })
    end
  end

  test "a name with commas, quotes and lines is one field" do
    name = "3.4.5 \"--yjit\", puma:2x5\nmore"
    read = CSV.parse(csv(renamed(name)), headers: true)

    assert_equal name.tr("\n", " "), read.first["variant"]
    assert_equal [name], ndjson(renamed(name)).map { |line| line[:variant] }.first(1)
  end

  test "no spreadsheet takes a name for a formula, and a number stays one" do
    names = ["@main", "=1+2", "+x", "-x", "\tx", "a=1"]
    read = CSV.parse(csv(renamed(*names)), headers: true)

    assert_equal ["'@main", "'=1+2", "'+x", "'-x", " x", "a=1"],
                 read.map { |row| row["variant"] }.uniq.first(6)
    negative = sample_document("run")
    negative[:rows].first[:boot_ms] = { value: -1.5, low: nil, high: nil }
    assert_includes csv(negative), "boot_ms,ms,-1.5,,,"
  end
end
