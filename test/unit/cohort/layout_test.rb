# frozen_string_literal: true

require "test_helper"

class LayoutTest < Mohs::TestCase
  Layout = Mohs::Cohort::Layout

  test "in rounds every server has all cores but the driver's" do
    layout = Layout.for("rounds", %w[a b], cpus: [0, 1, 2, 3])

    assert_equal [["a", [0, 1, 2], 0], ["b", [0, 1, 2], 0]], layout.places.map(&:to_a)
    assert_equal [[3], 1, 1, 3],
                 [layout.driver_cpus, layout.threads, layout.at_once, layout.cores]
  end

  test "a duet has each variant once on each half, one of both at a time" do
    layout = Layout.for("duet", %w[b a], cpus: [0, 1, 4, 5])

    assert_equal [["b", [0, 1], 0], ["a", [4, 5], 1], ["a", [0, 1], 0], ["b", [4, 5], 1]],
                 layout.places.map(&:to_a)
    assert_equal [[1, 5], 2, 2, 2],
                 [layout.driver_cpus, layout.threads, layout.at_once, layout.cores]
  end

  test "an odd core is left out: the halves are alike" do
    layout = Layout.for("duet", %w[a b], cpus: [0, 1, 2])

    assert_equal [[0], [1], [0], [1]], layout.places.map(&:cpus)
  end

  test "on the whole machine the driver shares the servers' cores" do
    layout = Layout.for("whole", %w[a b], cpus: [0, 1])

    assert_equal [[0, 1], [0, 1]], layout.places.map(&:cpus)
    assert_equal [[], 1, 1, 2],
                 [layout.driver_cpus, layout.threads, layout.at_once, layout.cores]
  end

  test "what can't be laid out is refused" do
    assert_raises(ArgumentError) { Layout.for("duet", %w[a b], cpus: [0]) }
    assert_raises(ArgumentError) { Layout.for("duet", %w[a b c], cpus: [0, 1]) }
    assert_match(/"trio" is none of rounds, duet, whole/,
                 assert_raises(ArgumentError) { Layout.for("trio", %w[a b]) }.message)
  end
end
