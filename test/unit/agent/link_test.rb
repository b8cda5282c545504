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
  end
end
