# frozen_string_literal: true

require "test_helper"

# What clients of a verification conclude from servers of known truth.
class VerificationClientTest < Mohs::TestCase
  Target = Struct.new(:host, :port, :unix, keyword_init: true)

  def client(script, **options)
    with_files do |folder|
      Mohs::FakeServer.open(script) do |server|
        target = Target.new(host: "127.0.0.1", port: server.port)
        yield Mohs::Verification::Client.new(target, folder:, **options), server
      end
    end
  end

  def asked(script, method, *arguments, **options)
    client(script, **options) { |client, _| return client.public_send(method, *arguments) }
  end

  def answer(body) = "HTTP/1.1 200 OK\r\nContent-Length: #{body.bytesize}\r\n\r\n#{body}"

  test "a connection is kept if a second answer comes on it" do
    assert asked(->(_) { :fine }, :kept?)
    %i[says_close until_close not_found truncated reset].each do |deed|
      refute asked(->(_) { deed }, :kept?), deed
    end
    refute asked(->(number) { number == 1 ? :fine : :reset }, :kept?)
  end

  test "a server answers if its answer is whole and good" do
    assert asked(->(_) { :fine }, :answered?)
    %i[close reset garbage half_header not_found one_byte_short].each do |deed|
      deed = [Mohs::FakeServer::DEEDS.fetch(deed).first, :close] if deed == :one_byte_short
      refute asked(->(_) { deed }, :answered?, answer_s: 1), deed
    end
  end

  test "requests that were held are those that were answered" do
    held = asked(->(number) { number.odd? ? answer("#{number} 8 1.0 2.0\n") : :reset }, :hold, 4, 0)

    assert_equal [1, 3], held.map(&:pid).sort
    assert_equal 2, Mohs::Verification::Client::Held.at_once(held)
  end

  test "a body was streamed if the application saw the client before its end" do
    head = "HTTP/1.1 200 OK\r\n\r\n"
    assert asked(->(_) { ["#{head}first\nseen\n", :close] }, :streamed?)
    ["first\nunseen\n", "first\n", "hello\n", ""].each do |body|
      refute asked(->(_) { ["#{head}#{body}", :close] }, :streamed?), body
    end
  end

  test "a WebSocket takes the right answer to its key" do
    switched = "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: AAAA\r\n\r\n\x81\x04ping"
    refute asked(->(_) { :fine }, :websocket?)
    refute asked(->(_) { [switched, :close] }, :websocket?)
  end

  test "half requests hold another up if that gets no answer" do
    assert asked(->(_) { :close }, :held_up?, 3)
    client(->(_) { :fine }) do |client, server|
      refute client.held_up?(3)
      assert_equal 4, server.accepted
    end
  end

  test "where nobody listens, nothing is concluded but that" do
    port = Mohs::Process::Port.lease(&:itself)
    client = Mohs::Verification::Client.new(Target.new(host: "127.0.0.1", port:), folder: "/none")
    client.leave

    assert_equal [false, false, false, false, []],
                 [client.answered?, client.kept?, client.streamed?, client.websocket?,
                  client.hold(2, 0)]
  end
end
