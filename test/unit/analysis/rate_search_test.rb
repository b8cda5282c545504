# frozen_string_literal: true

require "test_helper"

module Mohs
  # Searches on simulated servers, whose highest rate is known: an M/M/1 queue's response times are
  # exponential, of rate capacity - arrivals, so the quantile p is -log(1 - p) / (capacity - rate).
  class RateSearchTest < TestCase
    CAPACITY = 200.0

    # One life of such a server, its queue empty when a probe begins.
    class Queue
      def initialize(seed)
        @random = Random.new(seed)
      end

      # [sections of response times in ns, backlog in s at the end]
      def call(probe)
        now = free = 0.0
        sections = Array.new(probe.sections) { [] }
        while (now += pause(probe.rate_per_s)) < probe.seconds
          free = [free, now].max + pause(CAPACITY)
          index = ((now - probe.fill_s) / probe.section_s).floor
          sections[index] << ((free - now) * 1e9) if index.between?(0, probe.sections - 1)
        end
        [sections, [free - probe.seconds, 0].max]
      end

      private

      def pause(rate) = -Math.log(1 - @random.rand) / rate
    end

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
      intervals = Array.new(100) do |seed|
        server = Queue.new(seed)
        searched { |probe| server.call(probe) }.interval
      end

      assert_operator intervals.count { |one| truth.between?(one.low, one.high) }, :>=, 93
      widths = intervals.map { |one| one.high / one.low }.sort
      assert_operator widths[50], :<, 1.4
      assert_in_delta truth, intervals.sum(&:value) / 100, 0.05 * truth
    end

    test "a cliff is found to 2 %, and then the search is over" do
      found = steady(search(budget_s: 600)) { |rate| rate < 130 ? 5 : 500 }

      assert_in_delta 130, found.interval.value, 4
      assert_operator found.spent_s, :<, 600
    end

    test "a closed loop that said too little or too much only costs time" do
      [20.0, 300.0].each do |capacity|
        found = steady(search(capacity:, budget_s: 120)) { |rate| 30 * ((rate / 40)**4) }
        assert_in_delta 40, found.interval.value, 3, "guessed from #{capacity}"
      end
    end

    test "it ends within its budget, and begins below what the closed loop reached" do
      probes = []
      found = searched { |probe| Queue.new(1).call(probe).tap { probes << probe } }

      assert_operator found.spent_s - probes.last.seconds, :<=, 24
      assert_operator probes.first.rate_per_s, :<, CAPACITY
      assert_operator probes.size, :>=, 5
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

    test "sections are as long as their figure and its queue need, within the budget" do
      section = lambda do |text, rate_per_s|
        Analysis::RateSearch.section_s(limit: Load::Limit.parse(text), rate_per_s:)
      end

      assert_in_delta 2.0, section.call("p99 < 1ms", 1000) # 20 of 2000 are beyond it
      assert_in_delta 8 * 1000 * ((0.1 / Math.log(2))**2), section.call("p50 < 100ms", 1000)
      assert_in_delta Analysis::RateSearch::SHORTEST_S, section.call("p50 < 1ms", 10_000)
      assert_in_delta 10.0, search("p99 < 30ms").needed_s / Analysis::RateSearch::PART
      assert_in_delta 1.0, search("p99 < 30ms").next.section_s
    end
  end
end
