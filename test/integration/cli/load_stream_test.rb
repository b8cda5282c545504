# frozen_string_literal: true

require "test_helper"

# `mohs load --stream` in process, with the real driver and servers that send events.
class CLILoadStreamTest < Mohs::TestCase
  include Mohs::CLIHelper
  include Mohs::Served
  include Mohs::LoadHelper

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

  test "Ctrl-C ends it with what came until then" do
    output = open_raw(events(1)) do |port|
      load("127.0.0.1:#{port}/events", "--stream", "-c", "2", err: Impatient.new)
    end

    assert_equal 130, output.status
    assert_match(/streams? stayed open/, output.out)
  end

  test "options that make no sense with streams are refused" do
    { %w[-n 5] => "-n", %w[--batches 2x2] => "--batches", %w[--close] => "--close",
      %w[-t 2] => "-t", %w[--rate 5] => "--rate and --times", %w[--driver wrk] => "--driver",
      ["--find-rate", "p99 < 5ms"] => "--find-rate", %w[--csv a.csv] => "--csv" }
      .each do |options, name|
        output = load("127.0.0.1:1", "--stream", *options)
        assert_equal 2, output.status
        assert_includes output.err, "mohs: --stream excludes #{name}."
      end
  end

  test "a rate that is none, or is for nothing, and several requests are refused" do
    { %w[--stream --open-rate 0] => "--open-rate 0: a number", %w[--open-rate 5] => "is for --stream",
      %w[--stream --open-rate x] => "--open-rate x: a number" }.each do |options, message|
      output = load("127.0.0.1:1", *options)
      assert_equal 2, output.status
      assert_includes output.err, message
    end
    served do |port|
      output = load("127.0.0.1:#{port}", "--stream", "--get", "/a", "--get", "/b")
      assert_equal [2, true], [output.status, output.err.include?("--stream takes one request")]
    end
  end
end
