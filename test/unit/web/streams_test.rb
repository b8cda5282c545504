# frozen_string_literal: true

require "test_helper"

# Server-sent events, and when they end.
class WebStreamsTest < Mohs::TestCase
  def setup
    super
    @streams = Mohs::Web::Streams.new
    @pauses = 0
    pauses = -> { @pauses += 1 }
    @streams.define_singleton_method(:pause) { pauses.call < 9 }
  end

  def written(body) = [].tap { |all| body.each { |text| all << text } }

  test "an event is written where it changed, else a comment, and the last one ends it" do
    events = [%w[rows 1], %w[rows 1], %w[rows 2], %w[end {}], %w[rows 3]]

    assert_equal ["event: rows\ndata: 1\n\n", ":\n\n", "event: rows\ndata: 2\n\n",
                  "event: end\ndata: {}\n\n"], written(@streams.open { events.shift })
  end

  test "data stay in their line" do
    assert_equal ["event: rows\ndata: a event: end  data: b\n\n"],
                 written(@streams.open { ["rows", "a\nevent: end\r\ndata: b"] }).first(1)
  end

  test "an error of the store ends it, a fault of ours does not pass for one" do
    assert_empty written(@streams.open { raise Mohs::StoreError, "locked" })
    assert_raises(RuntimeError) { written(@streams.open { raise "boom" }) }
  end

  test "there are only so many, and each leaves once" do
    all = Array.new(Mohs::Web::Streams::MOST) { @streams.open { nil } }

    assert_nil @streams.open { nil }
    2.times { all.first.close }
    refute_nil @streams.open { nil }
    assert_nil @streams.open { nil }
  end

  test "once stopped none waits, and none is opened" do
    streams = Mohs::Web::Streams.new
    body = streams.open { %w[rows 1] }
    streams.stop

    refute streams.pause
    assert_nil streams.open { nil }
    assert_equal 1, written(body).size
  end

  test "one that waits is woken" do
    streams = Mohs::Web::Streams.new
    streams.singleton_class.const_set(:PERIOD_S, 60)
    waiting = Thread.new { streams.pause }
    Thread.pass until waiting.stop?
    streams.stop

    refute waiting.value
  end
end
