# frozen_string_literal: true

require "test_helper"

class CrowdingTest < Mohs::TestCase
  WAIT = "responses wait for a thread, and latency includes the wait; " \
         "Puma lets a quiet connection wait for 200 ms"

  def text(...)
    found = Mohs::Analysis::Crowding.call(...)
    found && Mohs::Report::Phrase.call(found)
  end

  test "nothing is said where every connection has a thread, or that is not known" do
    assert_nil text(5, { "a" => 5, "b" => 6 })
    assert_nil text(5, { "a" => nil })
    assert_nil text(nil, { "a" => 5 })
    assert_nil text(5, {})
  end

  test "what all have too few of is told without names" do
    assert_equal "8 connections on 5 threads: #{WAIT}", text(8, { "a" => 5, "b" => 5 })
    assert_equal "8 connections on 1 to 5 threads: #{WAIT}", text(8, { "a" => 5, "b" => 1 })
    assert_equal "2 connections on 1 thread: #{WAIT}", text(2, { "a" => 1 })
  end

  test "who has too few is named where others have enough" do
    assert_equal "8 connections on 5 threads (b): #{WAIT}",
                 text(8, { "a" => 10, "b" => 5, "c" => nil })
  end
end
