# frozen_string_literal: true

module Mohs
  module Cohort
    # Where the trials of a cohort run, and which of them may be busy at the same time: pure, from
    # the cohort's scheme.
    #
    #   rounds  every server on all cores but the driver's, one at a time
    #   duet    two servers of each variant: A on one half of the cores while B is on the other,
    #           loaded at once, each half with a driver thread of its own; then exchanged. What
    #           disturbs the host disturbs both alike (method, findings 1 and 2)
    #   whole   every server on all cores, the driver among them, one at a time: where half of the
    #           machine would answer another question
    #
    # places: [Place], in boot order; driver_cpus: one for each driver thread, [] where the threads
    # may run anywhere; at_once: how many places are loaded together.
    class Layout < Struct.new(:places, :driver_cpus, :threads, :at_once, keyword_init: true)
      include Value

      # A server's place: its variant's name, its cores, the driver thread that loads it.
      Place = Struct.new(:variant, :cpus, :worker, keyword_init: true)

      SCHEMES = %w[rounds duet whole].freeze

      # A duet needs a half for each.
      HALVES = 2

      #: (String, Array[String], ?cpus: Array[Integer]) -> Cohort::Layout
      def self.for(scheme, variants, cpus: Process::CpuSet.available)
        case scheme
        when "rounds" then rounds(variants, cpus)
        when "duet" then duet(variants, cpus)
        when "whole" then whole(variants, cpus)
        else raise ArgumentError, "#{scheme.inspect} is none of #{SCHEMES.join(', ')}"
        end
      end

      def self.rounds(variants, cpus)
        plan = Process::CpuSet.plan(cpus)
        new(places: alone(variants, plan[:server]), driver_cpus: plan[:driver], threads: 1,
            at_once: 1)
      end

      def self.whole(variants, cpus)
        new(places: alone(variants, cpus), driver_cpus: [], threads: 1, at_once: 1)
      end

      def self.duet(variants, cpus)
        halves = cpus.each_slice(cpus.size / HALVES).first(HALVES)
        raise ArgumentError, "a duet of #{variants.size} on #{cpus.size} cores" \
          unless variants.size == HALVES && cpus.size >= HALVES

        places = [variants, variants.reverse].flat_map do |pair|
          pair.zip(halves).each_with_index.map do |(variant, half), worker|
            Place.new(variant:, cpus: half, worker:).freeze
          end
        end
        new(places:, driver_cpus: halves.map(&:last), threads: HALVES, at_once: HALVES)
      end

      def self.alone(variants, cpus)
        variants.map { |variant| Place.new(variant:, cpus:, worker: 0).freeze }
      end
      private_class_method :rounds, :whole, :duet, :alone

      # Cores that each server has.
      #: () -> Integer
      def cores = places.first.cpus.size
    end
  end
end
