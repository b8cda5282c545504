# frozen_string_literal: true

module Mohs
  # A load of event streams, of known truth.
  module SampleStreams
    STATS = { windows: 50, busy: 0, full: 0, wakeups: 10, events: 10, events_max: 1, age_sum_ns: 0,
              age_max_ns: 0, gap_max_ns: 1000, gaps_ns: 0, held_ns: 0, stalls: 0, stalled_ns: 0,
              preempted: 0, waited_ns: 0, pace_ns: nil, memory_ns: nil }.freeze
    HTML = { error: "wrong_type", status: 200, bytes: "<!DOCTYPE html>" }.freeze

    # A recording of these times in ms; an error class with a time is [name, ms]. Each is packed
    # once: long loads repeat few times.
    def stream_times(*times)
      records = times.uniq.to_h do |time|
        name, ms = time.is_a?(Array) ? time : ["ok", time]
        [time, Core::Records.pack({ done_ns: (ms * 1e6).round, error: Core::ERRORS.index(name) })]
      end
      Load::Recording.of(records.values_at(*times).join)
    end

    # Four streams: one refused as HTML, one without an event, one dropped.
    def sample_streams(**changes)
      Load::Streams::Result.new(
        asked: 4, opened: 3, failed: 1, dropped: 1, away: 0, speaking: 2, events: 5, bytes: 25,
        errors: { "wrong_type" => 1 }, ends: { "ended" => 1 }, epoch_ns: 1_000_000_000,
        ended_ns: 6_000_000_000, driver_cpu_ns: 50_000_000, thread_stats: STATS,
        openings: stream_times(1, 2, 3, ["wrong_type", 2]),
        firsts: stream_times(11, 12, ["in_flight_at_end", 4990]),
        gaps: stream_times(1000, 1001, 1002), echoes: stream_times, messages: nil,
        fan_out: nil, storm: nil, first_failed: Load::FailedResponse.new(**HTML),
        **changes
      )
    end

    # All of its streams as good as they can be.
    def good_streams
      sample_streams(asked: 3, failed: 0, dropped: 0, speaking: 3, errors: {}, ends: {},
                     openings: stream_times(1, 2, 3), firsts: stream_times(11, 12, 13),
                     first_failed: nil)
    end

    # Three WebSockets, over which one of four messages is lost and one comes late.
    def sample_talk(**changes)
      sample_streams(
        asked: 3, failed: 0, dropped: 0, speaking: 0, events: 3, bytes: 0, errors: {}, ends: {},
        openings: stream_times(1, 2, 3), firsts: stream_times, gaps: stream_times,
        echoes: stream_times(2, 4, 60, ["in_flight_at_end", 5000]), first_failed: nil,
        messages: { sent: 4, received: 3, disordered: 1, repeated: 0, others: 2, unsent: 0 },
        **changes
      )
    end

    def streams_declared(connections: 4, **changes)
      LoadRun::Declaration.new(
        server: LoadRun::Server.new(host: "127.0.0.1", port: 3000, path: "/events", owned: false),
        requests: [App::Request.build(path: "/events")], connections:, duration_s: 5,
        open_per_s: 100.0, argv: %w[load 127.0.0.1:3000/events --stream], **changes
      )
    end

    # A search: 400 connections kept the limit, 420 did not.
    def found_connections(**changes)
      figure = Load::Recording::Ranked
      load = LoadRun::ConnectionFinder::Loaded.new(
        connections: 400, seconds: 2.1, outcome: "kept", figure: figure.new(41_200_000, false),
        opened: 400, dropped: 0, errors: {}, reason: nil
      )
      more = load.class.new(**load.to_h, connections: 420, outcome: "missed", opened: 410,
                                         figure: figure.new(1_030_000_000, true), dropped: 2,
                                         errors: { "timeout_first" => 10 })
      LoadRun::ConnectionFinder::Result.new(
        outcome: "found", kept: 400, missed: 420, most: nil, precise: true, seconds: 31.2,
        loads: [more, load], checks: [], **changes
      )
    end

    def found_connections_document(result = found_connections, **declared)
      declared = streams_declared(connections: 100, duration_s: 60, open_per_s: nil,
                                  connection_limit:, **declared)
      LoadRun::ConnectionDocument.new(result, declared:).document
    end

    def connection_limit = LoadRun::ConnectionLimit.parse("first event p99 < 200ms")

    def streams_document(result = sample_streams, **declared)
      LoadRun::StreamDocument.new(result, declared: streams_declared(**declared)).document
    end
  end
end
