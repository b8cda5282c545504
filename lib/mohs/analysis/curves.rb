# frozen_string_literal: true

module Mohs
  module Analysis
    # What pictures need besides the figures of a document: the percentile curve of each variant,
    # its latencies over time, and each boot by itself. Recordings are folded into these part by
    # part (Load::Fold), so that none is ever in memory as a whole. Pure.
    class Curves
      # The scale of HdrHistogram, on which 10, 100 and 1000 requests of which one is slower are
      # equally far apart, with POINTS points between two of them, up to 10 to the power of
      # FARTHEST.
      POINTS = 10
      FARTHEST = 6
      # A percentile is drawn only if this many requests of each boot are slower.
      BEYOND = 10

      # Cells of the latencies over time: columns for all boots of a variant together, and rows for
      # each power of ten of the latency.
      COLUMNS = 60
      PER_DECADE = 10

      # Shares of the requests at which a curve has points.
      SHARES = Array.new((POINTS * FARTHEST) + 1) { |step| 1 - (10**(-step.fdiv(POINTS))) }.freeze

      # The curves of a run's measured trials. The block adds what was recorded of a trial to its
      # fold; nothing if the recording was not kept.
      #: (Analysis::Run) { (Store::Trial, Load::Fold) -> void } -> Hash[Symbol, untyped]
      def self.of_run(run, &recorded)
        trials = run.cohorts.flat_map do |cohort|
          cohort.trials.select(&:measured?).map { |trial| [cohort.round, trial] }
        end
        names = run.measured_rows.map(&:name)
        all = trials.group_by { |_, trial| trial.variant }.slice(*names)
        new(names.map { |name| variant(name, all.fetch(name), &recorded) }).to_h
      end

      def self.variant(name, trials, &recording)
        kind = Latency.new(trials.map(&:last)).kind.to_sym
        one = Variant.new(name, kind, [COLUMNS / trials.size, 1].max)
        trials.each { |round, trial| one.boot(round, trial) { |fold| yield trial, fold } }
        one
      end
      private_class_method :variant

      #: (Array[Analysis::Curves::Variant]) -> void
      def initialize(variants)
        @variants = variants
      end

      # As docs/json.md describes it.
      #: () -> Hash[Symbol, untyped]
      def to_h
        lowest, highest = @variants.flat_map(&:rows).minmax
        rows = lowest ? (lowest..highest).to_a : []
        { shares: SHARES, from_ms: rows.map { |row| Variant.lowest_ns(row) / 1e6 },
          variants: @variants.map { |one| one.to_h(rows) } }
      end

      # One variant; its boots are added one after the other.
      class Variant
        # Where a row begins: shorter times belong to the row before.
        #: (Integer) -> Integer
        def self.lowest_ns(row) = (10**row.fdiv(PER_DECADE)).ceil

        # Where each row begins, up to some hours.
        ROWS = Array.new((13 * PER_DECADE) + 1) { |row| lowest_ns(row) }.freeze

        # kind: that of the latencies, :service or :response. columns: the number for each boot.
        #: (String, Symbol, Integer) -> void
        def initialize(name, kind, columns)
          @name = name
          @kind = kind
          @columns = columns
          @boots = []
          @percentiles = []
          @cells = []
          @failed = []
          @starts = []
          @most = 1.0
        end

        # Adds a measured boot of a round; the block adds what was recorded of it to the fold.
        #: (Integer?, Store::Trial) { (Load::Fold) -> void } -> void
        def boot(round, trial, &)
          figures = Figures.new(trial)
          @boots << { round:, boot_ms: figures.boot_ms, memory_bytes: figures.memory_bytes,
                      throughput_per_s: figures.throughput_per_s,
                      cpu_us_per_request: figures.cpu_us_per_request,
                      p50_ms: trial.latency.to_h[:p50_ns]&.fdiv(1e6),
                      p99_ms: figures.latency_p99_ms }
          @most = Latency::SHOWN if Latency.new([trial]).waits_cut_off?
          slices = trial.measured_slices.select { |slice| slice.started_ns && slice.wall_ns }
          add(slices.map { |slice| [slice.started_ns, slice.wall_ns] }.sort, &)
        end

        # windows: [started_ns, wall_ns] of each stretch of load, in chronological order. The block
        # adds what was recorded of them to the fold.
        #: (Array[[Integer, Integer]]) { (Load::Fold) -> void } -> void
        def add(windows)
          drawn = windows.any? && @cells.size + @columns <= COLUMNS
          fold = Load::Fold.new(@kind, edges: drawn ? edges(windows) : [], rows: ROWS)
          yield fold
          return if fold.size.zero?

          @percentiles << percentiles(fold)
          return unless drawn

          @starts << @cells.size
          @cells.concat(fold.cells)
          @failed.concat(fold.unanswered_cells)
        end

        # Rows in which any request was counted.
        #: () -> Array[Integer]
        def rows = ROWS.each_index.select { |row| @cells.any? { |cells| cells[row].positive? } }

        # Its part of the curves, with the counts of these rows.
        #: (Array[Integer]) -> Hash[Symbol, untyped]
        def to_h(rows)
          { variant: @name, kind: @kind.to_s, percentiles_ms: middle(&:itself),
            lowest_ms: middle(&:min), highest_ms: middle(&:max), starts: @starts,
            counts: @cells.map { |cells| cells.values_at(*rows) },
            unanswered: @failed, boots: @boots }
        end

        private

        # In ms, up to where too few requests are slower, or waits are cut off; infinite where a
        # request without a correct response holds that rank.
        def percentiles(fold)
          due = fold.good + fold.unanswered
          told = SHARES.take_while { |share| due * (1 - share) >= BEYOND && share < @most }
          fold.ranked(told).map do |ranked|
            ranked.more ? Float::INFINITY : ranked.ns / 1e6
          end
        end

        # The median over the boots, or what the block makes of their times, at each share that all
        # boots have.
        def middle(&)
          fewest = @percentiles.map(&:size).min.to_i
          Array.new(fewest) do |index|
            times = yield(@percentiles.map { |one| one[index] })
            time = times.is_a?(Array) ? Stats::Center.median(times) : times
            time if time.finite?
          end
        end

        # Moments between which the load lasted equally long, pauses excluded.
        def edges(windows)
          each_ns = windows.sum(&:last).fdiv(@columns)
          inner = Array.new(@columns - 1) { |index| moment(windows, (index + 1) * each_ns) }
          [windows.first.first, *inner, windows.last.sum + 1]
        end

        # The moment at which the load had lasted this long.
        def moment(windows, loaded_ns)
          windows.each do |started_ns, wall_ns|
            return (started_ns + loaded_ns).round if loaded_ns <= wall_ns

            loaded_ns -= wall_ns
          end
          windows.last.sum
        end
      end
    end
  end
end
