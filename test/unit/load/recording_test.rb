# frozen_string_literal: true

require "test_helper"

module Mohs
  class RecordingTest < TestCase
    test "quantiles are those of a sorted array" do
      random = Random.new(1)
      times = Array.new(1001) { random.rand(10_000_000) }
      recording = recording_of(times.map do |time|
        { done_ns: time, sent_ns: time / 3, first_ns: time / 2 }
      end)
      { response: times, service: times.map { |time| time - (time / 3) }, first: times.map do |time|
        (time / 2) - (time / 3)
      end }
        .each do |kind, all|
          sorted = all.sort
          wanted = [sorted[0], sorted[500], sorted[990], sorted[1000]]
          assert_equal wanted, recording.quantiles(kind, [0, 0.5, 0.99, 1.0])
          between = sorted.count { |time| time.between?(1000, 999_999) }
          assert_equal between, recording.count_between(kind, 1000, 1_000_000)
        end
    end

    test "failed requests and warm-up stay out" do
      recording = recording_of([{ done_ns: 5 }, { done_ns: 7, error: 21 },
                                { done_ns: 9, flags: 2 }, { done_ns: 11, error: 1, flags: 2 }])
      assert_equal [4, 1], [recording.size, recording.good]
      assert_equal [5], recording.quantiles(:service, [1.0])
      assert_equal({ "refused" => 1, "wrong_body" => 1 }, recording.errors)
      assert_equal 1, recording.count_between(:service, 0, 100)
      late = recording_of([{ sent_ns: 5, done_ns: 9 }, { sent_ns: 5, done_ns: 9, error: 21 },
                           { done_ns: 9, error: 21 }])
      assert_equal 2, late.count_between(:lag, 5, 6), "of a lag, what failed after it was sent"
    end

    test "an empty one has no quantiles" do
      recording = recording_of([])
      assert_equal [0, [nil, nil], {}],
                   [recording.size, recording.quantiles(:first, [0, 1]), recording.errors]
      assert_equal [[], ""], [recording.each_chunk.to_a, recording.encode]
      assert_equal 0, Load::Recording.decode(recording.encode).size
    end

    test "an unknown kind is refused with the list" do
      error = assert_raises(ArgumentError) { recording_of([{}]).quantiles(:latency, [0.5]) }
      assert_match(/service, response, first/, error.message)
    end

    test "encoding loses nothing" do
      recording = recording_of(Array.new(500) do |index|
        { due_ns: index * 1000, done_ns: 900 + (index % 7), connection: index % 3 }
      end)
      again = Load::Recording.decode(recording.encode)
      assert_equal recording.encode, again.encode
      assert_equal recording.each.to_a, again.each.to_a
    end

    test "each shows every field" do
      fields = { due_ns: (1 << 48) - 1, request: 65_535, sent_ns: 1, first_ns: 2,
                 done_ns: (1 << 40) - 1, connection: (1 << 24) - 1,
                 bytes: 3, status: 200, error: 22, flags: 16 }
      entry = recording_of([fields]).each.first
      assert_equal fields.merge(error: "in_flight_at_end"), entry.to_h
    end

    test "chunks are whole records, in order" do
      count = Load::Recording::CHUNK + 2
      packed = (0...count).map { |number| Core::Records.pack({ due_ns: number }) }.join
      recording = Load::Recording.of(packed)
      assert_equal [Load::Recording::CHUNK * 32, 64], recording.each_chunk.map(&:bytesize)
      assert_equal packed, recording.each_chunk.to_a.join
    end

    test "batches are of as many requests, in the order in which they ended, over all workers" do
      due = [0, 20, 40, 5, 25, 60]
      recording = recording_of(due.map { |ns| { due_ns: ns, done_ns: 10 } })
      assert_equal [[10, 15, 30, 35], [50, 70]],
                   recording.each_batch(4).map { |batch| batch.responses.map(&:sum) }
      assert_equal [35, 70], recording.each_batch(4).map(&:ended_ns)
      assert_equal [6], recording.each_batch(10_000).map(&:size)
      assert_empty recording_of([]).each_batch(3).to_a
      assert_nil recording_of([]).ended_ns
      assert_raises(ArgumentError) { recording.each_batch(0) { nil } }
    end

    test "bytes that are no records are refused" do
      assert_raises(ArgumentError) { Load::Recording.of("x" * 33) }
      assert_equal 1, Load::Recording.of("xyz#{"\0" * 32}"[3..]).size
    end

    test "times of what waited for long come back in ns, to a microsecond" do
      sent_ns = 60_000_000_000
      recording = recording_of([{ sent_ns:, first_ns: sent_ns + 10_240, done_ns: sent_ns + 20_480,
                                  flags: Load::Recording::FLAGS.fetch(:queued) }])
      assert_equal [[sent_ns], [nil], [20_480], [10_240]],
                   %i[queue lag service first].map { |kind| recording.quantiles(kind, [0.5]) }
      entry = recording.each.first
      assert_equal [sent_ns, sent_ns + 10_240], [entry.sent_ns, entry.first_ns]
      assert_equal recording.encode, Load::Recording.decode(recording.encode).encode
    end

    test "a record is written and read by the names of its fields alone" do
      values = Core::RECORD_FIELDS.each_with_index.to_h { |name, index| [name, index + 1] }
      records = Core::Records.of(Core::Records.pack(values) * 3)
      assert_equal [values.values] * 2, records.values(1, 5, Core::RECORD_FIELDS)
      assert_equal [values.values_at(:flags, :due_ns)], records.values(0, 1, %i[flags due_ns])
      error = assert_raises(ArgumentError) { Core::Records.pack({ sent: 1 }) }
      assert_equal ":sent is none of #{Core::RECORD_FIELDS.join(', ')}", error.message
      assert_raises(ArgumentError) { records.values(0, 1, %i[due]) }
    end

    private

    def recording_of(rows)
      Load::Recording.of(rows.map { |row| Core::Records.pack({ status: 200, **row }) }.join)
    end
  end
end
