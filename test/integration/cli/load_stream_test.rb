# frozen_string_literal: true

require "test_helper"
require "digest"
require "websocket/driver"

# `mohs load --stream` in process, with the real driver and servers that send events.
class CLILoadStreamTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Served
  include Mohs::LoadHelper
  include Mohs::Screens

  # The golden file of its sentences (Screens#assert_said).
  SAID = "said-load-streams"

  HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n" \
         "Transfer-Encoding: chunked\r\n\r\n"

  def chunk(text) = "#{text.bytesize.to_s(16)}\r\n#{text}\r\n"

  # Sends so many events, the last in two pieces, and then calls the block.
  def events(count, requests = Queue.new)
    lambda do |socket|
      asked = socket.gets("\r\n\r\n") or next # only looked whether it can connect
      requests << asked
      socket.write(HEAD)
      count.times { |number| socket.write(chunk("id: #{number}\ndata: hel"), chunk("lo\n\n")) }
      yield socket if block_given?
      socket.read
    end
  end

  def loaded(port, *options)
    load("127.0.0.1:#{port}/events", "--stream", "-c", "8", "-d", "700ms", "--json", *options)
  end

  test "every event of every stream is counted" do
    requests = Queue.new
    output = open_raw(events(3, requests)) do |port|
      loaded(port, "--header", "Authorization: Bearer s3cret-s3cret")
    end
    json = output.json

    assert_equal 0, output.status
    assert_empty Mohs::JSONContract.new("`load --stream`").faults(json)
    assert_equal({ asked: 8, opened: 8, dropped: 0, speaking: 8, dropped_by: {} }, json[:streams])
    assert_equal({ count: 24, bytes: 120 }, json[:events])
    assert_equal 8, requests.size
    first = requests.pop
    assert_match(%r{\AGET /events HTTP/1\.1\r\n}, first)
    assert_includes first, "\r\nAccept: text/event-stream\r\n"
    assert_includes first, "\r\nAuthorization: Bearer s3cret-s3cret\r\n"
    refute_includes output.out + output.err, "s3cret-s3cret"
    assert_match(/event streams, 8 opened at 57\.1\/s/, output.err)
  end

  test "streams that the server ends are dropped" do
    output = open_raw(events(1) { |socket| socket.write("0\r\n\r\n") && socket.close }) do |port|
      loaded(port)
    end

    assert_equal 1, output.status
    assert_equal({ asked: 8, opened: 8, dropped: 8, speaking: 8, dropped_by: { ended: 8 } },
                 output.json[:streams])
  end

  test "streams without a single event are a failure" do
    output = open_raw(events(0)) { |port| loaded(port) }

    assert_equal 1, output.status
    assert_equal [8, 0], [output.json[:streams][:opened], output.json[:events][:count]]
  end

  test "a page is no event stream" do
    served do |port|
      output = load("127.0.0.1:#{port}/", "--stream", "-c", "2", "-d", "700ms")

      assert_equal 1, output.status
      assert_includes output.out, "0 of 2 streams stayed open"
      assert_includes output.out, "2 not opened: wrong_type 2\n"
      assert_includes output.out, 'no event stream had status 200 and began "ok"'
    end
  end

  test "a unix socket's streams, opened at a given rate until the time is over" do
    Dir.mktmpdir do |dir|
      path = File.join(dir, "a.sock")
      UNIXServer.open(path) do |server|
        accepting = Thread.new { loop { Thread.new(server.accept, &events(2)) } }
        output = load("localhost/events", "--unix", path, "--stream", "-c", "1000", "-d", "500ms",
                      "--open-rate", "20", "--json")
        accepting.kill.join
        json = output.json

        assert_equal 1, output.status
        assert_equal 10, json[:streams][:asked]
        assert_equal json[:streams][:asked], json[:streams][:opened]
        assert_equal 2 * json[:streams][:opened], json[:events][:count]
      end
    end
  end

  # Sends what is posted to /publish to all streams, but for every so many-th.
  def hub(posts, refused: nil)
    listeners = Queue.new
    lambda do |socket|
      while (head = socket.gets("\r\n\r\n"))
        next socket.write(HEAD) && (listeners << socket) if head.start_with?("GET")

        posts << head
        text = socket.read(21)
        next socket.write("HTTP/1.1 422 No\r\nContent-Length: 4\r\n\r\nCSRF") if
          refused && (posts.size % refused).zero?

        Array.new(listeners.size) { listeners.pop }.each do |one|
          one.write(chunk("data: #{text}\n\n"))
          listeners << one
        end
        socket.write("HTTP/1.1 204 No Content\r\n\r\n")
      end
    rescue SystemCallError
      nil # a client has gone
    end
  end

  test "what is posted comes to all streams" do
    posts = Queue.new
    output = open_raw(hub(posts)) do |port|
      loaded(port, "--publish", "/publish", "--rate", "50", "--header", "Cookie: a=1")
    end
    json = output.json

    assert_equal 0, output.status
    assert_empty Mohs::JSONContract.new("`load --stream`").faults(json)
    assert_equal posts.size, json[:messages][:sent]
    assert_equal [8 * posts.size] * 3,
                 [*json[:fan_out].values_at(:due, :came), json[:events][:count]]
    assert_equal 0, json[:all_ms][:unanswered]
    assert_operator json[:publish_ms][:p50], :>, 0
    head = posts.pop
    assert_match(%r{\APOST /publish HTTP/1\.1\r\n}, head)
    assert_includes head, "\r\nCookie: a=1\r\n"
    refute_includes head, "Accept"
    assert_includes output.err, "50 messages/s due by POST /publish, each to all connections"
  end

  test "a POST that is refused is a message that was not sent" do
    output = open_raw(hub(Queue.new, refused: 5)) do |port|
      load("127.0.0.1:#{port}/events", "--stream", "--publish", "/publish", "--rate", "50", "-c",
           "4", "-d", "900ms")
    end

    assert_equal 1, output.status
    assert_includes output.out, 'no message had status 422 and began "CSRF"'
    assert_match(/^\d messages not published, which rank as slower than all others: the POST/,
                 output.out)
  end

  # The first stream is never opened, so that the load goes on; the others end after 0.3 s. A POST
  # takes half as long.
  def leaving(posts)
    turn = Queue.new
    lambda do |socket|
      while (head = socket.gets("\r\n\r\n"))
        if head.start_with?("GET")
          next socket.read if (turn << 1).size == 1

          socket.write(HEAD)
          break sleep(0.3)
        end
        posts << socket.read(21)
        sleep 0.15
        socket.write("HTTP/1.1 204 No Content\r\n\r\n")
      end
    rescue SystemCallError
      nil # the client has gone
    end
  end

  test "a message whose turn comes when nobody listens is not posted" do
    posts = Queue.new
    output = open_raw(leaving(posts)) do |port|
      load("127.0.0.1:#{port}/events", "--stream", "--publish", "/publish", "--rate", "50", "-c",
           "3", "-d", "1s", "--open-rate", "100")
    end

    text = output.out.split.join(" ")

    assert_operator posts.size, :<, 6
    assert_match(/ #{posts.size} messages? published .* came to a connection 0 of \d+ times/, text)
    assert_includes text, "no stream was open, or the POST was not answered before the end"
  end

  test "Ctrl-C ends it with what came until then" do
    output = open_raw(events(1)) do |port|
      load("127.0.0.1:#{port}/events", "--stream", "-c", "2", err: Impatient.new)
    end

    assert_equal 130, output.status
    assert_match(/streams? stayed open/, output.out)
  end

  { "TERM" => 143, "HUP" => 129 }.each do |signal, status|
    test "#{signal} ends it, too, with what came until then and status #{status}" do
      output = open_raw(events(1)) do |port|
        load("127.0.0.1:#{port}/events", "--stream", "-c", "2",
             err: Impatient.new(deed: -> { ::Process.kill(signal, ::Process.pid) && sleep(5) }))
      end

      assert_equal status, output.status
      assert_match(/streams? stayed open/, output.out)
    end
  end

  test "options that make no sense with streams are refused" do
    { %w[-n 5] => "-n", %w[--batches 2x2] => "--batches", %w[--close] => "--close",
      %w[-t 2] => "-t", %w[--rate 5] => "--rate", %w[--driver wrk] => "--driver",
      ["--find-rate", "p99 < 5ms"] => "--find-rate", %w[--csv a.csv] => "--csv",
      %w[--max-connections 20] => "--max-connections", %w[--spin] => "--spin" }
      .each do |options, name|
        output = load("127.0.0.1:1", "--stream", *options)
        assert_equal 2, output.status
        assert_includes output.err, "mohs: --stream excludes #{name}."
      end
  end

  GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  # Upgrades, and sends back each frame for which the block is true.
  def echo(requests = Queue.new, more: "")
    lambda do |socket|
      head = socket.gets("\r\n\r\n") or next
      requests << head
      proof = [Digest::SHA1.digest(head[/^Sec-WebSocket-Key: (\S+)/, 1] + GUID)].pack("m0")
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n" \
                   "Connection: Upgrade\r\nSec-WebSocket-Accept: #{proof}\r\n#{more}\r\n")
      while (frame = frame(socket))
        socket.write(frame) if !block_given? || yield(frame)
      end
    end
  end

  # The next frame without its mask; nil for one that closes.
  def frame(socket)
    first, length = socket.read(2)&.bytes
    return if first.nil? || first & 15 == 8

    mask, data = socket.read(4).bytes, socket.read(length & 127).bytes
    [first, length & 127, *data.each_with_index.map { |byte, at| byte ^ mask[at % 4] }].pack("C*")
  end

  def talked(serve, *options)
    open_raw(serve) do |port|
      load("127.0.0.1:#{port}/cable", "--websocket", "-c", "4", "-d", "700ms", "--open-rate", "40",
           "--json", *options)
    end
  end

  test "every message of every WebSocket comes back" do
    requests = Queue.new
    output = talked(echo(requests), "--rate", "100", "--header",
                    "Sec-WebSocket-Protocol: actioncable-v1-json")
    json = output.json

    assert_equal 0, output.status
    assert_empty Mohs::JSONContract.new("`load --stream`").faults(json)
    assert_equal "websocket", json[:protocol]
    assert_equal({ asked: 4, opened: 4, dropped: 0, speaking: 0, dropped_by: {} }, json[:streams])
    assert_equal({ due: 60, sent: 60, received: 60, disordered: 0, repeated: 0, others: 0,
                   unsent: 0, lost: 0 }, json[:messages]) # from 0.1 s on
    heads = Array.new(4) { requests.pop }
    assert_equal 4, heads.map { |head| head[/^Sec-WebSocket-Key: (\S{22}==)\r$/, 1] }.uniq.size
    assert_match(/^Connection: Upgrade\r\nUpgrade: websocket\r\n/, heads.first)
    assert_includes heads.first, "\r\nSec-WebSocket-Protocol: actioncable-v1-json\r\n"
    assert_match(%r{WebSockets, 4 opened at 40\.0/s, 100 messages/s due}, output.err)
  end

  # The server's side of another implementation (that of the browser tests), which pings before it
  # answers.
  def driven(pongs)
    lambda do |socket|
      driver = WebSocket::Driver.server(socket)
      driver.on(:connect) { driver.start }
      driver.on(:message) do |message|
        driver.ping(message.data) { pongs << message.data }
        driver.text(message.data)
      end
      driver.on(:close) { socket.close }
      loop { driver.parse(socket.readpartial(4096)) }
    end
  end

  test "another implementation of WebSocket finds nothing wrong with ours" do
    pongs = Queue.new
    output = talked(driven(pongs), "--rate", "100")

    assert_equal 0, output.status
    assert_equal [60, 60, 0], output.json[:messages].values_at(:sent, :received, :others)
    assert_operator pongs.size, :>, 50 # the server may be gone before it reads the last ones
    assert_match(/\Amohs \h{16}\z/, pongs.pop)
  end

  # ActionCable's side of a channel that echoes, by another implementation of WebSocket. Yields each
  # command; what the block returns is sent.
  def cable
    lambda do |socket|
      driver = WebSocket::Driver.server(socket, protocols: ["actioncable-v1-json"])
      driver.on(:connect) { driver.start }
      driver.on(:open) { driver.text(JSON.generate({ type: "welcome" })) }
      driver.on(:message) do |message|
        said = JSON.parse(message.data, symbolize_names: true)
        yield(said).each { |one| driver.text(JSON.generate(one)) }
      end
      driver.on(:close) { socket.close }
      loop { driver.parse(socket.readpartial(4096)) }
    end
  end

  PING = { type: "ping", message: 1_764_380_000 }.freeze

  def joined(said)
    identifier = said[:identifier]
    return [PING, { identifier:, type: "confirm_subscription" }] if said[:command] == "subscribe"

    [{ identifier:, message: JSON.parse(said[:data]) }]
  end

  def subscribed(serve, *options)
    open_raw(serve) do |port|
      load("127.0.0.1:#{port}", "--cable", "EchoChannel", "-c", "4", "-d", "700ms",
           "--open-rate", "40", *options)
    end
  end

  test "each connection joins its channel, and messages come back within ActionCable's" do
    output = subscribed(cable { |said| joined(said) }, "--rate", "100", "--json")
    json = output.json

    assert_equal 0, output.status, output.err
    assert_empty Mohs::JSONContract.new("`load --stream`").faults(json)
    assert_equal ["websocket", "{\"channel\":\"EchoChannel\"}"], json.values_at(:protocol, :channel)
    assert_equal [4, 0], json[:streams].values_at(:opened, :dropped)
    assert_equal [60, 60, 0, 0], json[:messages].values_at(:sent, :received, :others, :lost)
    assert_match(%r{GET /cable at .*, each joins \{"channel":"EchoChannel"\}, 4 opened}, output.err)
  end

  test "a channel that rejects, or says nothing, is not joined, and the reader is told why" do
    no = cable { |said| [{ **said.slice(:identifier), type: "reject_subscription" }] }
    bye = cable { |_| [{ type: "disconnect", reason: "unauthorized", reconnect: false }] }
    silent = cable { |_| [] }
    outputs = [no, bye, silent].map { |serve| subscribed(serve) }

    assert_equal [1, 1, 1], outputs.map(&:status)
    assert_includes outputs[0].out, "4 not opened: rejected 4\n"
    assert_includes outputs[1].out, "4 not opened: rejected 4\n"
    assert_includes outputs[0].out, "the server rejected {\"channel\":\"EchoChannel\"}"
    assert_includes outputs[2].out, "4 not opened: in_flight_at_end 4\n"
    assert_includes outputs[2].out.split.join(" "), "has the application such a channel?"
  end

  # Sends each message to all connections, but for those that the block leaves out.
  def broadcast
    drivers, turn = [], Mutex.new
    lambda do |socket|
      driver = WebSocket::Driver.server(socket)
      driver.on(:connect) { driver.start }
      driver.on(:open) { turn.synchronize { drivers << driver } }
      driver.on(:message) do |message|
        turn.synchronize do
          drivers.each_with_index do |one, at|
            one.text(message.data) unless block_given? && yield(at)
          rescue SystemCallError
            next # it has gone
          end
        end
      end
      driver.on(:close) { turn.synchronize { drivers.delete(driver) && socket.close } }
      loop { driver.parse(socket.readpartial(4096)) }
    ensure
      turn.synchronize { drivers.delete(driver) }
    end
  end

  test "a message to all is waited for at all connections" do
    output = talked(broadcast, "--rate", "100", "--fan-out")
    json = output.json

    assert_equal 0, output.status, output.err
    assert_empty Mohs::JSONContract.new("`load --stream`").faults(json)
    due, came = json[:fan_out].values_at(:due, :came)
    assert_equal due, came
    assert_includes 61..240, due # on a busy host not all connections are open at first
    assert_equal [60, 0, 0], json[:messages].values_at(:received, :others, :repeated)
    times = json.values_at(:half_ms, :most_ms, :all_ms)
    assert_equal [0] * 3, (times.map { |one| one[:unanswered] })
    assert_equal times.map { |one| one[:p50] }.sort, (times.map { |one| one[:p50] })
    assert_includes output.err, "100 messages/s due, each to all connections"
  end

  # It waits for what is missing until Load::Streams::DRAIN_S is over.
  slow_test "connections that a message does not come to are counted" do
    json = talked(broadcast { |at| at == 3 }, "--rate", "100", "--fan-out").json

    due, came = json[:fan_out].values_at(:due, :came)
    assert_includes 1..60, due - came
    unanswered = %i[half_ms most_ms all_ms].map { |name| json[name][:unanswered] }
    assert_equal [0, due - came, due - came], unanswered
  end

  test "connections that mohs drops are opened again, and their messages cut off are no loss" do
    requests = Queue.new
    streams = open_raw(events(2, requests)) { |port| loaded(port, "--drop", "50%") }
    storm = streams.json[:storm]

    assert_equal 0, streams.status, streams.err
    assert_empty Mohs::JSONContract.new("`load --stream`").faults(streams.json)
    assert_equal [0.5, 4, 4, 0], storm.values_at(:share, :dropped, :back, :failed)
    assert_equal 12, requests.size
    # 245 ms after all are open, and as long before the end the last has to be opened again.
    assert_operator storm[:began_ms], :>=, 385
    assert_equal({ count: 24, bytes: 120 }, streams.json[:events])
    assert_includes streams.err, "50 % dropped after 0.38 s"

    talk = talked(broadcast, "--rate", "100", "--fan-out", "--drop", "50%")
    messages, storm = talk.json.values_at(:messages, :storm)

    assert_equal 0, talk.status, talk.err
    assert_equal [2, 2], storm.values_at(:dropped, :back)
    assert_equal messages[:sent], messages[:received]
    assert_includes 0..storm[:cut], 60 - messages[:due]
    assert_equal talk.json[:fan_out][:due], talk.json[:fan_out][:came]
  end

  # Serves so many streams at a time, and closes what is more.
  def few(most)
    open, turn = 0, Mutex.new
    lambda do |socket|
      socket.gets("\r\n\r\n") or next
      taken = turn.synchronize { (open += 1) <= most }
      socket.write(HEAD, chunk("data: a\n\n")) if taken
      socket.read if taken
    ensure
      turn.synchronize { open -= 1 } if open.positive?
    end
  end

  slow_test "a search finds how many connections a server holds" do
    output = open_raw(few(7)) do |port|
      load("127.0.0.1:#{port}/events", "--stream", "-c", "2", "-d", "1m", "--json",
           "--find-connections", "first event p50 < 1s")
    end

    json = output.json
    assert_equal 0, output.status, output.err
    assert_empty Mohs::JSONContract.new("`load --find-connections`").faults(json)
    assert_equal ["found", 7, 8, true], json.values_at(:outcome, :kept, :missed, :precise)
    assert_includes output.err, "event streams, the most connections with first event p50 < 1 s"
    assert_match(/ 4 connections: first event p50 [\d.]+ ms, kept; .* with 4$/, output.err)
  end

  test "a limit that the load does not have, and what excludes a search, are refused" do
    with = ->(limit, *options) { [*options, "--find-connections", limit] }
    assert_refused(with["echo p99 < 1s", "--stream"],
                   with["fan-out p99 < 1s", "--websocket", "--rate", "5"],
                   with["echo p99 < 1s", "--websocket"],
                   with["first event p99 < 1s", "--websocket"],
                   with["opening p99 < 1s", "--stream", "-d", "5s"],
                   with["opening p99 < 1s", "--stream", "--drop", "5%"],
                   with["p99 < 1s", "--stream"], with["opening p99 < 1s"])
  end

  test "what only a channel or messages have is refused without them" do
    assert_refused(%w[--action say], %w[--websocket --action say], %w[--fan-out],
                   %w[--websocket --fan-out], %w[--stream --fan-out], %w[--stream --publish /a],
                   %w[--publish /a], %w[--stream --cable A], %w[--drop 20%], %w[--stream --drop 20],
                   %w[--stream --drop 0%], %w[--stream --drop 101%],
                   %w[--stream --drop 100% --open-rate 2])
  end

  test "a server may choose only a protocol that was offered" do
    chosen = "Sec-WebSocket-Protocol: actioncable-v1-json\r\n"
    refused = talked(echo(more: chosen))
    assert_equal({ bad_upgrade: 4 }, refused.json[:errors][:by_class])

    offered = talked(echo(more: chosen), "--header",
                     "Sec-WebSocket-Protocol: other, actioncable-v1-json")
    assert_equal [0, 4], [offered.status, offered.json[:streams][:opened]]
  end

  test "WebSockets without messages are held" do
    held = talked(echo)

    assert_equal 0, held.status
    assert_equal [0, nil], [held.json[:messages][:due], held.json[:echo_ms]]
  end

  # It waits for them until Load::Streams::DRAIN_S is over.
  slow_test "messages that do not come back are lost" do
    count = 0
    output = talked(echo { (count += 1) % 10 != 0 }, "--rate", "100")

    assert_equal 1, output.status
    assert_equal [60, 54, 6], output.json[:messages].values_at(:sent, :received, :lost)
  end

  test "a search says how long a load waits for messages" do
    last = nil
    open_raw(echo { false }) do |port|
      declared = Mohs::LoadRun::Declaration.new(
        server: Mohs::LoadRun::Server.new(host: "127.0.0.1", port:, path: "/cable", owned: false),
        requests: [Mohs::App::Request.build(path: "/cable")], connections: 2, open_per_s: 100,
        duration_s: 0.3, websocket: true, argv: %w[load],
        arrivals: [Mohs::Load::Arrivals.new(kind: :constant, rate_per_s: 50)]
      )
      found = Mohs::LoadRun::StreamLoad.new(declared).load(drain_s: 0.1)
      last = found.echoes.ranked(:response, [1]).first
    end

    assert last.more
    assert_includes (100_000_000...(Mohs::Load::Streams::DRAIN_S * 1_000_000_000)), last.ns
  end

  test "a page is no upgrade" do
    served do |port|
      output = load("127.0.0.1:#{port}/", "--websocket", "-c", "2", "-d", "700ms")

      assert_equal 1, output.status
      assert_includes output.out, "0 of 2 WebSockets stayed open"
      assert_includes output.out, "2 not opened: wrong_status 2\n"
      assert_includes output.out, 'that was no upgrade had status 200 and began "ok"'
    end
  end

  test "rates and times that WebSockets can't have are refused" do
    assert_refused(*[%w[--rate 5,10], %w[--stream], %w[--rate 5 --open-rate 1]]
                      .map { |options| ["--websocket", *options] })
  end

  test "a rate that is none, or is for nothing, and several requests are refused" do
    assert_refused(%w[--stream --open-rate 0], %w[--open-rate 5], %w[--stream --open-rate x])
    served do |port|
      assert_refused(%w[--stream --get /a --get /b], %w[--stream --expect hi],
                     ["--websocket", "-H", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="],
                     ["--websocket", "-H", "Cookie: #{'a' * 70_000}"],
                     %w[--websocket --post /a], %w[--websocket --poisson], port:)
    end
  end

  # Command lines that are mistakes, each with what it says.
  def assert_refused(*lines, port: 1)
    outputs = lines.map { |options| load("127.0.0.1:#{port}", *options) }

    assert_equal [2], outputs.map(&:status).uniq
    assert_said(*outputs.map { |output| output.err.split.join(" ") })
  end
end
