# frozen_string_literal: true

module Mohs
  # Turns the made-up slices of SampleResult and CompareResult into those of WebSockets.
  module StreamedSlices
    STREAMS = { asked: 100, opened: 100, failed: {}, dropped: 0, ends: {}, events: 80, gaps: 0,
                gap_p50_ns: nil, gap_p99_ns: nil, opening_p50_ns: 400_000,
                opening_p99_ns: 2_100_000, rss_bytes: 36_000_000,
                rss_before_bytes: 33_000_000 }.freeze
    MESSAGES = { sent: 80, received: 80, disordered: 0, repeated: 0, others: 0, unsent: 0 }.freeze

    # Of messages that are sent to all connections.
    FANNED = { fan_out: { due: 8000, came: 7990 }, lag_p50_ns: 40_000, lag_p99_ns: 90_000,
               half_p50_ns: 120_000, half_p99_ns: 180_000, most_p50_ns: 210_000,
               most_p99_ns: 390_000, all_p50_ns: 230_000, all_p99_ns: nil }.freeze
    SAID = { channel: "ChatChannel", action: "say", fan_out: true }.freeze

    module_function

    # slice: facts of one slice, which gets what this load of `messages` per slice and others has.
    def streamed(slice, messages: MESSAGES, **changes)
      slice[:streams] = { **STREAMS, messages:, **changes }
    end

    # The document of a run of two variants. messages, facts: of each slice.
    def document(messages: MESSAGES, facts: {}, **streams)
      result = SampleResult.new({ "puma:1x10" => 1000, "falcon:1" => 900 }, rounds: 2, blocks: 3)
                           .to_h
      result[:run][:study] = study(result[:run][:study], **streams)
      result[:cohorts].flat_map { |cohort| cohort[:trials] }.each do |trial|
        slow = trial[:variant] == "falcon:1" ? 2 : 1
        trial[:slices].each do |slice|
          streamed(slice, messages:, opening_p50_ns: slow * 400_000, **facts)
        end
        latency = { **SampleResult::LATENCY, kind: "response", count: 480, p50_ns: slow * 210_000 }
        trial[:facts] = { **trial[:facts], latency: }
      end
      Stored.document(result)
    end

    # The study of such a load, as stored.
    def study(study, **streams)
      { **study, streams: Study::Streams.new(protocol: "websocket", **streams).to_h }
    end
  end
end
