# frozen_string_literal: true

require "test_helper"
require "csv"
require "mohs/core"
require "json"
require "stringio"

module Mohs
  # Lines of observations, read again by Ruby's own readers.
  class ObservationsTest < TestCase
    Recordings = Exporters::Recordings
    FAILED = Core::ERRORS.index("refused")
    WRONG = Core::ERRORS.index("wrong_status")
    ROWS = [
      { due_ns: 5_000, sent_ns: 10, first_ns: 700, done_ns: 900, connection: 7, request: 3,
        bytes: 512, status: 200, flags: 1 | 4 },
      { due_ns: 6_000, done_ns: 50, error: FAILED, flags: 1 },
      { due_ns: 7_000, sent_ns: 5_120_000_000, first_ns: 5_120_001_024, done_ns: 5_200_000_000,
        bytes: 3, status: 500, error: WRONG, flags: 32 },
    ].freeze
    READ = [
      { due_ns: 5000, sent_ns: 10, first_ns: 700, done_ns: 900, status: 200, error: nil, bytes: 512,
        connection: 7, request: 3, flags: %w[fresh chunked] },
      { due_ns: 6000, sent_ns: nil, first_ns: nil, done_ns: 50, status: nil, error: "refused",
        bytes: 0, connection: 0, request: 0, flags: %w[fresh] },
      { due_ns: 7000, sent_ns: 5_120_000_000, first_ns: 5_120_001_024, done_ns: 5_200_000_000,
        status: 500, error: "wrong_status", bytes: 3, connection: 0, request: 0,
        flags: %w[queued] },
    ].freeze

    def recording(rows = ROWS)
      Load::Recording.of(rows.map { |row| Core::Records.pack(row) }.join)
    end

    def written(format, *values, origin: [])
      out = StringIO.new(+"")
      format.new(out, origin:).add(recording, *values)
      out.string
    end

    test "CSV has a line of names and a line for each request" do
      table = CSV.parse(written(Recordings::Csv), headers: true, converters: :integer)

      assert_equal Exporters::Observations::COLUMNS, table.headers
      read = table.map { |row| row.to_h.transform_keys(&:to_sym) }
      assert_equal READ.map { |row| row.merge(flags: row[:flags].join("|")) }, read
    end

    test "NDJSON is an object a line, with every key" do
      lines = written(Recordings::Ndjson).lines

      assert_equal READ, lines.map { |line| JSON.parse(line, symbolize_names: true) }
    end

    test "columns of where a recording comes from stand first, whatever is in a name" do
      names = %w[cohort variant]
      csv = CSV.parse(written(Recordings::Csv, 1, '3.4.5, A="x"', origin: names), headers: true)
      json = JSON.parse(written(Recordings::Ndjson, 1, '3.4.5, A="x"', origin: names).lines.first)

      assert_equal ["1", '3.4.5, A="x"'], csv.first.fields(*names)
      assert_equal [1, '3.4.5, A="x"'], json.values_at(*names)
      assert_equal names + Exporters::Observations::COLUMNS, json.keys
    end

    test "many are written piece by piece, none lost at a seam" do
      pieces = []
      out = Object.new
      out.define_singleton_method(:write) { |text| pieces << text.dup }
      rows = Array.new(Load::Recording::CHUNK + 3) { |number| { due_ns: number } }
      Recordings::Csv.new(out).add(recording(rows))

      assert_operator pieces.size, :>, 2
      assert_equal (0...rows.size).to_a, pieces.join.lines.drop(1).map(&:to_i)
    end
  end
end
