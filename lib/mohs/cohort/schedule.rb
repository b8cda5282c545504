# frozen_string_literal: true

module Mohs
  module Cohort
    # The order of the measured slices of one cohort: pure, from the plan's blocks and the rates
    # measured in warm-up. Every variant gets slices of the same length, so that all are disturbed
    # alike.
    class Schedule
      # Shortest and longest slice, and the requests that a slice should hold: table 3a of the
      # method. Below 40 ms switching costs more than 4 % of the time; above 500 ms two slices no
      # longer share their drift.
      SHORTEST_NS = 40_000_000
      LONGEST_NS = 500_000_000
      REQUESTS_PER_SLICE = 100

      # A fast server's slice holds more, so that its major garbage collections even out: in
      # apps/primes three of about 11 ms each in every 1600 requests made slices of 40 ms differ by
      # 10 %, and cohorts by 1.8 %; slices of 100 to 200 ms differ by 2 to 4 %, and cohorts by 0.8
      # to 0.9 % (docs/method.md).
      REQUESTS_OF_A_FAST = 1000
      LONGEST_OF_A_FAST_NS = 200_000_000

      # For servers so slow that a hundred requests take longer than the longest slice: their boots
      # differ more than their slices do, so the interval needs cohorts. For a Rails application
      # compared with itself (12 ms per request), cohorts of six blocks of 0.5 s had a standard
      # deviation of 4.2 %, and cohorts of half of that 4.8 %, and they took 18 s and 15 s: after 75
      # s this gives f(4) x 4.2 = 13 % and f(5) x 4.8 = 10 % (Stats::Sequential).
      REQUESTS_OF_A_SLOW = 20
      SHORTEST_OF_A_SLOW_NS = 250_000_000

      # A brief cohort has shorter slices, and so more of them: slices of 100 to 200 ms are equally
      # good (docs/method.md).
      LONGEST_OF_A_BRIEF_NS = 120_000_000

      # With a given rate, each slice begins with an idle server, so a slice is as long as the
      # method allows. The queue forms within a few requests.
      SLICE_OF_A_RATED_NS = LONGEST_NS

      # While a slice runs, responses come in bunches: as many together as the server works on
      # requests at a time. A slice lasts at least so many bunches, and the rate's edges
      # (Load::Step) two each: then a bunch more or less at either end doesn't matter.
      BUNCHES_PER_SLICE = 5
      BUNCHES_PER_EDGE = 2

      # If connections wait for a thread, a slice also lasts as long as this many requests of each
      # take, or most of the time would go by until the last of them is answered, but no longer than
      # that: its rate does not depend on whose requests it has (docs/method.md, The rate of a
      # slice).
      TURNS_PER_SLICE = 2
      LONGEST_OF_TURNS_NS = 750_000_000

      # Where connections wait for a thread, each slice opens its own, and the first request of each
      # costs more. The first turn, but no more than this for each connection and this share of the
      # slice, counts as an edge, by which the slice is longer: of a page of 0.1 ms and 256
      # connections, slices of 200 ms had 3 to 20 % less than those of 2 s (docs/method.md). An edge
      # that is shorter than the time between two responses counts the last one, with which a slice
      # ends, as none: 4 ms took 10 % of the rate of a page of 60 ms.
      OPENING_NS = 1_000_000
      LONGEST_OPENING = 1 / 3r

      # The longest slice of servers that work on several requests at a time. With fewer bunches
      # than above the rate would depend on where in a bunch the slice ends: 2 s of five requests of
      # 300 ms at a time had 28 % too few of them, again and again. What takes even longer is found
      # out by Little's law.
      LONGEST_OF_BUNCHES_NS = 20_000_000_000

      # Fewest blocks: below five, a 20 %-trimmed mean trims nothing. Fewer if a crowd lengthens the
      # slices: then precision comes from boots. (With 32 connections to puma:1x5 and puma:2x1 and a
      # page of 15 ms, blocks of a cohort differed by 1 %, cohorts by 2 to 4; a cohort of one block
      # takes 17 s, of two 21 s.) Most: the method's clamp for cheap blocks. A duet has as many as
      # fit into DUET_S.
      BLOCKS = 6..Plan::CohortSpec::BLOCKS
      BRIEF_BLOCKS = (5..Plan::CohortSpec::BLOCKS)
      DUET_BLOCKS = (6..10)

      # Seconds of a duet's blocks, as many as fit (method, section 4): its precision comes from
      # boots, not blocks. If a boot with its warm-up takes 0.9 s and boots differ by 0.5 %, as on
      # apps/primes, variance x seconds is the same within 3 % from six to eight blocks of 0.2 s,
      # and grows beyond that; three cohorts are enough to find a large difference.
      DUET_S = 1.4

      # Seconds for which a cohort loads a slow server at most, in order to get `requests`.
      LONGEST_S = 2 * BLOCKS.end * LONGEST_NS / 1e9

      # rates: requests per second that each variant served at the end of its warm-up, by name.
      # orders: the plan's blocks, each an array of names (the mirror is added here). at_once: how
      # many are loaded together (Cohort::Layout). count: number of blocks, if better known than
      # from the rates. brief: as in the plan. given: rates at which requests of any variant of the
      # run fall due; all cohorts then have slices of the same length. crowds: { name => [requests
      # that the variant works on at a time, its connections if some of them wait, else 0] }.
      # requests: that each should serve, as far as they fit into the most blocks; nil: no number.
      # slice_s: seconds of each slice, of which there is one block; nil: as follows from the others
      # (both: Procedure::Loading). streams: if slices hold event streams. within_s: how long all
      # slices may take, with what is in flight at their ends; if that is too short for a block, its
      # slices are only as long as a rate needs; nil: no limit. There is none for streams, nor where
      # a number of requests is wanted: fewer would show nothing.
      #: (orders: Array[Array[String]], rates: Hash[String, Float], ?at_once: Integer, ?count: Integer?, ?brief: bool, ?given: Array[Numeric], ?crowds: Hash[String, [Integer, Integer]], ?requests: Integer?, ?slice_s: Numeric?, ?streams: Study::Streams?, ?within_s: Numeric?) -> void
      def initialize(orders:, rates:, at_once: 1, count: nil, brief: false, given: [], crowds: {},
                     requests: nil, slice_s: nil, streams: nil, within_s: nil)
        @within_s = within_s unless streams || requests
        @streams = streams
        @requests = requests
        @slice_s = slice_s
        @orders = orders
        @rates = rates
        @at_once = at_once
        @count = count
        @brief = brief
        @given = given
        @crowds = crowds
      end

      # Long enough for a hundred requests of the slowest variant, for a thousand of fast ones, for
      # twenty if a hundred take too long; within the bounds.
      #: () -> Integer
      def slice_ns
        @streams ? Clock.span_ns(@streams.slice_s) : [loaded_ns + opening_ns, *most_ns].min
      end

      # Load::Step#edge_ns of each slice: 0 for servers that work on one request at a time, with a
      # connection each.
      #: () -> Integer
      def edge_ns = @streams ? 0 : [[BUNCHES_PER_EDGE * bunch_ns, opening_ns].max, slice_ns / 2].min

      #: () -> Integer
      def block_count
        return Study::Streams::BLOCKS if @streams
        return 1 if @slice_s

        [[@count || usual_count, count_for_requests].max, *most_blocks].min
      end

      # Seconds of all slices, and of what is in flight at their ends where connections wait.
      #: () -> [Float, Float]
      def seconds
        steps = blocks.flatten(1)
        [steps.size * slice_ns / 1e9, waiting_s(steps)]
      end

      # The blocks in order. A block is a list of steps; a step lists what is loaded together:
      # names, each with the driver thread that loads it. Each order is followed by its mirror; for
      # servers loaded together the mirror swaps their places.
      #: () -> Array[Array[Array[[String, Integer]]]]
      def blocks
        Array.new(block_count) { |number| block(number) }
      end

      private

      def block(number)
        order = @orders[number % @orders.size] & @rates.keys
        (order.each_slice(@at_once).to_a + order.reverse.each_slice(@at_once).to_a)
          .map { |names| names.each_with_index.to_a }
      end

      def waiting_s(steps)
        steps.sum { |step| step.map { |name, _| crowd_s(name) }.max }
      end

      # The longest slices of which a block fits in, but long enough for a rate: a slice in which
      # connections have a response each would only show how the server drains them.
      def most_ns
        return unless @within_s

        steps = block(0)
        [((@within_s - waiting_s(steps)) * 1e9 / steps.size).to_i, least_ns].max
      end

      def least_ns
        [SHORTEST_NS, turns_ns, [BUNCHES_PER_SLICE * bunch_ns, LONGEST_OF_BUNCHES_NS].min].max
      end

      def most_blocks
        return unless @within_s

        steps = block(0)
        [(@within_s / ((steps.size * slice_ns / 1e9) + waiting_s(steps))).floor, 1].max
      end

      def usual_count
        wanted_s, blocks = amount
        fewest = (blocks.begin * ([alone_ns.fdiv(slice_ns), 1].min**2)).floor
        (wanted_s * 1e9 / (2 * slice_ns)).round.clamp([fewest, 1].max, blocks.end)
      end

      def count_for_requests
        return 0 unless @requests

        (@requests / @rates.values.min * 1e9 / (2 * slice_ns)).ceil.clamp(1, BLOCKS.end)
      end

      # Without its opening.
      def loaded_ns
        [alone_ns, least_ns].max
      end

      # What a slice lasts if no crowd lengthens it.
      def alone_ns
        return Clock.span_ns(@slice_s) if @slice_s
        return SLICE_OF_A_RATED_NS if @given.any?

        each_ns = 1e9 / @rates.values.min
        longest_ns = @brief ? LONGEST_OF_A_BRIEF_NS : LONGEST_OF_A_FAST_NS
        even = [REQUESTS_OF_A_FAST * each_ns, longest_ns].min
        wanted = [even, REQUESTS_PER_SLICE * each_ns].max
        wanted = [SHORTEST_OF_A_SLOW_NS, REQUESTS_OF_A_SLOW * each_ns].max if wanted > LONGEST_NS
        wanted.round.clamp(SHORTEST_NS, LONGEST_NS)
      end

      def opening_ns
        connections = @crowds.values.map(&:last).max || 0
        [longest_ns { |_, waiting| waiting }, OPENING_NS * connections,
         (LONGEST_OPENING * loaded_ns).to_i].min
      end

      # The longest time from one bunch of responses to the next; 0 if they come one by one, and no
      # connection is opened for the slice.
      def bunch_ns
        longest_ns { |at_a_time, waiting| at_a_time > 1 || waiting.positive? ? at_a_time : 0 }
      end

      def turns_ns
        [TURNS_PER_SLICE * longest_ns { |_, waiting| waiting }, LONGEST_OF_TURNS_NS].min
      end

      # Until each variant has served so many requests of its crowd.
      def longest_ns
        return 0 if @given.any? # an open loop has no crowd

        @crowds.map { |name, crowd| yield(*crowd) * 1e9 / @rates.fetch(name) }.max.to_i
      end

      # Until the variant has served a request of each connection, if some wait.
      def crowd_s(name) = @given.any? ? 0.0 : @crowds.fetch(name, [0]).last / @rates.fetch(name)

      # Seconds of load wanted per variant, and the bounds of the number of blocks.
      def amount
        wanted_s, blocks = usual
        return [wanted_s, blocks] if @given.empty?

        # Rounded up to whole blocks.
        block_s = 2 * slice_ns / 1e9
        rated = (Plan::Costs::RATED.fdiv(@given.min) / block_s).ceil
        [[wanted_s, rated * block_s].max, blocks]
      end

      def usual
        return [DUET_S, DUET_BLOCKS] if @at_once > 1

        @brief ? [Plan::Costs::BRIEF_S, BRIEF_BLOCKS] : [Plan::Costs::MEASURE_S, BLOCKS]
      end
    end
  end
end
