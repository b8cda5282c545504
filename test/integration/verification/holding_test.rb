# frozen_string_literal: true

require "test_helper"

# How many connections servers of known truth hold.
class VerificationHoldingTest < Mohs::TestCase
  Target = Struct.new(:host, :port, :unix, keyword_init: true)
  Holding = Mohs::Verification::Holding

  BEGUN = "HTTP/1.1 200 OK\r\n\r\ndata: first\n\n"
  WHOLE = ["#{BEGUN}data: last\n\n", :hang].freeze

  # The number of those held, and how many requests the server has read.
  def held(script, limit, streams:)
    with_files do |folder|
      Mohs::FakeServer.open(script) do |server|
        target = Target.new(host: "127.0.0.1", port: server.port)
        holding = Holding.new(target, folder:, at_once_s: 0.2, hold_s: 0.1, begin_s: 0.5)
        return [holding.count(limit, streams:), server.requests]
      end
    end
  end

  # Each of the first three streams is followed by an ordinary request: 1, 3, 5 are streams.
  def streams(others = {})
    ->(number) { others.fetch(number) { number.odd? ? WHOLE : :fine } }
  end

  def unanswered(from) = Array.new(Holding::TRIES) { |more| [from + more, :hang] }.to_h

  test "streams are held as long as others are answered beside them" do
    assert_equal [3, 7], held(streams(7 => :fine), 3, streams: true)
    assert_equal [2, 10], held(streams(**unanswered(6), 9 => :fine, 10 => :fine), 3, streams: true)
    assert_equal [0, 6], held(streams(**unanswered(2), 5 => :fine, 6 => :fine), 9, streams: true)
  end

  test "as many as are held are opened at once, and singly after that was too many" do
    s, c, n = WHOLE, :fine, :hang
    [[[s, c, s, c, s, s, c, s, s, s, s, c, c], 8, 8], # 1, 2, 4, 8, and the last request
     [[s, c, s, c, s, s, n, n, n, c, s, c, s, n, n, n, c, c], 8, 3],
     [[s, c, s, c, s, s, c, s, s, c, c], 6, 6]].each do |deeds, limit, count|
      assert_equal [count, deeds.size], held(->(number) { deeds.fetch(number - 1) }, limit,
                                             streams: true)
    end
  end

  test "a server that is late once still answers" do
    deeds = [WHOLE, :hang, :fine, WHOLE, :fine, WHOLE, :fine, :fine]

    assert_equal [3, 8], held(->(number) { deeds.fetch(number - 1) }, 3, streams: true)
  end

  test "a stream that does not begin is not held, and none is tried after it" do
    [:hang, :fine, :close, :not_found].each do |deed|
      assert_equal [1, 5], held(streams(3 => deed, 4 => :fine, 5 => :fine), 9, streams: true), deed
    end
  end

  test "a stream that ends before it is told to is not held" do
    assert_equal [2, 7], held(streams(3 => [BEGUN, :close], 7 => :fine), 3, streams: true)
  end

  test "nothing is held if in the end nobody else is answered" do
    assert_equal [0, 9], held(streams(unanswered(7)), 3, streams: true)
  end

  test "a kept connection is held if it is answered again" do
    assert_equal [3, 10], held(->(_) { :fine }, 3, streams: false)
    closed = [Mohs::FakeServer::FINE, :close]
    assert_equal [2, 9], held(->(number) { number == 3 ? closed : :fine }, 3, streams: false)
  end

  test "where nobody listens, nothing is held" do
    port = Mohs::Process::Port.lease(&:itself)
    target = Target.new(host: "127.0.0.1", port:)

    assert_equal 0, Holding.new(target, folder: "/none", hold_s: 0).count(3, streams: false)
  end
end
