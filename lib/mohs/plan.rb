# frozen_string_literal: true

module Mohs
  # The order of a run: rounds of cohorts, drawn with a seed, so that the same study and seed give
  # the same plan. Plain frozen data (to_h, from_h). `estimate_s` is printed before the start;
  # `dropped` is what the budget cut: variants [{ name:, code:, values: }], and rounds
  # [{ rounds:, of:, code:, values: }], which have no name: a variant may have any.
  class Plan < Struct.new(:seed, :rounds, :cohorts, :estimate_s, :dropped, keyword_init: true)
    include Value

    # Seeds of cohorts are drawn below this number.
    SEEDS = 1 << 31

    # hash: parsed JSON with symbol keys, as the store returns it.
    #: (Hash[Symbol, untyped]) -> Plan
    def self.from_h(hash)
      new(**hash, cohorts: hash.fetch(:cohorts).map { |cohort| CohortSpec.new(**cohort) })
    end

    # Estimated seconds of its first cohorts, each on whichever host is free first.
    #: (Integer, ?hosts: Integer) -> Numeric
    def seconds_of(count, hosts: 1)
      busy_s = Array.new(hosts, 0)
      cohorts.first(count).each { |cohort| busy_s[busy_s.index(busy_s.min)] += cohort.estimate_s }
      busy_s.max
    end

    # A copy with these of its cohorts alone, which take so many seconds.
    #: (Array[Plan::CohortSpec], Numeric) -> Plan
    def rest(cohorts, seconds)
      self.class.new(**each_pair.to_h, cohorts:, estimate_s: seconds.ceil)
    end

    # A copy with the time of its first cohorts as the estimate.
    #: (Integer, ?hosts: Integer) -> Plan
    def estimated(count, hosts: 1)
      self.class.new(**each_pair.to_h, estimate_s: seconds_of(count, hosts:).ceil)
    end

    # A plain hash, ready for JSON: seeds stand for the orders of blocks.
    #: () ?{ (Symbol, untyped) -> [Symbol, untyped] } -> Hash[Symbol, untyped]
    def to_h = super.merge(cohorts: cohorts.map(&:to_h))

    # Includes every order, for readers that don't draw them.
    #: () -> Hash[Symbol, untyped]
    def document = to_h.merge(cohorts: cohorts.map(&:document))

    # Names of all variants in the plan.
    #: () -> Array[String]
    def variants = cohorts.flat_map(&:variants).uniq

    # The trials of one cohort. `position` counts through the whole run from 0, `round` from 1;
    # `variants` are names in boot order, `baseline` one of them (nil in the cohort of variants
    # refused before the start); `scheme` says where they run and which are loaded together
    # (Cohort::Layout); `seed` generates the orders of the blocks (nil: there are none); `brief`: it
    # measures only as long as its servers take to boot and warm up (Cohort::Schedule); `recorded`:
    # names of variants whose cold start an earlier cohort of the round records: they get the usual
    # warm-up; `own`: what only the procedure that planned it knows of it, plain data by name, which
    # is given and stored among the other members.
    class CohortSpec < Struct.new(:round, :position, :baseline, :variants, :blocks, :estimate_s,
                                  :scheme, :seed, :brief, :recorded, :own, keyword_init: true)
      KNOWN = members - %i[own]
      private_constant :KNOWN

      # The most blocks that Cohort::Schedule runs.
      BLOCKS = 30

      #: (?round: Integer?, ?position: Integer?, ?baseline: String?, ?variants: Array[String], ?estimate_s: Numeric?, ?blocks: Array[Array[String]]?, ?scheme: String, ?seed: Integer?, ?brief: bool, ?recorded: Array[String], **untyped) -> void
      def initialize(**values)
        known, own = values.partition { |name, _| KNOWN.include?(name) }.map(&:to_h)
        super(scheme: Scheme::APART, brief: false, recorded: [], **known, own: own.freeze)
        freeze
      end

      # Builds cohorts from their values, in order; `from` is the position of the first.
      #: (Array[Hash[Symbol, untyped]], ?from: Integer) -> Array[Plan::CohortSpec]
      def self.numbered(drawn, from: 0)
        drawn.each.with_index(from).map { |values, position| new(**values, position:) }
      end

      # Nearly equal parts of at most `most` items: a variant left over alone would cost another
      # whole baseline.
      #: (Array[untyped], most: Integer) -> Array[Array[untyped]]
      def self.even_parts(all, most:)
        count = all.size.fdiv(most).ceil
        parts = all.each_with_index.group_by { |_, index| index % count }.values
        parts.map { |part| part.map(&:first) }
      end

      # Values of the cohort of variants refused before the start, which takes no time; empty if
      # there are no refused variants.
      #: (Array[Study::Variant]) -> Array[Hash[Symbol, untyped]]
      def self.refusals(refused)
        return [] if refused.empty?

        [{ round: 1, baseline: nil, variants: refused.map(&:name), estimate_s: 0 }]
      end

      # Random orders of the variants. Cohort::Schedule runs each order with its mirror, as many as
      # the length of the slices allows. Drawn again on each call, unless they were given.
      #: () -> Array[Array[String]]
      def blocks = super || drawn

      # What is stored: everything that can't be drawn again.
      #: () ?{ (Symbol, untyped) -> [Symbol, untyped] } -> Hash[Symbol, untyped]
      def to_h
        all = super
        all.delete(:blocks) if all[:blocks].nil?
        { **all.except(:own), **all[:own] }
      end

      # For documents: with the blocks in place of their seed.
      #: () -> Hash[Symbol, untyped]
      def document = { **to_h.except(:seed, :brief, :recorded, *own.keys), blocks: }

      # A copy with another baseline: a stand-in for a baseline that does not run, placed next to it
      # in every order unless it is already in the cohort.
      #: (String) -> Plan::CohortSpec
      def against(name)
        return self.class.new(**to_h, baseline: name) if variants.include?(name)

        joined = [variants, *blocks].map do |names|
          names.flat_map { |one| one == baseline ? [one, name] : one }
        end
        self.class.new(**to_h, baseline: name, variants: joined.first, blocks: joined.drop(1))
      end

      # A copy without some of its variants: the orders of its blocks are drawn anew. Returns itself
      # if it has none of these variants.
      #: (Array[String]) -> Plan::CohortSpec
      def without(names)
        return self unless variants.intersect?(names)

        self.class.new(**to_h.except(:blocks), variants: variants - names)
      end

      private

      def drawn
        return [] unless seed

        random = Random.new(seed)
        Array.new(BLOCKS) { variants.shuffle(random:) }
      end
    end

    # Seconds that one trial takes, by variant, as measured in earlier runs of the application. A
    # variant that was not measured yet takes the default of its engine, scaled by how much longer
    # than the default the other variants of that engine took. How long a large application takes to
    # boot on CRuby says nothing about a JVM.
    class Costs
      # `warm_up_s` is that of a recorded cold start, if the study has one; `usual_s` that of a
      # server whose variant's cold start an earlier cohort of the round has recorded.
      Cost = Struct.new(:boot_s, :warm_up_s, :usual_s, :measure_s, :stop_s, keyword_init: true) do
        # Seconds of the whole trial.
        #: (?recorded: bool) -> Float
        def total_s(recorded: false)
          boot_s + (recorded ? usual_s : warm_up_s) + measure_s + stop_s
        end
      end

      # Seconds of measured load per trial (method, section 5).
      MEASURE_S = 2.0

      # The same in a brief cohort: a server of a small application boots, gets warm and ends in 1.3
      # s, and a run's precision comes from boots. This is five blocks of two slices of 120 ms:
      # three rounds of four variants, the least for an interval, then fit in half a minute.
      BRIEF_S = 1.2

      # A study that limits warm-ups to this many seconds or fewer has no time for long cohorts
      # either.
      SHORT_S = 10

      # Expected requests of a trial at a given rate. The number varies by chance with a standard
      # deviation of 21, and from 381 requests on the p99 has an interval (Stats::Quantile.ranks).
      RATED = 450

      # Requests a second of a cold start, on average from the first request on, for an application
      # that was not measured yet, on two cores: a small Rails and a small Rack application. The
      # first boots correct the figure.
      COLD_PER_S = { rails: 250.0, rack: 1500.0 }.freeze

      # `measured`: { variant's name => { boot_s:, warm_up_s:, ... } }, any of them; `earlier`: the
      # variants that these names stood for, if known; `cold_start`: that of the study; `framework`
      # :rails or :rack; `rates`: Study#rates; `warm_up_s`: what a warm-up may take; `measure_s`:
      # what the load of a server takes at least; `wave_size`: how many servers of a cohort warm up
      # at once, if none of them lingers (Scheme.wave_size).
      #: (?Hash[String, Hash[Symbol, Numeric]], ?earlier: Array[Study::Variant], ?cold_start: Study::ColdStart?, ?framework: Symbol, ?rates: Array[Numeric], ?warm_up_s: Numeric?, ?wave_size: Integer, ?measure_s: Numeric) -> void
      def initialize(measured = {}, earlier: [], cold_start: nil, framework: :rails, rates: [],
                     warm_up_s: nil, wave_size: 1, measure_s: 0)
        @least_s = measure_s
        @wave_size = wave_size
        @rates = rates
        @most_s = warm_up_s || Float::INFINITY
        @measured = measured
        @earlier = earlier
        per_s = COLD_PER_S.fetch(framework)
        @cold_s = cold_start && (cold_start.total / per_s)
        @slower = {}
      end

      attr_reader :wave_size

      #: (Study::Variant) -> Plan::Costs::Cost
      def for(variant)
        measure_s = brief?(variant) ? BRIEF_S : MEASURE_S
        measure_s = [measure_s, @least_s, *@rates.map { |rate| RATED.fdiv(rate) }].max
        expected = default(variant).to_h do |part, seconds|
          [part, seconds * slower(variant.engine, part)]
        end
        Cost.new(measure_s:, **expected, **known(variant))
      end

      # Seconds of a cohort of these variants. recorded: names of those whose cold start an earlier
      # cohort of the round has recorded.
      #: (Array[Study::Variant], ?recorded: Array[String]) -> Numeric
      def cohort_s(variants, recorded: [])
        cohort = CohortSpec.new(variants: variants.map(&:name), recorded:)
        Estimator.new(variants, self).cohort_s(cohort)
      end

      # Is its cohort brief? A longer one pays off if a server takes a minute to get warm.
      #: (Study::Variant) -> bool
      def brief?(variant) = !variant.lingers? || @most_s <= SHORT_S

      # Were all of these variants measured before, so that the time of a run is known?
      #: (Array[Study::Variant]) -> bool
      def know?(variants) = variants.all? { |one| one.refusal || known(one).any? }

      # The parts that were measured.
      #: (Study::Variant) -> Hash[Symbol, Numeric]
      def known(variant) = @measured.fetch(variant.name, {})

      private

      def default(variant)
        engine = Rubies::Engines.named(variant.engine)
        cost = engine.cost(variant.flags, variant.ruby.to_s)
        usual_s = [cost.fetch(:warm_up_s), @most_s].min
        # What compiles in the background is taken not to be warm after the batches.
        further_s = engine::SLOW ? usual_s : 0
        { **cost, usual_s:, warm_up_s: @cold_s ? @cold_s + further_s : usual_s }
      end

      # How many times longer than the default this part took on an engine.
      def slower(engine, part)
        @slower[[engine, part]] ||= begin
          same = @earlier.select { |one| one.engine == engine && known(one).key?(part) }
          ratios = same.map { |one| known(one).fetch(part) / default(one).fetch(part) }
          ratios.empty? ? 1.0 : Stats::Center.median(ratios)
        end
      end
    end

    # How the servers of a cohort share the machine (Cohort::Layout).
    module Scheme
      # Each server on all cores but one, which is the driver's, one server at a time.
      APART = "apart"

      # Servers side by side, each on one half of the machine.
      DUET = "duet"

      # Each server on all cores, one server at a time.
      WHOLE = "whole"

      ALL = [APART, DUET, WHOLE].freeze

      # Seconds of boot and warm-up: as long as a duet measures a slow application.
      LONG_S = 4

      # How many servers of each variant a duet has. Two servers average out the differences between
      # boots, and stay where they are. But if booting and warming them takes longer than measuring,
      # one server of each variant that swaps halves gives nearly two cohorts in the same time: for
      # the same variance per second, the interval after six cohorts is half as wide as after three
      # (Stats::Sequential). Cohorts of both kinds may be used in one test: differences of unequal
      # variance make a t test wrong less often, not more (Benjamini 1983, "Is the t test really
      # conservative when the parent distribution is long-tailed?"). seconds: of boot and warm-up,
      # for each variant with known times. If no times are known, one server: that gives the first
      # result soonest.
      #: (Array[Numeric]) -> Integer
      def self.servers(seconds) = seconds.empty? || seconds.max > LONG_S ? 1 : 2

      # Servers warm up at once if neither serves more than this many times as many requests per
      # second as another; others in turn (Trial::WarmUp#alike?).
      ALIKE = 2

      # How many servers a wave has: those of a cohort that warm up at once, though one is measured
      # at a time. As many as have cores of their own for all their processes and services. APART,
      # servers of one core borrow the driver's, which is nearly idle until slices run. One
      # where nobody knows what a server keeps busy (a configuration of its own, an engine or JIT
      # that compiles on other cores, a worker for jobs), where a cold start is measured, in which
      # nothing may run beside it, and where the procedure forbids it (Procedure::Loading#waves?).
      # quota_cores: what all may use in sum (Doctor.allowance); nil: all cores.
      #: (Study, Array[Study::Variant], ?scheme: String, ?cores: Integer, ?quota_cores: Float?) -> Integer
      def self.wave_size(study, variants, scheme: APART, cores: Process::CpuSet.available.size,
                         quota_cores: nil)
        return 1 if variants.empty? || study.cold_start || study.jobs || study.streams
        return 1 unless study.procedure.loading.waves?
        return 1 if variants.any? { |one| foreign?(one) || one.lingers? }

        each = variants.map(&:busy_processes).max + study.service_names.size
        own = server_cores(study, scheme, cores)
        own = cores if own == 1 && each == 1 && study.cores.nil?
        [[own, *quota_cores].min.floor / each, 1].max
      end

      def self.server_cores(study, scheme, cores)
        asked = study.cores
        return asked.is_a?(Array) ? asked.size : asked if asked

        scheme == APART && study.load_from.nil? ? [cores - 1, 1].max : cores
      end

      # Does it have a configuration file of its own, or is it an external server? Then mohs does
      # not control the number of its processes.
      #: (Study::Variant) -> bool
      def self.foreign?(variant) = !(variant.config || variant.url).nil?
      private_class_method :server_cores
    end
  end
end
