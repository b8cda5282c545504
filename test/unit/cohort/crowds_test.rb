# frozen_string_literal: true

require "test_helper"

class CrowdsTest < Mohs::TestCase
  Trial = Struct.new(:connections, :attested, :rate, keyword_init: true) do
    def target = Mohs::Load::Target.new(name: "a", connections:)
  end

  UNKNOWN = { workers: 2 }.freeze

  # What is known after a look, and the loads that it took. Each step lasts as many ms as the block
  # says; hung up: if connections were closed.
  def looked(connections, attested: UNKNOWN, rate: nil)
    trial = Trial.new(connections:, attested:, rate:)
    crowds = Mohs::Cohort::Crowds.new
    loads = []
    crowds.look(trial) do |count:, hang_up:|
      loads << count
      Mohs::Load::StepResult.new(wall_ns: yield(hang_up) * 1_000_000)
    end
    [crowds.crowded?(trial), crowds.of(trial), loads]
  end

  # ms of the same requests on connections that are closed, and on those that stay.
  def seen(connections, closed_ms, open_ms)
    looked(connections) { |hang_up| hang_up ? closed_ms : open_ms }
  end

  test "connections wait if requests take far longer while they stay" do
    assert_equal [true, [8, 8], [8, 8]], seen(8, 60, 800)
    assert_equal [false, [8, 0], [8, 8]], seen(8, 60, 180)
    assert_equal [false, [8, 0]], seen(8, 2000, 3000).first(2)
    assert_equal [true, [8, 8]], seen(8, 2000, 3200).first(2)
  end

  test "many connections are judged by some of them, and fewer are served at a time" do
    assert_equal [true, [32, 256], [32, 32]], seen(256, 60, 3200)
    assert_equal [false, [256, 0], [32, 32]], seen(256, 60, 70)
  end

  test "nothing is loaded where it is known, in an open loop, or with one connection" do
    attested = { workers: 2, threads: 3 }
    each = [[8, { attested: }], [6, { attested: }], [8, { rate: 50 }], [1, {}]]
    found = each.map { |count, options| looked(count, **options) { flunk }.first(2) }

    assert_equal [[true, [6, 8]], [false, [6, 0]], [false, [8, 0]], [false, [1, 0]]], found
  end
end
