# frozen_string_literal: true

require "test_helper"

module Mohs
  # Searches on simulated servers, whose highest rate is known: an M/M/1 queue's response times are
  # exponential, of rate capacity - arrivals, so the quantile p is -log(1 - p) / (capacity - rate).
  class RateSearchTest < TestCase
    CAPACITY = 200.0

    def queue(seed) = SimulatedQueue.new(Random.new(seed), capacity: CAPACITY)

    def search(text = "p90 < 30ms", capacity: CAPACITY, budget_s: 24)
      Analysis::RateSearch.new(limit: Load::Limit.parse(text), capacity_per_s: capacity, budget_s:)
    end

    # A search to its end, on the server that the block is.
    def searched(search = search())
      while (probe = search.next)
        sections, behind_s = yield probe
        search.add(probe, sections, behind_s:, seconds: probe.seconds + behind_s)
      end
      search
    end

    # A server that takes as long as the block says of a rate, in ms.
    def steady(search = search())
      searched(search) do |probe|
        times = [yield(probe.rate_per_s) * 1e6] * (probe.rate_per_s * probe.section_s).ceil
        [[times] * probe.sections, 0]
      end
    end

    test "in 93 of 100 searches the interval holds the highest rate, and is worth having" do
      truth = CAPACITY - (Math.log(10) / 0.030)
      count = times(20, 100)
      intervals = Array.new(count) do |seed|
        server = queue(seed)
        searched { |probe| server.call(probe) }.interval
      end

      held = intervals.count { |one| truth.between?(one.low, one.high) }
      assert_operator held.fdiv(count), :>=, 0.93
      widths = intervals.map { |one| one.high / one.low }.sort
      assert_operator widths[count / 2], :<, 1.5
      assert_in_delta truth, intervals.sum(&:value) / count, 0.05 * truth
    end

    # There a queue's time hardly depends on the rate: a third as much at a quarter of its capacity.
    test "the interval also holds rates far below the capacity" do
      [0.25, 0.35].each do |share|
        ns = (Math.log(10) / (1 - share) / CAPACITY * 1e9).round
        limit = Load::Limit.new(figure: "p90", ns:)
        intervals = Array.new(count = times(10, 30)) do |seed|
          server = queue(seed)
          searching = Analysis::RateSearch.new(limit:, capacity_per_s: CAPACITY, budget_s: 24)
          searched(searching) { |probe| server.call(probe) }.interval
        end
        truth = share * CAPACITY

        held = intervals.count { |one| truth.between?(one.low, one.high) }
        assert_operator held.fdiv(count), :>=, 28.fdiv(30)
        assert_in_delta truth, intervals.sum(&:value) / count, 0.1 * truth
      end
    end

    test "the spread expected of a section grows the fewer it counts and the longer queues last" do
      spread = lambda do |section_s, text = "p90 < 30ms"|
        Analysis::RateSearch.spread(limit: Load::Limit.parse(text), rate_per_s: 100, section_s:)
      end

      assert_in_delta spread(100), spread.call(1.0), 1e-9
      assert_in_delta spread(100) / 2, spread.call(4.0), 1e-9
      assert_in_delta Math.sqrt(0.4), spread.call(1.0, "p90 < 300ms"), 1e-9
    end

    test "a cliff anywhere is found to 3 % within two minutes" do
      [0.3, 0.65, 0.95].each do |share|
        spent_s = 0
        found = searched(search(budget_s: 600)) do |probe|
          spent_s += probe.seconds
          [[[probe.rate_per_s < share * CAPACITY ? 5e6 : 500e6] * 20] * probe.sections, 0]
        end

        assert_in_delta 1, found.interval.value / (share * CAPACITY), 0.03, "at #{share}"
        assert_operator spent_s, :<, 120
      end
    end

    test "a closed loop that said too little or too much does not mislead it for long" do
      [20.0, 300.0].each do |capacity|
        found = steady(search(capacity:, budget_s: 120)) { |rate| 30 * ((rate / 40)**4) }
        assert_in_delta 40, found.interval.value, 3, "guessed from #{capacity}"
      end
    end

    test "it ends within its budget, and begins below what the closed loop reached" do
      probes, spent_s = [], 0
      searched do |probe|
        probes << probe
        queue(1).call(probe).tap { |_, behind_s| spent_s += probe.seconds + behind_s }
      end

      assert_operator spent_s - probes.last.seconds, :<=, 24
      assert_operator probes.first.rate_per_s, :<, CAPACITY
      assert_operator probes.size, :>=, 5
    end

    # What a search of 200/s at most believes before its first probe.
    def prior
      low, high, guess = [0.02, 2.5, 0.75].map { |share| Math.log(share * CAPACITY) }
      Stats::CrossingSearch.new(low:, high:, guess:, step: 0.0125, scale: 0.5,
                                capacity: Math.log(CAPACITY))
    end

    # That of "p90 < 30ms" in sections of 1 s: one time in ten is beyond the limit, and a queue that
    # is at the limit has (log 10) / 30 ms to spare.
    def spread(rate) = Math.sqrt((5.0 / rate) + (4 * rate * ((0.03 / Math.log(10))**2)))

    test "probes are at the middle and at the sides of what is believed; near ones count as one" do
      searching, belief = [search(budget_s: 600), prior]
      pools = Hash.new { |all, key| all[key] = [[], []] }
      [0.5, 0.1, 0.9, 0.5, 0.1, 0.9].each do |p|
        probe = searching.next
        assert_in_delta Math.exp(belief.quantile(p)), probe.rate_per_s, 1e-9
        place = Math.log(probe.rate_per_s)
        key = (place / 0.02).round
        times = [[20e6, 25e6, probe.rate_per_s * 0.3e6], [10e6, 30e6]]
        searching.add(probe, times, behind_s: 0, seconds: 3)
        places, sections = pools[key]
        places << place
        sections.concat(times)
        middle = places.sum / places.size
        figure = Stats::Sections.new(sections, share: 0.9)
                                .against(30e6, prior_sd: spread(Math.exp(middle)))
        belief.look(key, middle, **figure)
      end

      ends = [0.5, 0.025, 0.975].map { |p| Math.exp(belief.quantile(p)) }
      [*ends, 6].zip(searching.interval.to_a) { |result, got| assert_in_delta result, got, 1e-9 }
    end

    test "sections are few and quick to fill at first, and more once the ends are near" do
      shapes = []
      searched(search(budget_s: 100)) do |probe|
        shapes << [probe.sections, (probe.fill_s / probe.section_s).round(9)]
        [[[30e6 * ((probe.rate_per_s / 130)**4)] * 200] * probe.sections, 0]
      end

      assert_equal [[2, 0.5], [4, 1.0]], shapes.uniq
      short = search(budget_s: 12).next
      assert_equal [0.25, 0.5], [short.fill_s, short.section_s]
    end

    test "a queue that grew says that the rate is too high, whatever was answered" do
      searching = search
      probe = searching.next
      fast = [[1e6] * 20] * probe.sections

      refute searching.add(probe, fast, behind_s: 1.0, seconds: 2)
      assert_operator searching.interval.value, :<, probe.rate_per_s
      assert searching.add(searching.next, fast, behind_s: 0.02, seconds: 2)
    end

    test "how long a queue may be by chance depends on the figure" do
      median, tail = ["p50 < 300ms", "p99 < 300ms"].map { |text| search(text) }
      held = [median, tail].map do |searching|
        probe = searching.next
        searching.add(probe, [[1e6]], behind_s: 1.5, seconds: 2)
      end
      assert_equal [true, false], held
    end

    test "spoiled probes say nothing, and too many in a row end it" do
      searching = search(budget_s: 600)
      before = searching.interval
      3.times { searching.void(seconds: 1) }
      assert_equal before, searching.interval
      searching.add(searching.next, [[1e6]], behind_s: 0, seconds: 1)
      3.times { searching.void(seconds: 1) }
      refute_predicate searching, :spoiled?
      searching.void(seconds: 1)

      assert_predicate searching, :spoiled?
      assert_nil searching.next
    end

    test "a spoiled probe costs its time" do
      searching = search(budget_s: 24)
      searching.void(seconds: 24)

      assert_nil searching.next
      refute_predicate searching, :spoiled?
    end

    test "sections are as long as their figure and its queue need, within the budget" do
      section = lambda do |text, rate_per_s|
        Analysis::RateSearch.section_s(limit: Load::Limit.parse(text), rate_per_s:)
      end

      assert_in_delta 1.0, section.call("p99 < 10ms", 1000) # 10 of 1000 are beyond it
      assert_in_delta 32 * 1000 * ((0.03 / Math.log(100))**2), section.call("p99 < 30ms", 1000)
      assert_in_delta 2.0, section.call("p99 < 60ms", 1000) # 20 of 2000
      assert_in_delta 8 * 1000 * ((0.1 / Math.log(100))**2), section.call("p99 < 100ms", 1000)
      assert_in_delta 100.0, section.call("p99.9 < 1ms", 100)
      assert_in_delta 2.0, section.call("p90 < 10ms", 100) # 200, whatever the queue
      assert_in_delta 8 * 1000 * ((0.1 / Math.log(2))**2), section.call("p50 < 100ms", 1000)
      assert_in_delta 0.3, section.call("p50 < 1ms", 10_000)
      assert_in_delta 80, section.call("mean < 100ms", 1000)
      assert_in_delta 5.0, search("p99 < 30ms").needed_s / Analysis::RateSearch::PART
      assert_in_delta 1.0, search("p99 < 30ms").next.section_s
    end
  end
end
