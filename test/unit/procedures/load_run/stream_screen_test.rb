# frozen_string_literal: true

require "test_helper"

module Mohs
  # The document of a load of event streams, its screen and its progress.
  class StreamScreenTest < TestCase
    include SampleStreams
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-load-runs"

    def screen(...)
      document = Report::Document.envelope("load", streams_document(...))
      Report::Terminal.new.call(document)
    end

    test "what was opened, dropped and refused, and the times of streams and events" do
      assert_said(screen)
    end

    test "a load without trouble has nothing to say about it" do
      assert_said(screen(good_streams, connections: 3))
    end

    test "streams that fell silent are told, though they are in no percentile of the gaps" do
      gaps = stream_times(*[1000] * 400, *[["in_flight_at_end", 2000]] * 2)
      found = Load::Streams::Result.new(**good_streams.to_h, gaps:)

      assert_said(paragraph(screen(found, connections: 3), "2 streams"))
      refute_includes screen(good_streams, connections: 3), "silent"
      once = Load::Streams::Result.new(**good_streams.to_h,
                                       gaps: stream_times(*[["in_flight_at_end", 2000]] * 2))
      refute_includes screen(once, connections: 3), "silent"
      assert_equal [2, nil], [once, sample_talk].map { |one| streams_document(one)[:silent_at_end] }
    end

    test "one stream, one event and several lost messages are told in their number" do
      one = { asked: 1, opened: 1, failed: 0, dropped: 0, events: 1, errors: {}, ends: {} }
      assert_includes screen(sample_streams(**one), connections: 1),
                      "\nThe stream stayed open: 1 event in 5.0 s, 0.20/s.\n"
      lost = { sent: 4, received: 2, disordered: 0, repeated: 0, others: 0, unsent: 0 }
      assert_said(paragraph(screen(sample_talk(messages: lost), connections: 3), "2 messages"))
    end

    test "streams that nobody had time to open are told" do
      assert_said(paragraph(screen(connections: 10), "6 were"))
    end

    test "a server that answers nothing has no times" do
      none = sample_streams(opened: 0, failed: 4, dropped: 0, speaking: 0, events: 0, ends: {},
                            errors: { "refused" => 4 }, openings: stream_times,
                            firsts: stream_times, gaps: stream_times, first_failed: nil)
      text = screen(none)

      assert_includes text, "0 of 4 streams stayed open: 0 events in 5.0 s, 0.00/s.\n"
      assert_includes text, "4 not opened: refused 4\n"
      refute_includes text, "between events"
    end

    test "WebSockets have the times of their messages, and what became of them" do
      assert_said(screen(sample_talk, connections: 3))
    end

    # Four messages to three WebSockets, one of which one did not get.
    def fan_out
      missed = ["in_flight_at_end", 9]
      Load::Streams::FanOut.new(due: 12, came: 11, halves: stream_times(1, 2, 3, 4),
                                mosts: stream_times(2, 3, 4, missed),
                                alls: stream_times(3, 4, 5, missed))
    end

    test "messages to all have the times until they are there" do
      talk = sample_talk(fan_out:)
      text = screen(talk, connections: 3)
      figures = Exporters::Figures.of(Report::Document.envelope("load", streams_document(talk)))

      assert_said(paragraph(text, "until"))
      assert_said(paragraph(text, "until all"))
      assert_said(paragraph(text, "1 of"))
      assert_equal([2.0, 3.0, 4.0], %w[half_p50_ms fan_out_p50_ms all_p50_ms].map { |key|
        figures.find { |one| one.metric.key == key }.value
      })
    end

    # Four messages that were posted for three streams: one was refused, and one came to two.
    def published(**changes)
      aborted = ["in_flight_at_end", 9]
      fan_out = Load::Streams::FanOut.new(due: 9, came: 8, halves: stream_times(1, 2, 3, aborted),
                                          mosts: stream_times(2, 3, aborted, aborted),
                                          alls: stream_times(3, 4, aborted, aborted))
      messages = { sent: 3, received: 3, disordered: 0, repeated: 1, others: 6, unsent: 1 }
      Load::Streams::Result.new(
        **good_streams.to_h, fan_out:, messages:,
        echoes: stream_times(2, 3, 4, ["wrong_status", 1]),
        first_refused: Load::FailedResponse.new(error: "wrong_status", status: 403, bytes: "No"),
        **changes
      )
    end

    def published_screen(...) = screen(published(...), connections: 3, publish: "/publish?key=a")

    test "messages that are posted have the times until they are there, and of the answers" do
      assert_said(published_screen)
    end

    test "messages that came to all have nothing to say about it" do
      all = Load::Streams::FanOut.new(due: 9, came: 9, **%i[halves mosts alls].to_h { |name|
        [name, stream_times(1, 2, 3)]
      })
      messages = { sent: 3, received: 3, disordered: 0, repeated: 0, others: 6, unsent: 0 }
      good = { fan_out: all, messages:, echoes: stream_times(1, 2, 3), first_refused: nil }
      alone = ["in_flight_at_end", 1]
      unsent = { **good, messages: { **messages, sent: 0, unsent: 2 },
                         echoes: stream_times(alone, alone) }

      assert_includes published_screen(**good), "3 messages published in 5.0 s, which came to all."
      refute_match(/POST that|not published|repeated/, published_screen(**good))
      refute_includes published_screen(dropped: 1, ends: { "reset" => 1 }), "Redis" # those miss it
      assert_said(published_screen(**unsent)[/^2 messages.*\n.*$/])
      assert_equal %i[ok failed],
                   [good, {}].map { |one| outcome(published(**one), publish: "/publish") }
    end

    test "the document of messages that are posted is what docs/json.md says" do
      document = streams_document(published, publish: "/publish?key=a")
      whole = Report::Document.envelope("load", document)

      assert_empty JSONContract.new("`load --stream`").faults(whole)
      assert_equal ["sse", nil, nil, nil, 5],
                   [*document.values_at(:protocol, :first_event_ms, :gap_ms, :echo_ms),
                    document[:events][:count]]
      assert_equal({ "wrong_status" => 1 }, document[:publish][:by_class])
      assert_equal [3.0, 3.0], [document[:publish_ms][:p50], document[:most_ms][:p50]]
    end

    # A storm over two of its three WebSockets, of which one did not come back.
    def storm(**changes)
      Load::Storm::Result.new(
        share: 0.5, began_ns: 2_400_000_000, dropped: 2, back: 1, failed: 1,
        errors: { "refused" => 1 }, half_ns: 15_000_000, most_ns: nil, all_ns: nil, cut: 1,
        returns: stream_times(5, ["refused", 1]), before: stream_times(2, 4),
        during: stream_times(60, ["in_flight_at_end", 5000]), **changes
      )
    end

    test "of a storm, how soon connections were back and what the others saw" do
      assert_said(screen(sample_talk(storm:), connections: 3))
    end

    test "a storm's document is what docs/json.md says, and whoever is not back is a failure" do
      document = streams_document(sample_talk(storm:), connections: 3)
      whole = Report::Document.envelope("load", document)
      good = storm(back: 2, failed: 0, errors: {}, most_ns: 20_000_000, all_ns: 20_000_000)

      assert_empty JSONContract.new("`load --stream`").faults(whole)
      assert_equal [2400.0, 15.0, nil],
                   document[:storm].values_at(:began_ms, :half_back_ms, :all_back_ms)
      assert_equal 15.0, Exporters::Figures.of(whole).to_h { |one| [one.metric.key, one.value] }
                                           .fetch("back_p50_ms")
      assert_equal %i[ok failed], [good, storm].map { |one| outcome(streams_with(one)) }
      assert_includes screen(streams_with(good), connections: 3),
                      "half were back 15.0 ms, 99 % 20.0 ms, all 20.0 ms later. All 3"
    end

    def streams_with(storm) = Load::Streams::Result.new(**good_streams.to_h, storm:)

    test "a storm of which nobody is back, or that never came, is told" do
      nobody = storm(half_ns: nil, back: 0, failed: 2)
      early = storm(began_ns: nil, half_ns: nil, dropped: 0, back: 0, failed: 0, cut: 0,
                    returns: stream_times, before: stream_times, during: stream_times)

      assert_includes screen(streams_with(nobody), connections: 3), "2.40 s: not half was back."
      assert_said(paragraph(screen(streams_with(early), connections: 3), "The"))
    end

    test "a storm over all connections leaves no others" do
      all = storm(dropped: 3, back: 3, failed: 0, errors: {}, during: stream_times)
      text = screen(sample_talk(storm: all), connections: 3)

      refute_match(/meanwhile/, text)
      assert_said(paragraph(text, "before the drop:"))
    end

    test "WebSockets without messages, and messages that no connection took" do
      none = { sent: 0, received: 0, disordered: 0, repeated: 0, others: 0, unsent: 0 }
      idle = screen(sample_talk(messages: none, echoes: stream_times), connections: 3)
      assert_includes idle, "All 3 WebSockets stayed open for 5.0 s.\n"
      refute_includes idle, "come back"

      unsent = screen(sample_talk(messages: { **none, unsent: 7 }), connections: 3)
      assert_said(paragraph(unsent, "7 messages"))
      assert_includes unsent, "0 messages sent in 5.0 s.\n"
    end

    test "the document of WebSockets is what docs/json.md says" do
      document = Report::Document.envelope("load", streams_document(sample_talk))

      assert_empty JSONContract.new("`load --stream`").faults(document)
      assert_equal({ due: 4, sent: 4, received: 3, disordered: 1, repeated: 0, others: 2,
                     unsent: 0, lost: 1 }, document[:messages])
      assert_equal ["websocket", nil, nil],
                   document.values_at(:protocol, :events, :first_event_ms)
      assert_equal({ "echo_p50_ms" => 4.0, "error_share" => 0.0, "dropped_share" => 0.0,
                     "lost_share" => 0.25, "send_lag_p99_ms" => 0.0 },
                   Exporters::Figures.of(document).to_h { |one| [one.metric.key, one.value] })
    end

    test "a driver that was too busy is told" do
      busy = screen(sample_streams(driver_cpu_ns: 4_900_000_000))
      assert_said(paragraph(busy, "driver"))
    end

    test "the document is what docs/json.md says" do
      document = Report::Document.envelope("load", streams_document)

      assert_equal "load --stream", Exporters::Documents.kind(document)
      assert_empty JSONContract.new("`load --stream`").faults(document)
      assert_equal({ asked: 4, opened: 3, dropped: 1, speaking: 2, dropped_by: { "ended" => 1 } },
                   document[:streams])
      assert_equal [1, { "wrong_type" => 1 }],
                   document[:errors].values_at(:total, :by_class)
      assert_equal({ p90: 3.0, p99: 3.0, p999: 3.0, max: 3.0 },
                   document[:opening_ms][:more_than])
      assert_equal 1, document[:first_event_ms][:unanswered]
    end

    test "secrets that the server quotes are masked" do
      quoting = Load::FailedResponse.new(error: "wrong_status", status: 401,
                                         bytes: "no: s3cret-token")
      document = LoadRun::StreamDocument.new(
        sample_streams(first_failed: quoting), declared: streams_declared,
        redact: Secrets::Redaction.new(["s3cret-token"])
      ).document

      refute_includes document[:errors][:first_wrong][:bytes], "s3cret-token"
      assert_equal 401, document[:errors][:first_wrong][:status]
    end

    test "its figures are those of the document" do
      figures = Exporters::Figures.of(Report::Document.envelope("load", streams_document))

      assert_equal({ "events_per_s" => 1.0, "first_event_p50_ms" => 12.0,
                     "event_gap_p99_ms" => 1002.0, "error_share" => 0.25,
                     "dropped_share" => 0.333333333 },
                   figures.to_h { |one| [one.metric.key, one.value] })
    end

    def outcome(result, **declared)
      LoadRun::StreamDocument.outcome(streams_document(result, connections: 3, **declared))
    end

    test "all is well if every stream was opened and lasted, and an event or every message came" do
      good = good_streams
      assert_equal :ok, outcome(good)
      [{ opened: 2 }, { dropped: 1 }, { events: 0 }].each do |changes|
        changed = Load::Streams::Result.new(**good.to_h, **changes)
        assert_equal :failed, outcome(changed), changes.inspect
      end
      counts = { sent: 4, received: 4, disordered: 0, repeated: 0, others: 0, unsent: 0 }
      assert_equal :ok, outcome(sample_talk(messages: counts))
      [{ received: 3 }, { unsent: 1 }].each do |changes|
        talk = sample_talk(messages: { **counts, **changes })
        assert_equal :failed, outcome(talk), changes.inspect
      end
    end

    test "its page has the times, and what went wrong" do
      page = Exporters::Documents.fetch("html").new.call(
        Report::Document.envelope("load", streams_document)
      )

      ["2 of 4 streams stayed open", "p50 12.0 ms", "1 not opened: wrong_type 1",
       "1 dropped by the server: ended 1"].each { |text| assert_includes page, text }
    end

    LIVE = { asked: 3, opened: 3, failed: 1, dropped: 1, away: 0,
             speaking: 2, events: 0, bytes: 0 }.freeze

    test "progress has the streams that are open and the rate of events" do
      out, times = StringIO.new, [0, 5_000_000_000, 5_100_000_000, 10_000_000_000]
      clock = Struct.new(:times) { def mono_ns = times.shift }.new(times)
      progress = LoadRun::StreamProgress.new(out, live: false, clock:,
                                                  style: Report::Terminal::Style.new(width: 100))
      [500, 600, 3000].each do |events|
        progress.call(:live, { live: Load::Streams::Live.new(**LIVE, events:) })
      end
      progress.close

      assert_equal <<-TEXT, out.string
  5.0 s        100 events/s   open 2   dropped 1   errors 1
 10.0 s        500 events/s   open 2   dropped 1   errors 1
      TEXT
    end
  end
end
