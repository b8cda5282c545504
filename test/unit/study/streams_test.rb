# frozen_string_literal: true

require "test_helper"

class StudyStreamsTest < Mohs::TestCase
  include Mohs::StudyBuild

  Streams = Mohs::Study::Streams

  def requests(path = "/events", **options) = [Mohs::App::Request.build(path:, **options)]

  def streams(variants: %w[3.1.2], **declaration)
    build(variants:, requests: requests, streams: Streams.new, **declaration)
  end

  def refusal(**declaration) = assert_raises(Mohs::UsageError) { streams(**declaration) }.message

  test "a study of streams asks for them as a browser does, and survives JSON" do
    study = streams(streams: Streams.new(open_per_s: 50.0, slice_s: 2))
    stored = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

    assert_equal study, stored
    assert_equal [{ "Accept" => "text/event-stream" }, 10],
                 [study.requests.first.headers, study.load_connections]
    assert_equal [50.0, 2, 12], [*stored.streams.to_a, stored.streams.measure_s]
    assert_nil build(variants: %w[3.1.2]).streams
  end

  test "connections and an Accept header of the user's stay" do
    given = requests(headers: { "accept" => "text/event-stream, */*" })
    study = streams(connections: 100, requests: given)

    assert_equal [100, given], [study.load_connections, study.requests]
  end

  test "what can't be measured with streams is refused" do
    assert_equal "streams take one request: --get /events.",
                 refusal(requests: requests + requests("/other"))
    assert_match(/streams exclude an expected text/, refusal(requests: requests(expect: "data")))
    assert_equal "streams exclude jobs.", refusal(requests: nil, jobs: Mohs::Study::Jobs.parse)
    assert_equal "streams exclude a cold start.",
                 refusal(cold_start: Mohs::Study::ColdStart.parse("10x10"))
    assert_equal "3.1.2, puma:1x5 unix: streams exclude unix.",
                 refusal(variants: ["3.1.2, puma:1x5 unix"])
    assert_match(/leave out rate=100: streams are opened at/,
                 refusal(variants: ["3.1.2, rate=100"]))
    assert_match(/a slice of 601 s/, assert_raises(Mohs::UsageError) do
      Streams.new(slice_s: 601)
    end.message)
  end

  test "a comparison is decided by the first event, and refuses what streams don't have" do
    compared = ->(**rules) { streams(variants: %w[3.1.2 3.4.5], comparison: rules) }

    assert_equal %w[first-event memory],
                 [{}, { metric: "memory" }].map { |rules| compared.call(**rules).rules.metric }
    error = assert_raises(Mohs::UsageError) { compared.call(metric: "throughput") }
    assert_equal "streams: compared by first-event, memory, boot, p99, not by throughput.",
                 error.message
    error = assert_raises(Mohs::UsageError) do
      compared.call(gates: [Mohs::Compare::Condition.parse("p50 < +2%")])
    end
    assert_match(/not by p50\.\z/, error.message)
  end

  test "another procedure refuses them" do
    error = assert_raises(Mohs::UsageError) do
      streams(variants: %w[3.1.2 3.4.5],
              comparison: { question: Mohs::Gate::Question.new(fails: 0.01, holds: 0.05) })
    end
    assert_equal "streams: mohs run and mohs compare measure them.", error.message
  end
end
