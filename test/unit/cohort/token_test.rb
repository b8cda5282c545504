# frozen_string_literal: true

require "test_helper"

class TokenTest < Mohs::TestCase
  Token = Mohs::Cohort::Token

  test "a process is alive by its own token" do
    assert Token.alive?(Token.own)
  end

  test "a later process with the same number is another" do
    host, pid, start, machine = Token.own.split(":")

    refute Token.alive?([host, pid, start.to_i - 1, machine].join(":"))
  end

  test "the holder is the living process of this host alone" do
    host, pid, start, machine = Token.own.split(":")

    later = "#{host}:#{pid}:#{start.to_i - 1}:#{machine}"
    assert_equal [::Process.pid, nil, nil, nil],
                 [Token.own, later, "else:#{pid}:#{start}", "x"].map { |one| Token.holder(one) }
  end

  test "of another host nothing is known" do
    assert Token.alive?("elsewhere:1:1")
  end

  # Machines that were cloned, and containers, often share a name.
  test "of another machine with this hostname nothing is known, whatever its process numbers" do
    others = [Mohs::Process.stub(:boot_id, "another") { Token.own },
              File.stub(:readlink, "pid:[1]") { Token.own }]

    assert_equal 3, [Token.own, *others].uniq.size
    others.each do |token|
      host, pid, start, machine = token.split(":")
      assert_equal Socket.gethostname, host
      assert Token.alive?([host, pid, start.to_i - 1, machine].join(":"))
      assert_nil Token.holder(token)
    end
  end

  test "a process of this machine is known, whatever its hostname was then" do
    _, pid, start, machine = Token.own.split(":")

    assert_equal ::Process.pid, Token.holder("before:#{pid}:#{start}:#{machine}")
    refute Token.alive?("before:#{pid}:#{start.to_i - 1}:#{machine}")
  end

  test "without a machine in a token, its hostname counts" do
    host, pid, start = Token.own.split(":")

    assert_equal ::Process.pid, Token.holder("#{host}:#{pid}:#{start}")
    refute Token.alive?("#{host}:#{pid}:#{start.to_i - 1}")
    assert Token.alive?("elsewhere:#{pid}:#{start.to_i - 1}")
  end
end
