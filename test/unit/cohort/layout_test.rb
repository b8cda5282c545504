# frozen_string_literal: true

require "test_helper"

class LayoutTest < Mohs::TestCase
  Layout = Mohs::Cohort::Layout

  test "in rounds every server has all cores but the driver's" do
    layout = Layout.for("apart", %w[a b], cpus: [0, 1, 2, 3])

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

  test "with one server of each they change halves" do
    layout = Layout.for("duet", %w[b a], cpus: [0, 1], servers: 1)

    assert_equal [["b", [0], 0], ["a", [1], 1]], layout.places.map(&:to_a)
    assert layout.exchange
    refute Layout.for("duet", %w[b a], cpus: [0, 1]).exchange
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

  test "a server has as many cores as were asked for, and the driver one of the others" do
    layout = Layout.for("apart", %w[a b], cpus: [0, 1, 2, 3], cores: 2)

    assert_equal [[0, 1], [0, 1]], layout.places.map(&:cpus)
    assert_equal [[3], 2, true, 1],
                 [layout.driver_cpus, layout.cores, layout.apart?, layout.at_once]
    assert_equal layout.to_a, Layout.for("whole", %w[a b], cpus: [0, 1, 2, 3], cores: 2).to_a
  end

  test "a driver on another machine takes no core from anyone" do
    far = Layout.for("apart", %w[a b], cpus: [0, 1, 2], elsewhere: true)
    given = Layout.for("whole", %w[a], cpus: [0, 1, 2], cores: 2, elsewhere: true)
    duet = Layout.for("duet", %w[a b], cpus: [0, 1], servers: 1, elsewhere: true)

    assert_equal [[[0, 1, 2], [0, 1, 2]], [[0, 1]], [[0], [1]]],
                 [far, given, duet].map { |layout| layout.places.map(&:cpus) }
    assert_equal [[[], 1, true], [[], 1, true], [[], 2, true]],
                 [far, given, duet].map { |one| [one.driver_cpus, one.threads, one.apart?] }
    assert duet.exchange
  end

  test "a server that is to have all cores shares them with the driver" do
    layout = Layout.for("apart", %w[a], cpus: [0, 1], cores: 2)

    assert_equal [[0, 1], [], false], [layout.places.first.cpus, layout.driver_cpus, layout.apart?]
  end

  test "a server has the cores that were named" do
    layout = Layout.for("whole", %w[a], cpus: [0, 1, 4, 5], cores: [1, 5])

    assert_equal [[1, 5], [4]], [layout.places.first.cpus, layout.driver_cpus]
  end

  test "in a duet each has so many of its half" do
    layout = Layout.for("duet", %w[a b], cpus: [0, 1, 2, 3, 4, 5], cores: 2)

    assert_equal [[0, 1], [3, 4], [0, 1], [3, 4]], layout.places.map(&:cpus)
    assert_equal [[2, 5], true], [layout.driver_cpus, layout.apart?]
    refute_predicate Layout.for("duet", %w[a b], cpus: [0, 1]), :apart?
  end

  test "servers of one core that get warm at once have one each, the driver's included" do
    wave = { cpus: [0, 1], wave_size: 2 }
    rounds = Layout.for("apart", %w[a b c], **wave)

    assert_equal [[[0], [1]], [[0]] * 3], [rounds.lanes, rounds.places.map(&:cpus)]
    assert_equal [[0, 1], [0, 1]], Layout.for("whole", %w[a b], **wave).lanes
    assert_equal [[0, 1, 2]] * 3,
                 Layout.for("apart", %w[a b], cpus: [0, 1, 2, 3], wave_size: 3).lanes
    assert_equal [[0]], Layout.for("apart", %w[a b], cpus: [0, 1]).lanes
    assert_equal [[0, 1], [2, 3]], Layout.for("duet", %w[a b], cpus: [0, 1, 2, 3]).lanes
  end

  test "what can't be laid out is refused" do
    assert_raises(ArgumentError) { Layout.for("duet", %w[a b], cpus: [0]) }
    assert_raises(ArgumentError) { Layout.for("duet", %w[a b c], cpus: [0, 1]) }
    assert_raises(ArgumentError) { Layout.for("duet", %w[a b], cpus: [0, 1, 2], cores: 2) }
    assert_raises(ArgumentError) { Layout.for("duet", %w[a b], cpus: [0, 1], cores: [0]) }
    assert_raises(Mohs::UsageError) { Layout.for("apart", %w[a], cpus: [0, 1], cores: 3) }
    assert_match(/"trio" is none of apart, duet, whole/,
                 assert_raises(ArgumentError) { Layout.for("trio", %w[a b]) }.message)
  end
end
