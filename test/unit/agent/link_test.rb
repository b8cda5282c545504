# frozen_string_literal: true

require "test_helper"

module Mohs
  # How ssh is called for an agent.
  class AgentLinkTest < TestCase
    # ssh takes the first value of an option that it is given twice (ssh_config(5)).
    test "ssh gives up after three unanswered keepalives of 5 s, and asks for no password" do
      options = Agent::Link::SSH.each_cons(2).filter_map { |word, option| option if word == "-o" }
      first = options.map { |option| option.split("=") }.reverse.to_h

      assert_equal "ssh", Agent::Link::SSH.first
      assert_equal({ "ServerAliveInterval" => "5", "ServerAliveCountMax" => "3",
                     "BatchMode" => "yes", "ConnectTimeout" => "10" }, first)
    end

    # A machine that others have, each for so many seconds.
    def wait_for_turns(*turns_s)
      now = 0
      link = Agent::Link.allocate
      link.define_singleton_method(:ask) do |_order, &look|
        turns_s.each_with_index do |seconds, index|
          holder = { pid: 100 + index, user: "ann", boot: "b" }
          look.call(holder)
          now += seconds * 1_000_000_000
          look.call(holder)
        end
      end
      Clock.stub(:mono_ns, -> { now }) { link.reserve }
    end

    test "each mohs that a machine is measured by is waited for, but none for too long" do
      long = Agent::Link::BUSY_S - 1
      wait_for_turns(long, long)

      error = assert_raises(EnvironmentError) { wait_for_turns(long, Agent::Link::BUSY_S + 1) }
      assert_match(/\Aanother mohs \(process 101 of ann\) .* 30 min/,
                   error.message)
    end
  end
end
