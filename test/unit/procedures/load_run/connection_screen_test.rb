# frozen_string_literal: true

require "test_helper"

module Mohs
  # The document of a search for a number of connections, its screen and its progress.
  class ConnectionScreenTest < TestCase
    include SampleStreams
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-load-connections"

    def document(...) = Report::Document.envelope("load", found_connections_document(...))

    def screen(...) = Report::Terminal.new.call(document(...))

    test "the answer, and every load by its number of connections" do
      assert_said(screen)
    end

    test "how connections are opened, and what is sent" do
      arrivals = [Load::Arrivals.new(kind: :poisson, rate_per_s: 20, seed: 1)]
      text = screen(open_per_s: 50.0, websocket: true, fan_out: true, arrivals:)

      assert_said(paragraph(text, "31 s"))
    end

    test "what came of it in a sentence" do
      [{ outcome: "at_least", missed: nil, most: 400 }, { outcome: "at_least", missed: nil },
       { outcome: "none", kept: nil, missed: 1 }, { outcome: "gone", loads: [gone] },
       { outcome: "undecided", kept: nil },
       { outcome: "undecided", kept: nil, missed: nil, loads: [] },
       { outcome: "undecided", kept: nil, missed: nil }].each do |changes|
        assert_said(sentence(**changes))
      end
    end

    def sentence(**changes)
      Report::Views.of(document(found_connections(**changes))).headline
    end

    def gone
      load = found_connections.loads.last
      load.class.new(**load.to_h, opened: 0, errors: { "refused" => 399, "reset_fresh" => 1 })
    end

    REFUSED = Load::FailedResponse.new(error: "wrong_status", status: 404, bytes: "None 1234")

    # With as many POSTs of each load that got no 2xx.
    def unpublished(counts, **changes)
      loads = found_connections.loads.zip(counts).map do |load, count|
        load.class.new(**load.to_h, unposted: count.zero? ? {} : { "wrong_status" => count })
      end
      found_connections(loads:, first_refused: REFUSED, **changes)
    end

    test "messages that were not published are counted, and the first answer is shown" do
      publish = { publish: "/publish?key=a" }
      found = Report::Document.envelope("load", found_connections_document(unpublished([3, 0]),
                                                                           **publish))
      text = Report::Terminal.new.call(found)

      assert_match(/^ +400 +41\.2  kept$/, text)
      assert_match(/^ +420 .* 2 dropped, 3 not published \(wrong_status 3\)$/, text)
      assert_includes text, "\nPOST: the first answer to a POST that took no message had status " \
                            "404 and began \"None 1234\"\n"
      assert_empty JSONContract.new("`load --find-connections`").faults(found)
      refute_includes screen, "POST"
    end

    test "if none was published that is the answer" do
      text = screen(unpublished([7, 9], outcome: "unpublished", kept: nil, missed: nil),
                    publish: "/publish?key=a").split.join(" ")

      assert_includes text, "No message was published: no POST to /publish?key=[secret] was " \
                            "answered with 2xx (wrong_status 16)."
    end

    test "a load that the driver spoiled is told with its reason" do
      reason = Analysis::Finding.new(code: "driver_share.full", severity: :bad,
                                     values: { share: 0.98 })
      spoiled = found_connections.loads.map do |load|
        load.class.new(**load.to_h, outcome: "spoiled", reason:)
      end
      text = screen(found_connections(outcome: "spoiled", kept: nil, missed: nil, loads: spoiled))

      assert_said(paragraph(text, "The"))
      assert_match(/^ +400 +41\.2 +spoiled, /, text)
    end

    test "a range that stayed wide is told" do
      assert_said(paragraph(screen(found_connections(precise: false)), "range:"))
    end

    test "the document is what docs/json.md says, and so are its figures" do
      assert_equal "load --find-connections", Exporters::Documents.kind(document)
      assert_empty JSONContract.new("`load --find-connections`").faults(document)
      figure, = Exporters::Figures.of(document)
      assert_equal ["connections", 400, 400, 420, "found"],
                   [figure.metric.key, *figure.to_row.values_at(:value, :low, :high, :verdict)]
      good = %w[found at_least none gone unpublished spoiled undecided].select do |outcome|
        LoadRun::ConnectionDocument.outcome({ outcome: }) == :ok
      end
      assert_equal %w[found at_least], good
    end

    test "its page has the answer and the loads" do
      page = Exporters::Documents.fetch("html").new.call(document)
      ["with 400 connections, and not with 420", "400 connections kept it",
       "Against the number of connections",
       "420 connections: first event p99 &gt; 1.03 s"].each do |text|
        assert_includes page, text
      end
    end

    test "progress has a line for each load" do
      out, clock = StringIO.new, Struct.new(:mono_ns).new(5_000_000_000)
      progress = LoadRun::ConnectionProgress.new(
        out, live: false, clock:, limit: connection_limit,
             style: Report::Terminal::Style.new(width: 100)
      )
      progress.call(:load, { connections: 400, number: 1 })
      more, load = found_connections.loads
      progress.call(:loaded, { loaded: load, kept: 400, missed: nil })
      progress.call(:loaded, { loaded: more, kept: 400, missed: 420 })
      progress.close

      assert_equal <<-TEXT, out.string
   0.0 s  400 connections: first event p99 41.2 ms, kept; first event p99 < 200 ms with 400
   0.0 s  420 connections: first event p99 > 1.03 s, missed, 10 not opened, 2 dropped; first event p99 < 200 ms with 400, not with 420
      TEXT
    end
  end
end
