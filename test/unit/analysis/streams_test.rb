# frozen_string_literal: true

require "test_helper"

class AnalysisStreamsTest < Mohs::TestCase
  # A slice of 10 streams; memory in kB, gaps in ms.
  def slice(opened: 10, dropped: 0, ends: {}, gap: 20, during: 2000, before: 1000, **others)
    streams = { asked: 10, opened:, dropped:, ends:, events: 100, gaps: 90,
                gap_p50_ns: gap * 1_000_000, gap_p99_ns: gap * 2_000_000,
                rss_bytes: during && (during * 1000),
                rss_before_bytes: before && (before * 1000) }
    Mohs::Store::Slice.new(block: 0, sent: 10, good: opened, streams:, errors: {}, **others)
  end

  def of(*boots)
    trials = boots.map { |slices| Mohs::Store::Trial.new(slices:) }
    Mohs::Analysis::Streams.new(trials)
  end

  test "streams are counted over all slices but those of warm-ups" do
    found = of([slice(block: nil), slice(opened: 8, dropped: 2, ends: { ended: 1, closed: 1 })],
               [slice(dropped: 1, ends: { closed: 1 })])

    assert_equal({ asked: 20, opened: 18, dropped: 3 }, found.counts)
    assert_equal [{ "ended" => 1, "closed" => 2 }, 200], [found.dropped_by, found.events]
  end

  test "gaps are medians of slices and then of boots; without any there are none" do
    found = of([slice(gap: 20), slice(gap: 21), slice(gap: 90)], [slice(gap: 31)], [slice(gap: 19)])

    assert_equal({ p50: 21.0, p99: 42.0 }, found.gap_ms)
    none = slice
    none = none.with(streams: { **none.streams, gap_p50_ns: nil, gap_p99_ns: nil })
    assert_equal({ p50: nil, p99: nil }, of([none]).gap_ms)
  end

  test "a slice in which streams fell silent for good counts as one with endless gaps" do
    silent, empty = [90, 0].map do |gaps|
      one = slice
      one.with(streams: { **one.streams, gaps:, gap_p99_ns: nil })
    end
    assert_equal 42.0, of([slice(gap: 20), slice(gap: 21), silent]).gap_ms[:p99]
    assert_equal({ p50: 20.0, p99: nil }, of([slice(gap: 20), silent, silent]).gap_ms)
    assert_equal 40.0, of([slice(gap: 20), empty, empty]).gap_ms[:p99]
  end

  test "messages are added up, and those lost and due are counted" do
    counts = { sent: 50, received: 48, disordered: 1, repeated: 2, others: 3, unsent: 4 }
    of_websockets = slice
    of_websockets = of_websockets.with(streams: { **of_websockets.streams, messages: counts })

    assert_nil of([slice]).messages
    assert_equal({ due: 108, sent: 100, received: 96, disordered: 2, repeated: 4, others: 6,
                   unsent: 8, lost: 4 }, of([of_websockets], [of_websockets]).messages)
  end

  test "openings are medians of slices and then of boots, in which failures are endless" do
    opened = lambda do |p50, p99|
      slice.with(streams: { **slice.streams, opening_p50_ns: p50, opening_p99_ns: p99 })
    end
    boot = [opened.call(1_000_000, 2_000_000), opened.call(3_000_000, nil),
            opened.call(4_000_000, nil)]

    assert_equal({ p50: 3.0, p99: nil }, of(boot).opening_ms)
    assert_equal({ p50: 2.0, p99: 2.0 }, of(boot.first(1), [opened.call(3_000_000, 2_000_000)])
                                           .opening_ms)
    assert_equal({ p50: nil, p99: nil }, of([slice]).opening_ms)
  end

  test "messages to all have times as openings have, and deliveries are added up" do
    sent = lambda do |half, all, lag|
      slice.with(streams: { **slice.streams, fan_out: { due: 20, came: 19 }, lag_p50_ns: lag,
                            lag_p99_ns: lag, half_p50_ns: half, half_p99_ns: half,
                            all_p50_ns: all, all_p99_ns: nil })
    end
    found = of([sent.call(1_000_000, 3_000_000, 50_000), sent.call(2_000_000, nil, 90_000)],
               [sent.call(3_000_000, 4_000_000, nil)])

    assert_equal({ due: 60, came: 57 }, found.fan_out)
    assert_equal [{ p50: 2.25, p99: 2.25 }, nil], [found.half_ms, found.all_ms[:p99]]
    assert_equal({ p50: 0.07, p99: 0.07 }, found.send_lag_ms)
    assert_nil of([slice]).fan_out
  end

  test "what is held is what was opened and not dropped" do
    assert_equal 0.8, of([slice(opened: 9, dropped: 1)]).held_share
  end

  test "connections that were dropped take no memory" do
    assert_equal 1_000_000, of([slice(dropped: 9)]).memory_per_connection_bytes
    assert_nil of([slice(dropped: 10)]).memory_per_connection_bytes
  end

  test "memory is that of the connections that were open as it was read" do
    dropped_later, opened_later = [[9, 10], [0, 5]].map do |dropped, open_at_reading|
      one = slice(dropped:)
      one.with(streams: { **one.streams, open_at_reading: })
    end
    assert_equal 100_000, of([dropped_later]).memory_per_connection_bytes
    assert_equal 200_000, of([opened_later]).memory_per_connection_bytes
  end

  test "memory per connection is what came after the first slice began, for each that was open" do
    assert_equal 100_000, of([slice, slice(before: 2000)]).memory_per_connection_bytes
    assert_equal 200_000, of([slice(opened: 5)]).memory_per_connection_bytes
    assert_equal 150_000, of([slice], [slice(during: 3000)]).memory_per_connection_bytes
    unknown = [[slice(during: nil)], [slice(before: nil)], [slice(opened: 0)],
               [slice(during: 1000)]]
    assert_equal [nil] * 4, (unknown.map { |slices| of(slices).memory_per_connection_bytes })
  end
end
