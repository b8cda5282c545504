# frozen_string_literal: true

require "test_helper"

class ScheduleTest < Mohs::TestCase
  ORDERS = [%w[a b c], %w[c a b]].freeze

  test "a slice holds a hundred requests of the slowest" do
    assert_equal 400_000_000, schedule({ "a" => 5000.0, "b" => 250.0 }).slice_ns
  end

  test "of fast ones a thousand, in 200 ms at most: garbage collections even out" do
    assert_equal 125_000_000, schedule({ "a" => 8000.0 }).slice_ns
    assert_equal 200_000_000, schedule({ "a" => 3000.0 }).slice_ns
    assert_equal 200_000_000, schedule({ "a" => 600.0 }).slice_ns
  end

  test "where a hundred take too long, twenty do: it is cohorts that are needed" do
    assert_equal 500_000_000, schedule({ "a" => 200.0 }).slice_ns
    assert_equal 250_000_000, schedule({ "a" => 190.0 }).slice_ns
    assert_equal 400_000_000, schedule({ "a" => 50.0 }).slice_ns
  end

  test "a slice is never shorter than 40 ms nor longer than 500" do
    assert_equal 40_000_000, schedule({ "a" => 50_000.0 }).slice_ns
    assert_equal 500_000_000, schedule({ "a" => 20.0 }).slice_ns
  end

  test "it has the blocks for the requests that are asked for, if they fit" do
    counts = [[450, 20.0], [450, 5.0], [450, 5000.0], [nil, 20.0]].map do |requests, rate|
      schedule({ "a" => rate * 2, "b" => rate }, requests:, at_once: 2).block_count
    end

    assert_equal [23, 30, 6, 6], counts, "half a second in each of two slices"
    assert_equal [23, 25], ([8, 25].map do |count|
      schedule({ "a" => 20.0 }, requests: 450, count:).block_count
    end)
  end

  test "every block is an order and its mirror" do
    blocks = schedule({ "a" => 500.0, "b" => 500.0, "c" => 500.0 }).blocks
    names = blocks.first(3).map { |steps| steps.map { |places| places.map(&:first).join } }

    assert_equal [%w[a b c c b a], %w[c a b b a c], %w[a b c c b a]], names
    assert_equal [[["a", 0]], [["b", 0]]], blocks.first.first(2), "one at a time, by one thread"
  end

  test "a duet loads both at once, then with their halves exchanged" do
    rates = { "a" => 5000.0, "b" => 4000.0 }
    duet = schedule(rates, at_once: 2, orders: [%w[a b], %w[b a]])
    counts = [30.0, 4000.0, 90_000.0].map { |r| schedule({ "a" => r }, at_once: 2).block_count }

    assert_equal [6, 6, 10], counts
    assert_equal [[[["a", 0], ["b", 1]], [["b", 0], ["a", 1]]],
                  [[["b", 0], ["a", 1]], [["a", 0], ["b", 1]]]], duet.blocks.first(2)
  end

  test "the variants get the load that was wanted, in equal parts" do
    subject = schedule({ "a" => 10_000.0, "b" => 10_000.0, "c" => 10_000.0 })
    counts = subject.blocks.flatten.grep(String).tally
    seconds = counts.transform_values { |count| count * subject.slice_ns / 1e9 }

    assert_equal({ "a" => 2.0, "b" => 2.0, "c" => 2.0 }, seconds)
  end

  test "slow servers get no fewer than six blocks, fast ones no more than thirty" do
    assert_equal 6, schedule({ "a" => 10.0 }).block_count
    assert_equal 25, schedule({ "a" => 90_000.0 }).block_count
  end

  test "a brief cohort measures fast servers for 1.2 s, in blocks enough to be trimmed" do
    counts = [10_000.0, 4000.0, 600.0, 80.0].map do |rate|
      brief = schedule({ "a" => rate }, brief: true)
      [brief.block_count, brief.slice_ns / 1_000_000]
    end

    assert_equal [[6, 100], [5, 120], [5, 166], [5, 250]], counts
    assert_equal 1, (Mohs::Cohort::Schedule::BRIEF_BLOCKS.min * Mohs::Stats::Center::TRIM).floor
  end

  test "under a given rate slices are long, and hold as many requests as a p99 needs" do
    counts = [[200], [200, 40], [5]].map do |given|
      rated = schedule({ "a" => 4000.0, "b" => 90.0 }, given:, brief: true)
      [rated.slice_ns / 1_000_000, rated.block_count]
    end

    assert_equal [[500, 5], [500, 12], [500, 30]], counts
  end

  test "of slices whose length is given there is one block, however slow or fast the servers" do
    lengths = [2.0, 7.5].map do |slice_s|
      rated = schedule({ "a" => 4000.0, "b" => 90.0 }, given: [200, 30], requests: 450, slice_s:)
      [rated.slice_ns / 1_000_000, rated.block_count, rated.edge_ns]
    end

    assert_equal [[2000, 1, 0], [7500, 1, 0]], lengths
  end

  test "a slice has five bunches of responses, and its rate edges of two" do
    one, five = [1, 5].map { |count| schedule({ "a" => 20.0 }, crowds: { "a" => [count, 0] }) }

    assert_equal [500_000_000, 0], [one.slice_ns, one.edge_ns]
    assert_equal [1_250_000_000, 500_000_000], [five.slice_ns, five.edge_ns] # 5 x 50 ms apart
  end

  test "the slowest bunch counts, however long it takes, up to twenty seconds" do
    crowds = { "a" => [2, 0], "b" => [16, 0] }

    assert_equal 800_000_000, schedule({ "a" => 1000.0, "b" => 100.0 }, crowds:).slice_ns
    slow = schedule({ "a" => 1000.0, "b" => 5.0 }, crowds:)
    assert_equal [16_000_000_000, 6_400_000_000, 1],
                 [slow.slice_ns, slow.edge_ns, slow.block_count]
    slower = schedule({ "a" => 1000.0, "b" => 3.0 }, crowds:)
    assert_equal [20_000_000_000, 10_000_000_000], [slower.slice_ns, slower.edge_ns]
  end

  test "a slice lasts until each waiting connection had two turns, for 0.75 s at most" do
    short, long = [30, 40].map do |waiting|
      schedule({ "a" => 100.0 }, crowds: { "a" => [1, waiting] })
    end

    assert_equal [600_000_000, 750_000_000], [short, long].map { |one| one.slice_ns - one.edge_ns }
  end

  test "while waiting connections are opened, the slice is longer and counts in part" do
    fast, slow, many = [[4000.0, 256], [100.0, 16], [1000.0, 2000]].map do |rate, waiting|
      schedule({ "a" => rate, "b" => 9000.0 }, crowds: { "a" => [1, waiting], "b" => [1, 0] })
    end

    assert_in_delta 64_000_000, fast.edge_ns # a turn
    assert_equal 20_000_000, slow.edge_ns # two responses, which is more than 1 ms each
    assert_equal 250_000_000, many.edge_ns # a third of the slice
    assert_equal 264_000_000, fast.slice_ns
    rated = schedule({ "a" => 4000.0 }, crowds: { "a" => [1, 256] }, given: [100])
    assert_equal 500_000_000, rated.slice_ns
  end

  test "its seconds are those of the slices, and of what waits at the end of each" do
    rates = { "a" => 16.0, "b" => 32.0 }
    crowded = schedule(rates, crowds: { "a" => [1, 256], "b" => [2, 256] })
    idle = schedule(rates, crowds: { "a" => [1, 0], "b" => [2, 0] })
    slices = 2 * 2 * crowded.block_count

    assert_equal [slices * crowded.slice_ns / 1e9, slices / 2 * (16.0 + 8.0)], crowded.seconds
    assert_equal [2 * 2 * idle.block_count * idle.slice_ns / 1e9, 0.0], idle.seconds
    assert_in_delta 0.0, schedule(rates, given: [5]).seconds.last
    together = schedule(rates, at_once: 2, crowds: { "a" => [1, 256], "b" => [2, 256] })
    assert_in_delta 16.0 * 2 * together.block_count, together.seconds.last
  end

  test "within a time it has fewer blocks, and shorter slices where a block does not fit in" do
    rates = { "a" => 16.0, "b" => 32.0 }
    crowds = { "a" => [1, 64], "b" => [2, 64] } # 4 and 2 s until all have their response
    whole = schedule(rates, crowds:)
    blocks, slices = [31, 16, 13, 0].map do |within_s|
      cut = schedule(rates, crowds:, within_s:)
      assert_operator cut.seconds.sum, :<=, [within_s, 15.0].max
      [cut.block_count, cut.slice_ns.fdiv(whole.slice_ns).round(2)]
    end.transpose

    # Where all connections have one response in a slice, there is no rate in it.
    assert_equal 2, whole.block_count
    assert_equal [[2, 1, 1, 1], [1.0, 1.0, 0.92, 0.92]], [blocks, slices]
    assert_equal whole.seconds, schedule(rates, crowds:, within_s: 100).seconds
  end

  test "where a number of requests is wanted no time cuts it" do
    [[100.0, { given: [100], slice_s: 2 }], [16.0, {}]].each do |rate, options|
      whole, cut = [nil, 0].map do |within_s|
        schedule({ "a" => rate, "b" => rate }, requests: 400, within_s:, **options)
      end

      assert_operator rate * whole.seconds.sum / 2, :>=, 390
      assert_equal whole.seconds, cut.seconds
    end
  end

  test "an edge of connections that are opened anew has two responses, a slice five" do
    slow = schedule({ "a" => 10.0 }, crowds: { "a" => [1, 4] })

    assert_equal [200_000_000, 754_000_000], [slow.edge_ns, slow.slice_ns] # 100 ms apart
    slower = schedule({ "a" => 4.0 }, crowds: { "a" => [1, 4] })
    assert_equal [500_000_000, 1_254_000_000], [slower.edge_ns, slower.slice_ns]
  end

  test "one connection more does not cost half of the load" do
    [[40.0, 5], [10.0, 2], [100.0, 5], [400.0, 2], [1000.0, 5]].each do |rate, slots|
      loads = (0..400).map do |connections|
        waiting = connections > slots ? connections : 0
        one = schedule({ "a" => rate }, crowds: { "a" => [1, waiting] })
        one.block_count * one.slice_ns
      end

      least = loads.each_cons(2).map { |before, after| after.fdiv(before) }.min
      assert_operator least, :>, 0.5, rate
      assert_operator 2 * loads.min, :>, 1.3 * 1e9, "two thirds of what is planned"
    end
  end

  test "how many blocks may be known better" do
    nine = schedule({ "a" => 10.0 }, count: 9)

    assert_equal [9, 9], [nine.block_count, nine.blocks.size]
  end

  test "who does not serve is left out" do
    blocks = schedule({ "a" => 1000.0, "c" => 1000.0 }).blocks

    assert_equal %w[a c], blocks.flatten.grep(String).uniq
  end

  private

  def schedule(rates, orders: ORDERS, **options)
    Mohs::Cohort::Schedule.new(orders:, rates:, **options)
  end
end
