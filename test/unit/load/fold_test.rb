# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/synthetic_records"

module Mohs
  # What is folded out of encoded records is what the recording has.
  class LoadFoldTest < TestCase
    SHARES = [0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1].freeze
    EDGES = [0, 1_000_000, 20_000_000, 20_000_000, 40_000_000, 1 << 40].freeze
    ROWS = Array.new(121) { |row| (10**row.fdiv(10)).ceil }.freeze

    # Some failed, some of warm-up, some that waited, of a closed loop.
    def packed(count = 70_000)
      random = Random.new(7)
      SyntheticRecords.new(service_ns: 3_000_000, spread: 1.5).take(count).tap do |bytes|
        count.times do |at|
          bytes.setbyte((at * 32) + 30, random.rand(30)) if (at % 11).zero?
          bytes.setbyte((at * 32) + 31, random.rand(64)) if (at % 13).zero?
        end
      end
    end

    def recording = @recording ||= Load::Recording.of(packed)

    def fold(kind, **options)
      Load::Fold.new(kind, **options).tap do |folded|
        recording.each_frame { |frame| folded.add(frame) }
      end
    end

    %i[service response].each do |kind|
      test "#{kind} times at every share are those of the recording" do
        folded = fold(kind)

        assert_equal recording.ranked(kind, SHARES), folded.ranked(SHARES)
        assert_equal [recording.size, recording.count(kind), recording.unanswered(kind)],
                     [folded.size, folded.good, folded.unanswered]
        assert_equal recording.errors, folded.errors
        assert_empty folded.cells
      end

      test "#{kind} times in columns and rows are counted as in parts of the recording" do
        folded = fold(kind, edges: EDGES, rows: ROWS)
        parts = EDGES.each_cons(2).map { |from, to| recording.due_between(from, to) }
        cells = parts.map do |part|
          ROWS.each_with_index.map do |low, row|
            low = 0 if row.zero?
            part.count_between(kind, low, ROWS.fetch(row + 1, 1 << 62))
          end
        end

        assert_equal cells, folded.cells
        assert_equal parts.map { |part| part.unanswered(kind) }, folded.unanswered_cells
        assert_equal folded.good, folded.cells.flatten.sum
      end
    end

    test "records in memory, and those never sent, are folded like encoded ones" do
      sent, unsent = [packed(500), packed(40)].map { |bytes| Core::Records.of(bytes) }
      folded = Load::Fold.new(:response).add_records(sent).add_records(unsent)

      assert_equal Load::Recording.new(sent + unsent).ranked(:response, SHARES),
                   folded.ranked(SHARES)
    end

    test "nothing has no times" do
      folded = Load::Fold.new(:service, edges: [0, 9], rows: [0, 5]).add("")

      assert_equal [nil, nil], folded.ranked([0.5, 1])
      assert_equal [[[0, 0]], [0], {}, 0],
                   [folded.cells, folded.unanswered_cells, folded.errors, folded.size]
    end

    test "more shares than are ranked at once" do
      shares = Array.new(600) { |at| at / 600.0 }

      assert_equal recording.ranked(:service, shares), fold(:service).ranked(shares)
    end

    test "damage is found, and where" do
      frame = recording.encode
      frame.setbyte(300, frame.getbyte(300) ^ 1)
      folded = Load::Fold.new(:service)
      error = assert_raises(StoreError) { folded.add(frame) }

      assert_match(/at byte 0, its checksum differs/, error.message)
      assert_equal 0, folded.size
      refute_predicate frame, :frozen?
      assert_equal "", frame.clear # no longer locked
    end

    test "what is no kind, no list of numbers or no String is refused" do
      new = Core::Fold.method(:new)
      { [:lag, "", ""] => /:lag is neither :service nor :response/,
        [:service, "123", ""] => /3 bytes are not at most 65537 packed numbers/,
        [:service, [2, 1].pack("Q*"), ""] => /number 1 descends/,
        [:service, [1, 2].pack("Q*"), ""] => /columns need a row/,
        [:service, "", ([0] * 4097).pack("Q*")] => /at most 4096/ }.each do |arguments, message|
        assert_match message, assert_raises(ArgumentError) { new.call(*arguments) }.message
      end
      assert_raises(TypeError) { new.call("service", "", "") }
      assert_raises(TypeError) { new.call(:service, nil, "") }
      fold = new.call(:service, "", "")
      assert_raises(TypeError) { fold.add(nil) }
      assert_raises(TypeError) { fold.add_records("") }
      assert_raises(ArgumentError) { fold.ranks([0] * 257) }
      assert_raises(RangeError) { fold.ranks([1 << 64]) }
      assert_raises(RuntimeError) { fold.send(:initialize, :service, "", "") }
      assert_raises(RuntimeError) { Core::Fold.allocate.totals }
    end

    test "folds of several threads work at once" do
      folds = Array.new(2) { Load::Fold.new(:service) }
      frames = recording.encode
      workers = folds.map { |one| Thread.new { 20.times { one.add(frames.dup) } } }
      workers.each(&:join)

      assert_equal [recording.size * 20] * 2, folds.map(&:size)
      assert_equal recording.ranked(:service, [0.5]), folds.first.ranked([0.5])
    end
  end
end
