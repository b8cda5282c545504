# frozen_string_literal: true

module Mohs
  module Analysis
    # Why two variants differ: which figures of the kernel and of the servers' own processes changed
    # between A and B in the same cohorts, and how much of the difference in CPU time a request the
    # parts of it account for (method, Why they differ). Nothing here decides a verdict.
    class Explanation
      # The parts that add up to the CPU time: figures that are only counted have no share.
      PARTS = %i[gc_time_ns code_ns system_ns front_ns].freeze

      # How far the CPU time of readings may be from that of slices (0.9 % was the most seen).
      APART = 0.05

      # If its interval is wider than this, the unexplained share says nothing.
      WIDEST = 1.0

      # Number of cohorts that a test needs.
      FEWEST = Stats::Interval::FEWEST

      # Figures tested together: CPU time, the cores kept busy, what is waited for, and all others.
      # Each family answers a question of its own, and a time must be found among few others. A rate
      # is cores over CPU time a request: as a part of that, cores are tested alone.
      FAMILIES = begin
        times = [%i[gc_time_ns code_ns user_ns system_ns front_ns], %i[cores_busy],
                 %i[waiting_ns gvl_wait_ns cpu_wait_ns other_wait_ns]]
        [*times, Measures::ALL.keys - times.flatten].each(&:freeze).freeze
      end

      # A figure that changed, or not: `a`, `b` and their `change` B - A with its own interval of
      # 95 % (nil before the third cohort), `ratio` B / A (nil unless both are positive),
      # `significant` if beyond chance within its family, `share` of the difference in CPU time a
      # request (nil for figures without one).
      Cause = Struct.new(:name, :unit, :a, :b, :change, :low, :high, :ratio, :significant, :share,
                         keyword_init: true) do
        include Value
      end

      # `a` and `b`: the names of the two variants; `count`: how many cohorts held both; `compared`:
      # the ratio B / A of CPU time a request as the verdict's table has it, nil without one.
      attr_reader :a, :b, :count, :compared

      # pairs: the measured trials of A and of B, for each cohort that counts. level: takes how many
      # tests are judged together and returns the two-sided level of each.
      #: (Array[[Array[Store::Trial], Array[Store::Trial]]], a: String, b: String, level: ^(Integer) -> Float, compared: Stats::Interval?) -> void
      def initialize(pairs, a:, b:, level:, compared:)
        @pairs = pairs
        @a = a
        @b = b
        @level = level
        @compared = compared
        @count = pairs.size
        @costs = pairs.map { |pair| pair.map { |trials| trials.map { |one| Costs.new(one) } } }
        @figures = {}
      end

      # Does every server have readings, and slices with CPU time?
      #: () -> bool
      def known?
        trials = @pairs.flatten
        trials.any? && trials.all? { |trial| trial.readings.size > 1 } && !figure(:cpu_ns).nil?
      end

      # Are there enough cohorts for intervals and marks?
      #: () -> bool
      def tested? = count >= FEWEST

      # Does CPU time a request differ beyond chance? By the verdict's own test: the same estimator,
      # adjustment and level, so that table and explanation agree.
      #: () -> bool
      def differs? = !compared.nil? && compared.excludes?(1)

      # CPU time a request over all slices, in ns: the difference that parts have a share of. It is
      # tested alone.
      #: () -> Analysis::Explanation::Cause
      def cpu = @cpu ||= alone(:cpu_ns)

      # The same for latency; nil if unknown.
      #: () -> Analysis::Explanation::Cause?
      def latency = alone(:latency_ns)

      # The same for memory at rest after the load, in bytes; nil if unknown.
      #: () -> Analysis::Explanation::Cause?
      def memory = alone(:memory_bytes)

      # Do readings and slices agree on the CPU time? What a server does between its slices is in
      # the readings alone: parts of that have no share in what its requests cost.
      #: () -> bool
      def whole?
        user, system, front = %i[user_ns system_ns front_ns].map { |name| figure(name) }
        return true unless user && system

        %i[a b].all? do |side|
          read = [user, system, front].compact.sum(&side)
          (1 - (read / cpu.public_send(side))).abs <= APART
        end
      end

      # Every figure that both sides have: first those with a share, the largest first, then the
      # others that changed, those that changed most first, then the rest.
      #: () -> Array[Analysis::Explanation::Cause]
      def causes
        @causes ||= families.flatten
                            .map { |one| cause(one, significant: marked?(one), share: share(one)) }
                            .sort_by.with_index { |one, index| [*rank(one), index] }
      end

      #: (Symbol) -> Analysis::Explanation::Cause?
      def cause_of(name) = causes.find { |one| one.name == name }

      # The parts of CPU time that changed and explain it, the largest first: those with shares or,
      # if there are none, those that changed in the direction of the CPU time.
      #: () -> Array[Analysis::Explanation::Cause]
      def parts
        found = causes.select { |one| explains?(figure(one.name)) }
        found.select! { |one| one.change.positive? == (compared.value > 1) } if differs? && !shares?
        found.sort_by { |one| -(one.share || one.change).abs }
      end

      # The share of the difference in CPU time a request that no measured part accounts for. Parts
      # that did not change beyond chance are subtracted too: without them the interval would be too
      # narrow. nil if parts have no shares.
      #: () -> Stats::Interval?
      def unexplained
        return unless shares?

        parts = families.flatten.select { |one| accounts?(one) }.map { |one| relative(one) }
        rests = whole.each_index.map { |at| whole[at] - parts.sum { |part| part[at] } }
        Stats::Fieller.ratio(rests, whole, alpha: @level.call(1))
      end

      # Is the unexplained share worth reporting, by the ends of its interval? Not if the interval
      # is wider than the whole, or has no ends: the share may be nothing or all of it.
      #: (Float?, Float?) -> bool
      def self.telling?(low, high) = !low.nil? && high - low <= WIDEST

      # The share of a difference in requests/s that comes from how many cores were kept busy; the
      # rest is CPU time a request: the rate is one over the other, so their log ratios add up. nil
      # unless the rates of the totals differ beyond chance: a share of next to nothing may be
      # anything.
      #: () -> Float?
      def cores_share
        cores, cpu = %i[cores_busy cpu_ns].map { |name| Math.log(figure(name).ratio) }
        cores / (cores - cpu) if cores != cpu && alone(:span_ns).significant
      end

      # The share of the time in which something ran or was ready to, on A and on B. Where waiting
      # for the GVL is known, this is the share of each thread that worked or, if that is more, of
      # the GVL of each process being held or waited for (with several threads it may be above 1);
      # else that of each process. From a half on, CPU time, cores or GVLs are what is lacking. nil
      # if unknown.
      #: () -> Array[Float]?
      def saturation
        cores, cpu, wait = %i[cores_busy cpu_ns cpu_wait_ns].map { |name| figure(name) }
        demand = figure(:gvl_demand)
        units = units() or return
        return unless wait && (demand || figure(:other_wait_ns).nil?)

        %i[a b].zip(units).map do |side, unit|
          ready = 1 + (wait.public_send(side) / cpu.public_send(side))
          [cores.public_send(side) * ready / unit, demand&.public_send(side)].compact.max
        end
      end

      # Does a server of either side have more connections than threads? Then requests wait in its
      # sockets for the threads that run.
      #: () -> bool
      def crowded?
        @pairs.flatten.any? { |trial| ConnectionsExceedThreads.wait?(trial) }
      end

      # Does only one side compile? If both do, more machine code is no reason.
      #: () -> bool
      def one_compiles? = attested(:jit).map { |jits| jits == %w[off] }.uniq.size == 2

      # What A and B attested, each value once.
      #: (Symbol) -> [Array[untyped], Array[untyped]]
      def attested(what)
        [0, 1].map do |side|
          @pairs.flat_map { |pair| pair[side] }.map { |trial| trial.attested[what] }.uniq
        end
      end

      # Where the difference comes from, as findings: the difference in the metric of the verdict,
      # if it finds one; else that in CPU time a request, if that differs; else none.
      #: (Analysis::Verdict?) -> Array[Analysis::Finding]
      def why(verdict)
        why = Why.new(self)
        return why.findings(verdict.metric, worse: verdict.outcome == :slower) if verdict&.differs?

        differs? ? why.findings(:cpu_us_per_request, worse: compared.value > 1) : []
      end

      private

      # nil if any trial lacks it, if it is a figure of a JIT that is off on both sides, or of a
      # front that neither side has.
      def figure(name)
        @figures.fetch(name) do
          next if Costs::JIT.include?(name) && attested(:jit).flatten.uniq == ["off"]
          next if name == :front_ns && @pairs.flatten.all? { |trial| trial.front.nil? }

          sides = @costs.map { |pair| pair.map { |costs| costs.map { |one| one[name] } } }
          @figures[name] = (Figure.new(name, sides) if sides.flatten.all?)
        end
      end

      # How many threads or processes run at a time on each side, at least one; nil if unknown.
      def units
        threads = figure(:threads_busy) if figure(:other_wait_ns)
        of = threads && [threads.a, threads.b]
        of ||= attested(:workers).map { |counts| counts.compact.max }
        of.map { |count| [count, 1].max } if of.all?
      end

      def families
        @families ||= FAMILIES.map { |names| names.filter_map { |name| figure(name) } }
      end

      def interval(figure) = figure.interval(@level.call(1))

      def cause(figure, significant:, share: nil)
        low, high = interval(figure)
        Cause.new(name: figure.name, unit: Costs.unit(figure.name), a: figure.a, b: figure.b,
                  change: figure.change, low:, high:, ratio: figure.ratio, significant:, share:)
      end

      # The cause of one figure, tested alone; nil if the figure is unknown.
      def alone(name)
        figure = figure(name) or return
        low, high = interval(figure)
        cause(figure, significant: !low.nil? && (low * high).positive?)
      end

      def rank(cause)
        return [0, -cause.share.abs] if cause.share
        return [2, 0] unless cause.significant

        [1, cause.ratio ? -Math.log(cause.ratio).abs : -Float::INFINITY]
      end

      # Shares of a difference that may be zero mean nothing, whether it is the one compared or that
      # of the totals, pauses included, which the parts add up to. Before there can be a test they
      # are all there is.
      def shares?
        return false unless whole?
        return !cpu.change.zero? unless tested?

        differs? && cpu.significant && cpu.change.positive? == (compared.value > 1)
      end

      def share(figure)
        return unless shares? && explains?(figure)

        Stats::Center.mean(relative(figure)) / Stats::Center.mean(whole)
      end

      def explains?(figure) = accounts?(figure) && moved?(figure)

      def accounts?(figure)
        part?(figure.name) && (figure.name != :code_ns || compiled?(figure))
      end

      # User time is where the time went, not why. Compiling is a cause: the side with a JIT made
      # machine code and takes less time; of two sides with a JIT, one interprets less.
      def compiled?(code)
        why = figure(one_compiles? ? :jit_code_bytes : :interpreted_instructions)
        return false unless why && moved?(why)

        (why.change.positive? == code.change.positive?) != one_compiles?
      end

      # Before there can be a test, every figure that differs counts as changed.
      def moved?(figure) = tested? ? marked?(figure) : !figure.change.zero?

      # Differences in units of A's CPU time a request in the same cohort, since hosts slow both
      # sides alike.
      def relative(figure) = figure.differences(figure(:cpu_ns).bases)

      def whole = @whole ||= relative(figure(:cpu_ns))

      # What is within user time is a part only if the rest of user time is known.
      def part?(name)
        PARTS.include?(name) && (%i[system_ns front_ns].include?(name) || !figure(:code_ns).nil?)
      end

      # That a side whose JIT is off has no machine code is certain, whatever a test of few cohorts
      # finds. Before there can be a test, nothing is marked.
      def certain?(figure)
        tested? && one_compiles? && Costs::JIT.include?(figure.name) && !figure.change.zero?
      end

      def marked?(figure)
        return true if certain?(figure)

        @marked ||= families.flat_map { |family| Figure.marked(family, @level) }
        @marked.include?(figure)
      end
    end
  end
end
