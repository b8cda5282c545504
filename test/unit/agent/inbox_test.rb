# frozen_string_literal: true

require "test_helper"

module Mohs
  # Messages of an agent that wait to be read.
  class AgentInboxTest < TestCase
    def setup
      super
      @inbox = Agent::Inbox.new
    end

    test "messages are taken in the order in which they arrived" do
      @inbox << { live: 1 }
      @inbox << { live: 2 }

      assert_equal [{ live: 1 }, { live: 2 }], Array.new(2) { @inbox.take(1) }
    end

    test "a wait ends when a message arrives, or the inbox is closed" do
      { { live: 1 } => -> { @inbox << { live: 1 } }, nil => -> { @inbox.close } }.each do |got, act|
        taking = Thread.new { @inbox.take(600) }
        Thread.pass until taking.stop?
        act.call

        assert taking.join(30), "it still waits"
        assert_equal got.inspect, taking.value.inspect
      end
    end

    test "a wait without a message ends after its seconds" do
      assert_nil @inbox.take(0.01)
      assert_nil @inbox.take(-1)
      refute_predicate @inbox, :closed?
    end

    test "what arrived before it was closed is still taken" do
      @inbox << { live: 1 }
      @inbox.close

      assert_equal [{ live: 1 }, nil, true], [@inbox.take(600), @inbox.take(600), @inbox.closed?]
    end
  end
end
