# frozen_string_literal: true

module Mohs
  module Cohort
    # Where the trials of a cohort run, and which of them may be busy at the same time: pure, from
    # the cohort's scheme.
    #
    #   apart  every server on all cores but the driver's, one at a time
    #   duet   A on one half of the cores while B is on the other, loaded at once, each half with a
    #          driver thread of its own; then swapped: either two servers of each variant, one on
    #          each half, or one of each that change halves. What disturbs the host disturbs both
    #          alike (method, findings 1 and 2)
    #   whole  every server on all cores, the driver's included, one at a time: for cases where half
    #          of the machine would answer another question
    #
    # If the study sets how many cores, or which, a server gets (Study::Cores), it gets those, and
    # the driver gets one of the others, if there are any. A driver on another machine takes none.
    #
    # places: [Place], in boot order. driver_cpus: one for each driver thread; [] if the threads may
    # run anywhere. at_once: how many places are loaded at once. exchange: whether the servers of a
    # duet change halves. elsewhere: whether the driver is on another machine. lanes: the cores of
    # each server of a wave: the servers that warm up at once.
    class Layout < Struct.new(:places, :driver_cpus, :threads, :at_once, :exchange, :elsewhere,
                              :lanes, keyword_init: true)
      include Value

      # A server's place: its variant's name, its cores, the driver thread that loads it.
      Place = Struct.new(:variant, :cpus, :worker, keyword_init: true)

      # A duet needs one half for each of its two variants.
      HALVES = 2

      # cores: see Study#cores. servers: number of servers of each variant in a duet, 1 or 2.
      # wave_size: how many warm up at once, if not in a duet (Plan::Scheme.wave_size).
      # Raises UsageError if this machine doesn't have the cores.
      #: (String, Array[String], ?cpus: Array[Integer], ?cores: Integer | Array[Integer] | nil, ?servers: Integer, ?elsewhere: bool, ?wave_size: Integer) -> Cohort::Layout
      def self.for(scheme, variants, cpus: Process::CpuSet.available, cores: nil, servers: HALVES,
                   elsewhere: false, wave_size: 1)
        raise ArgumentError, "#{scheme.inspect} is none of #{Plan::Scheme::ALL.join(', ')}" \
          unless Plan::Scheme::ALL.include?(scheme)
        return duet(variants, cpus, cores, servers, elsewhere) if scheme == Plan::Scheme::DUET

        layout = alternating(scheme, variants, cpus, cores, elsewhere)
        new(**layout.to_h, lanes: layout.lanes_for(wave_size, cpus))
      end

      # One server is loaded at a time.
      def self.alternating(scheme, variants, cpus, cores, elsewhere)
        return far(variants, cpus, cores) if elsewhere
        return given(variants, cpus, cores) if cores

        scheme == Plan::Scheme::APART ? apart(variants, cpus) : whole(variants, cpus)
      end

      def self.far(variants, cpus, cores)
        cpus = Study::Cores.of(cores, cpus) if cores
        new(places: alone(variants, cpus), driver_cpus: [], threads: 1, at_once: 1,
            elsewhere: true)
      end

      def self.apart(variants, cpus)
        plan = Process::CpuSet.plan(cpus)
        new(places: alone(variants, plan[:server]), driver_cpus: plan[:driver], threads: 1,
            at_once: 1)
      end

      def self.whole(variants, cpus)
        new(places: alone(variants, cpus), driver_cpus: [], threads: 1, at_once: 1)
      end

      def self.given(variants, cpus, cores)
        own = Study::Cores.of(cores, cpus)
        new(places: alone(variants, own), driver_cpus: (cpus - own).last(1), threads: 1, at_once: 1)
      end

      def self.duet(variants, cpus, cores, servers, elsewhere)
        halves = cpus.each_slice(cpus.size / HALVES).first(HALVES)
        fits = cores.nil? || (cores.is_a?(Integer) && cores <= cpus.size / HALVES)
        raise ArgumentError, "a duet of #{variants.size} on #{cpus.size} cores" \
          unless variants.size == HALVES && cpus.size >= HALVES && fits

        places = [variants, variants.reverse].first(servers).flat_map do |pair|
          pair.zip(halves).each_with_index.map do |(variant, half), worker|
            Place.new(variant:, cpus: half.first(cores || half.size), worker:).freeze
          end
        end
        new(places:, driver_cpus: elsewhere ? [] : halves.map(&:last), threads: HALVES,
            at_once: HALVES, exchange: servers < HALVES, elsewhere:,
            lanes: places.first(HALVES).map(&:cpus))
      end

      def self.alone(variants, cpus)
        variants.map { |variant| Place.new(variant:, cpus:, worker: 0).freeze }
      end
      private_class_method :alternating, :apart, :whole, :given, :far, :duet, :alone

      # Servers that have a single core get one each; others share theirs, which are enough.
      #: (Integer, Array[Integer]) -> Array[Array[Integer]]
      def lanes_for(wave_size, cpus)
        own = places.first ? places.first.cpus : []
        return Array.new(wave_size, own) unless wave_size > 1 && own.one?

        [*own, *(cpus - own)].first(wave_size).map { |cpu| [cpu] }
      end

      # Number of cores that each server has.
      #: () -> Integer
      def cores = places.first.cpus.size

      # Whether the driver shares no core with a server.
      #: () -> bool
      def apart?
        elsewhere || (driver_cpus.any? && (driver_cpus & places.flat_map(&:cpus)).empty?)
      end
    end
  end
end
