# frozen_string_literal: true

require "test_helper"

class TokenTest < Mohs::TestCase
  Token = Mohs::Cohort::Token

  test "a process is alive by its own token" do
    assert Token.alive?(Token.own)
  end

  test "a later process with the same number is another" do
    host, pid, start = Token.own.split(":")

    refute Token.alive?([host, pid, start.to_i - 1].join(":"))
  end

  test "the holder is the living process of this host alone" do
    host, pid, start = Token.own.split(":")

    assert_equal [::Process.pid, nil, nil, nil],
                 [Token.own, "#{host}:#{pid}:#{start.to_i - 1}", "elsewhere:#{pid}:#{start}", "x"]
                   .map { |token| Token.holder(token) }
  end

  test "of another host nothing is known" do
    assert Token.alive?("elsewhere:1:1")
  end
end
