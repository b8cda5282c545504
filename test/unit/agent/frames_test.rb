# frozen_string_literal: true

require "stringio"
require "test_helper"

module Mohs
  # Messages between mohs and its agent.
  class AgentFramesTest < TestCase
    include Screens

    def sent(*messages)
      io = StringIO.new("".b)
      frames = Agent::Frames.new(StringIO.new, io)
      messages.each { |message| frames.write(message) }
      io.string
    end

    def reader(bytes) = Agent::Frames.new(StringIO.new(bytes), StringIO.new)

    test "a message arrives as it was, bytes and symbols too" do
      all = (0..255).to_a.pack("C*")
      target = { address: all, mode: :exact, body: "\n[1]\n".b, text: "ü", rate: 0.1, none: nil,
                 yes: true }
      message = { do: "engine", options: { targets: [target] } }
      frames = reader(sent(message, { do: "stop" }))

      assert_equal [message, { do: "stop" }, nil], Array.new(3) { frames.read }
    end

    test "no more is kept of what a shell prints than its last lines, however long they are" do
      long = "x" * ((3 * Agent::Frames::SHELL_LINE) + 7)
      there, said = reader("first\n#{long}\n#{Agent::Frames::GREETING}\n").greeted
      assert_equal [true, [4096, 4096, 7]], [there, said.map(&:bytesize)]

      endless = StringIO.new("Welcome\n" * (Agent::Frames::SHELL_LINES + 1))
      assert_equal [false, ["Welcome"] * 3], Agent::Frames.new(endless, StringIO.new).greeted
      refute_predicate endless, :eof?
    end

    test "text that is not valid UTF-8 arrives as bytes" do
      read = reader(sent({ bytes: "\xFF" })).read

      assert_equal({ bytes: "\xFF".b }, read)
    end

    test "what a shell prints before the greeting is told apart" do
      frames = reader("Welcome to lab\n\n#{Agent::Frames::GREETING}\n#{sent({ hello: {} })}")

      assert_equal [[true, ["Welcome to lab", ""]], { hello: {} }], [frames.greeted, frames.read]
      assert_equal [false, ["sh: mohs: not found"]], reader("sh: mohs: not found\n").greeted
    end

    test "a message that the other end does not read raises after the time for writing" do
      from, to = IO.pipe
      frames = Agent::Frames.new(StringIO.new, to, write_s: 0.05)
      message = { body: "x" * (1 << 20) }

      assert_raises(Agent::Frames::Stuck) { frames.write(message) }
      reading = Thread.new { from.read }
      frames.write({ do: "stop" })
      to.close
      assert reading.value.end_with?(sent({ do: "stop" }))
    ensure
      [from, to].each(&:close)
    end

    test "a message larger than a pipe arrives whole in the time for writing" do
      from, to = IO.pipe
      message = { body: "\xFF".b * (1 << 20), text: "ü" }
      reading = Thread.new { Agent::Frames.new(from, StringIO.new).read }
      Agent::Frames.new(StringIO.new, to, write_s: 60).write(message)

      assert_equal message, reading.value
    ensure
      [from, to].each(&:close)
    end

    test "what is no message, or the half of one, is an error" do
      whole = sent({ records: "abc".b })
      bytes = ["Segmentation fault\n", "{}\n", "[1]\n", "[{},[-1]]\n", whole[0..-2],
       "[{\"records\":{\"$bytes\":7}},[]]\n", "[{},[99999999999]]\n", "7\n", "\xFF\n",
       '[{"a":{"$symbol":1}},[]]', '[{"a":{"$symbol":[]}},[]]', '[{"a":{"$bytes":"x"}},[]]',
       '[{"a":{"$bytes":null}},[]]', '[{"$symbol":"x"},[]]', '[{"$bytes":0},[1]]\nx',
       '[{"a":{"$bytes":0}},[0,"x"]]', '[{"a":{"$bytes":-1}},[1]]\nx']
      assert_told("mistakes-frames", bytes.to_h do |one|
        [one.inspect, assert_raises(EnvironmentError) { reader(one).read }.message]
      end)
    end
  end
end
