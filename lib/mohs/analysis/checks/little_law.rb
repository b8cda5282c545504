# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Little's law: in a closed loop, throughput times mean service time (sent to answered) is the
      # number of connections, as long as all of them are loaded. Two parts are judged.
      #
      # The connections in use, counted from the requests under way, are those asked for. If not,
      # the load generator itself lost time between a response and the next request. What it lost in
      # its turns, waiting for its core or to the hypervisor is reported and left to the checks of
      # these (headroom, driver_waits); a loss that none explains speaks against the figures, and
      # beyond MOST there are none: the server had less load than was asked for.
      #
      # The rate times the mean service time of all correct responses are the connections in use. If
      # not, the rate counts more or fewer responses than its time has: its ends are wrong.
      class LittleLaw < Base
        # 1 - X R / C lay within 1 % in 99 of 100 of 3719 slices.
        TOLERANCE = 0.02

        # Beyond this unexplained share the figures mean nothing. Between the two the host may have
        # stopped the driver for longer than its counters show.
        MOST = 0.1

        # How far the rate times the mean service time may be off, in requests of each connection
        # and slice. What is under way when a slice's time is over is served faster than under load:
        # at most ENDS, or QUEUED if connections wait for a thread, or may. And chance decides how
        # much of it is left: in one slice, NOISE times what service times vary by at most. Both
        # simulated, and compared with recorded slices (docs/method.md).
        ENDS = 0.25
        QUEUED = 0.5
        NOISE = 1.3

        # The same where others take the server's core for some slices, or for a part of one: its
        # slices differ then, and those of a wrong rate do not. So many standard errors of the gap,
        # by the jackknife over slices. Simulated with a core that others take for 0.3 of 0.9 s, six
        # slices: 1 to 31 of 100 right rates had no figures without this, and at most 3 with it; an
        # error of a fifth on a quiet host is found as often (docs/method.md).
        ERRORS = 2

        # Slices with fewer requests of each connection show no error of a tenth.
        FEWEST = 3

        # As MOHS_GAP_NS in ext/mohs/core/loop.h.
        GAP_NS = 200_000

        # A mean turn in medians: 1.08 to 1.15 on a server that answers in 30 us.
        SKEW = 1.15

        IN_USE = "than the number of connections, %{connections|count}"
        WHY = "the load generator did not keep them busy"
        RATE = "the rate times the mean service time is %{gap|percent}"
        WRONG = "the connections in use: the rate does not count what its time has. Its ends " \
                "matter less with fewer connections, and in a longer load"
        EXPLAINED = "the driver's turns and stops explain %{explained|percent}"

        SIZE = :gap

        WORDS = {
          open_loop: "an open loop does not keep its connections busy",
          scenario: "clients of a scenario think, and end their last actions at different times",
          failures: "failed requests have no service time",
          uncounted: "this kernel does not report how long threads wait",
          holds: "holds: %{gap|percent}",
          turns: "holds but for %{gap|percent}: the driver's turns and stops",
          below: "the connections in use are %{gap|percent} fewer #{IN_USE}: #{WHY}",
          lost: "the connections in use are %{gap|percent} fewer #{IN_USE}, of which " \
                "#{EXPLAINED}: #{WHY}",
          above: "the connections in use are %{gap|percent} more #{IN_USE}: a service time is " \
                 "counted twice",
          rate_below: "#{RATE} below #{WRONG}",
          rate_above: "#{RATE} above #{WRONG}",
          short: "a slice has %{requests|number} requests of each connection: too few to show an " \
                 "error of a tenth in the rate",
        }.freeze

        private

        def needs = %i[slices connections threads]

        # Opening a connection again counts as service, too.
        def judge
          return unknown(:unmeasured) if total(:good).zero? || !counted?
          return unknown(:open_loop) if open_loops.any?
          return unknown(:scenario) if facts[:scenario]
          return unknown(:failures) if errors_of(measured).any?

          # If they are as severe, the first: it says what the load was.
          [in_use, rate].compact.max_by.with_index { |found, place| [found.rank, -place] }
        end

        def in_use
          gap = 1 - of_time(total(:in_use_ns))
          return pass(:holds, gap: gap.abs) if gap.abs <= TOLERANCE
          return against(gap.abs, :above, gap: gap.abs, connections: asked) if gap.negative?

          short_by(gap)
        end

        # nil if there is nothing to say. Slices whose rate has all of their time, as of steps by
        # count, are not judged. Nor is an excess where connections may wait for a thread: after the
        # load these wait for whatever the server does with idle connections.
        def rate
          return unless timed? && total(:in_use_ns).positive?

          gap = gap_of(measured)
          return if gap.negative? && !threads_for_all?

          lost = gap.abs - at_ends - (ERRORS * error)
          kind = gap.negative? ? :rate_above : :rate_below
          return against(lost, kind, gap: gap.abs) if lost > TOLERANCE

          warn(:short, requests: requests_each) if threads_for_all? && requests_each < FEWEST
        end

        def gap_of(slices)
          service, span, loaded, in_use =
            %i[service_sum_ns span_ns loaded_ns in_use_ns].map { |key| slices.sum { _1[key] } }
          1 - (service.fdiv(span) * loaded / in_use)
        end

        # The standard error of the gap; 0 if it is unknown, as of one slice.
        def error
          rest = measured.size - 1
          without = measured.combination(rest).map { |slices| gap_of(slices) }
          return 0 if rest.zero? || !without.all?(&:finite?)

          mean = without.sum / without.size
          Math.sqrt(rest.fdiv(without.size) * without.sum { |one| (one - mean)**2 })
        end

        def timed?
          measured.any? { |slice| slice[:span_ns] && slice[:span_ns] != slice[:wall_ns] }
        end

        # False if it is unknown.
        def threads_for_all?
          slots = ConnectionsExceedThreads.slots(facts[:attested].to_h)
          !slots.nil? && asked <= slots
        end

        # Requests of each connection in a slice.
        def requests_each = total(:good).fdiv(measured.size * asked)

        # The share by which the ends of slices explain a gap.
        def at_ends
          ends = threads_for_all? ? ENDS : QUEUED
          (ends + (NOISE * deviation / Math.sqrt(measured.size))) / requests_each
        end

        # The standard deviation of service times, as a share of their mean m: at most sqrt(most / m
        # - 1), if none is negative (Bhatia and Davis, A Better Bound on the Variance, The American
        # Mathematical Monthly 107, 2000).
        def deviation
          most = measured.filter_map { |slice| slice[:max_ns] }.max.to_i
          Math.sqrt([(most * total(:good)).fdiv(total(:service_sum_ns)) - 1, 0].max)
        end

        # A connection has always something to do in this time, so nothing else can have kept it
        # idle. With 37 % of the CPU taken, as much of the connections' time was lost.
        def short_by(gap)
          return unknown(:uncounted) unless waits

          explained = [gap, [usual, computed + waits + steal].max].min
          lost = gap - explained
          return pass(:turns, gap:) if lost <= TOLERANCE
          return against(lost, :below, gap:, connections: asked) if explained <= TOLERANCE

          against(lost, :lost, gap:, connections: asked, explained:)
        end

        def against(lost, kind, **values)
          lost > MOST ? bad(kind, **values) : warn(kind, **values)
        end

        def counted? = measured.all? { |slice| slice[:in_use_ns] }

        def asked = facts[:connections][:asked]

        def of_time(sum_ns) = sum_ns.fdiv(total(:loaded_ns) * asked)

        # Shares of the connections' time. The driver's usual turns, from a response to the next
        # request, and its stops, which are longer than a turn; if turns are as long, they may be
        # the same time, which counts once.
        def usual
          long = measured.any? { |slice| slice[:turn_ns] > GAP_NS }
          long ? [turns, stops].max : turns + stops
        end

        def turns = SKEW * of_time(measured.sum { |slice| slice[:turn_ns] * slice[:good] })

        # The part of its turns in which it computes; in the rest it waits for its core.
        def computed = [turns, total(:driver_cpu_ns).fdiv(total(:wall_ns) * facts[:threads])].min

        # The time in which the driver was ready and had no core. nil if unknown.
        def waits
          return 0 if thread_stats.empty?
          return if thread_stats.any? { |pulse| pulse[:waited_ns].nil? }

          of_time_of_threads(:waited_ns)
        end

        # The time by which it ran later than it should. A hypervisor takes a core for milliseconds
        # at a time, and no run queue shows that, nor a stop by a signal. While it was awake it may
        # have computed as well, so of that time only as much counts as the hypervisor took, or as
        # it waited for its core without being asleep.
        def stops
          return 0 if thread_stats.any? { |pulse| pulse.values_at(:gaps_ns, :held_ns).any?(&:nil?) }

          asleep = of_time_of_threads(:gaps_ns)
          asleep + [of_time_of_threads(:held_ns), steal + [waits - asleep, 0].max].min
        end

        def of_time_of_threads(key)
          of_threads(key).fdiv(total(:loaded_ns) * facts[:threads])
        end
      end
    end
  end
end
