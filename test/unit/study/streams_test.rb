# frozen_string_literal: true

require "test_helper"

class StudyStreamsTest < Mohs::TestCase
  include Mohs::StudyBuild
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-study"

  Streams = Mohs::Study::Streams

  def requests(path = "/events", **options) = [Mohs::App::Request.build(path:, **options)]

  def streams(variants: %w[3.1.2], **declaration)
    build(variants:, requests: requests, streams: Streams.new, **declaration)
  end

  def mistake(&block) = assert_raises(Mohs::UsageError, &block).message

  def refusal(**declaration) = mistake { streams(**declaration) }

  test "a study of streams asks for them as a browser does, and survives JSON" do
    study = streams(streams: Streams.new(open_per_s: 50.0, slice_s: 2))
    stored = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

    assert_equal study, stored
    assert_equal [{ "Accept" => "text/event-stream" }, 10],
                 [study.requests.first.headers, study.load_connections]
    assert_equal [50.0, 2, "sse", nil], stored.streams.to_a.first(4)
    assert_equal 12, stored.streams.measure_s
    assert_nil build(variants: %w[3.1.2]).streams
  end

  test "connections and an Accept header of the user's stay" do
    given = requests(headers: { "accept" => "text/event-stream, */*" })
    study = streams(connections: 100, requests: given)

    assert_equal [100, given], [study.load_connections, study.requests]
  end

  test "what can't be measured with streams is refused" do
    assert_equal "streams take one request: --get /path.",
                 refusal(requests: requests + requests("/other"))
    assert_said(refusal(requests: requests(expect: "data")))
    assert_equal "streams exclude jobs.", refusal(requests: nil, jobs: Mohs::Study::Jobs.parse)
    assert_equal "streams exclude a cold start.",
                 refusal(cold_start: Mohs::Study::ColdStart.parse("10x10"))
    assert_equal "3.1.2, puma:1x5 unix: streams exclude unix.",
                 refusal(variants: ["3.1.2, puma:1x5 unix"])
    assert_said(refusal(variants: ["3.1.2, rate=100"]))
    assert_match(/a slice of 601 s/, assert_raises(Mohs::UsageError) do
      Streams.new(slice_s: 601)
    end.message)
  end

  def websockets(**options) = Streams.new(protocol: "websocket", **options)

  test "a study of WebSockets leaves its request to the driver, and survives JSON" do
    study = streams(streams: websockets(messages_per_s: 50))
    stored = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

    assert_equal study, stored
    assert_equal [requests, [], 50, true],
                 [study.requests, study.secrets, stored.streams.messages_per_s,
                  stored.streams.messages?]
    assert_equal [100, "echo"], [websockets.messages_per_s, websockets.timed]
    none = websockets(messages_per_s: 0)
    assert_equal [false, "opening"], [none.messages?, none.timed]
    assert_equal ["first-event", false], [Streams.new.timed, Streams.new.messages?]
  end

  CHANNEL = '{"channel":"ChatChannel"}'

  test "a channel is joined at /cable, and survives JSON" do
    study = streams(streams: websockets(channel: "ChatChannel", action: "say", fan_out: true),
                    requests: nil)
    stored = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))

    assert_equal study, stored
    assert_equal [["/cable"], "fan-out", "subscriptions", "messages"],
                 [study.requests.map(&:path), *%i[timed title counted].map { |name|
                   stored.streams.public_send(name)
                 }]
    assert_equal Mohs::Http::Cable.parse("ChatChannel", action: "say"), stored.streams.cable
    assert_nil websockets.cable
    assert_equal ["/other"], streams(streams: websockets(channel: CHANNEL),
                                     requests: requests("/other")).requests.map(&:path)
  end

  test "how many messages are sent depends on what becomes of them" do
    rates = { {} => 100, { channel: "A" } => 0, { channel: "A", action: "say" } => 100,
              { fan_out: true } => 10, { channel: "A", fan_out: true } => 10,
              { channel: "A", messages_per_s: 5 } => 5 }

    assert_equal rates.values, (rates.keys.map { |given| websockets(**given).messages_per_s })
    assert_equal %w[opening subscriptions],
                 [websockets(channel: "A").timed, websockets(channel: "A").counted]
    assert_said(*[{ action: "say" }, { fan_out: true, messages_per_s: 0 }, { channel: "{" }]
                   .map { |given| mistake { websockets(**given) } })
    [{ channel: "A" }, { fan_out: true }].each do |given|
      assert_raises(Mohs::UsageError) { Streams.new(**given) }
    end
  end

  test "messages that are posted go to all event streams, as the user who listens" do
    study = streams(streams: Streams.new(publish: "/publish"))
    stored = Mohs::Study.from_h(JSON.parse(JSON.generate(study.to_h), symbolize_names: true))
    given = stored.streams
    listening = requests(headers: { "Cookie" => "a=1", "accept" => "text/event-stream" }).first
    post = given.post(listening)

    assert_equal study, stored
    assert_equal [10, true, "fan-out", "streams", "messages"],
                 [given.messages_per_s, given.fan_out, given.timed, given.title, given.counted]
    assert_equal ["POST /publish", { "Cookie" => "a=1", "Content-Type" => "text/plain" }, 21],
                 [post.to_s, post.headers, post.body.bytesize]
    typed = requests(headers: { "content-type" => "text/vnd.a" }).first
    assert_equal({ "content-type" => "text/vnd.a" }, given.post(typed).headers)
    assert_nil Streams.new.post(listening)
    mistakes = [{ publish: "/a", messages_per_s: 0 }, { publish: "/a", protocol: "websocket" },
                { publish: "a" }, { fan_out: true }, { messages_per_s: 5 }]
    assert_said(*mistakes.map { |options| mistake { Streams.new(**options) } })
  end

  test "a POST that does not get 2xx publishes nothing" do
    streams = Streams.new(publish: "/publish")
    opened = Mohs::App::Answer.new(request: requests.first, status: 200, type: "text/event-stream")
    posts = []
    streams.verify(opened) { |post| (posts << post.to_s) && 204 }
    assert_equal ["POST /publish"], posts
    [302, 404, 500].each do |status|
      error = assert_raises(Mohs::TrialError) { streams.verify(opened) { status } }
      assert_equal :refused, error.state
      assert_said(error.message)
    end
  end

  test "what opens no WebSocket, and amounts that send no message, are refused" do
    refused = ->(request) { refusal(streams: websockets, requests: [request]) }
    given = { "sec-websocket-key" => "x" }

    assert_match(/needs a GET, not POST/, refused.call(requests(method: "POST").first))
    assert_match(/has a Sec-WebSocket-Key of its own/, refused.call(requests(headers: given).first))
    assert_said(refused.call(requests("/#{'a' * 65_001}").first))
    assert_equal "WebSockets exclude jobs.",
                 refusal(streams: websockets, requests: nil, jobs: Mohs::Study::Jobs.parse)
    assert_said(refusal(streams: websockets(open_per_s: 10.0)))
    assert streams(streams: websockets(open_per_s: 11.0))
    assert streams(streams: websockets(open_per_s: 1.0, messages_per_s: 0))
    mistakes = [{ protocol: "ws" }, { messages_per_s: 5 },
                { protocol: "websocket", messages_per_s: -1 }]
    assert_said(*mistakes.map { |options| mistake { Streams.new(**options) } })
  end

  test "a response opens a stream by its type, a WebSocket by its status" do
    answer = ->(**facts) { Mohs::App::Answer.new(request: requests.first, **facts) }
    failures = { Streams.new => [{ status: 200, type: "text/plain" }, { status: 200, type: nil }],
                 websockets => [{ status: 200, type: "text/event-stream" }] }
    said = failures.flat_map do |streams, answers|
      answers.map do |facts|
        error = assert_raises(Mohs::TrialError) { streams.verify(answer.call(**facts)) }
        error.message.delete_prefix("GET /events was answered with ")
      end
    end

    assert_said(*said)
    assert_nil Streams.new.verify(answer.call(status: 200, type: "text/event-stream"))
    assert_nil websockets.verify(answer.call(status: 101, type: nil))
  end

  test "a comparison of WebSockets is decided by echoes, or by openings if there are none" do
    compared = lambda do |messages_per_s, **rules|
      streams(streams: websockets(messages_per_s:), variants: %w[3.1.2 3.4.5], comparison: rules)
    end

    assert_equal %w[echo opening p99 held],
                 [[100, {}], [0, {}], [100, { metric: "p99" }], [100, { metric: "held" }]]
                   .map { |rate, rules| compared.call(rate, **rules).rules.metric }
    error = assert_raises(Mohs::UsageError) { compared.call(100, metric: "first-event") }
    assert_equal "WebSockets: compared by echo, held, per-connection, memory, boot, p99, not by " \
                 "first-event.", error.message
    fanned = websockets(channel: "A", fan_out: true)
    assert_equal "fan-out", streams(streams: fanned, variants: %w[3.1.2 3.4.5],
                                    comparison: {}).rules.metric
    gate = Mohs::Compare::Condition.parse("all < +5%")
    assert streams(streams: fanned, variants: %w[3.1.2 3.4.5], comparison: { gates: [gate] })
  end

  test "a comparison is decided by the first event, and refuses what streams don't have" do
    compared = ->(**rules) { streams(variants: %w[3.1.2 3.4.5], comparison: rules) }

    assert_equal %w[first-event memory],
                 [{}, { metric: "memory" }].map { |rules| compared.call(**rules).rules.metric }
    error = assert_raises(Mohs::UsageError) { compared.call(metric: "throughput") }
    assert_equal "streams: compared by first-event, held, per-connection, memory, boot, p99, not " \
                 "by throughput.", error.message
    error = assert_raises(Mohs::UsageError) do
      compared.call(gates: [Mohs::Compare::Condition.parse("p50 < +2%")])
    end
    assert_match(/not by p50\.\z/, error.message)
  end

  test "their metrics decide nothing without them" do
    [{ metric: "held" }, { gates: [Mohs::Compare::Condition.parse("echo < +5%")] }].each do |rules|
      error = assert_raises(Mohs::UsageError) do
        build(variants: %w[3.1.2 3.4.5], requests:, comparison: rules)
      end
      assert_said(error.message)
    end
  end

  test "another procedure refuses them" do
    error = assert_raises(Mohs::UsageError) do
      streams(variants: %w[3.1.2 3.4.5],
              comparison: { question: Mohs::Gate::Question.new(fails: 0.01, holds: 0.05) })
    end
    assert_said(error.message)
  end
end
