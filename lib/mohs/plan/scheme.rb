# frozen_string_literal: true

module Mohs
  class Plan
    # How two variants are measured together, and why (method, section 4): a duet on the halves of
    # the machine, unless half of it would answer another question.
    class Scheme < Struct.new(:name, :reason, keyword_init: true)
      # How the two are measured once alone, to be held against a duet.
      SOLO = "rounds"

      # Seconds of boot and warm-up: as long as a duet measures a slow application.
      LONG_S = 4

      # How many servers of each variant a duet has. Two of them average what boots differ by, and
      # stay where they are; but where booting and warming them takes longer than measuring, one of
      # each that change halves make nearly two cohorts of the same time: for the same variance a
      # second the interval after six cohorts is half as wide as after three (Stats::Sequential).
      # Cohorts of either kind may stand in one test: differences of unequal variance make a t test
      # wrong less often, not more (Benjamini 1983, "Is the t test really conservative when the
      # parent distribution is long-tailed?").
      # seconds: of boot and warm-up, of each variant whose are known. Where none are, one: it tells
      # soonest.
      #: (Array[Numeric]) -> Integer
      def self.servers(seconds) = seconds.empty? || seconds.max > LONG_S ? 1 : 2

      # asked: of Study#cores.
      #: (Array[Study::Variant], cores: Integer, ?asked: Integer | Array[Integer] | nil) -> Plan::Scheme
      def self.for(variants, cores:, asked: nil)
        reason = against_halves(variants, cores, asked)
        new(name: reason ? "whole" : "duet", reason:).freeze
      end

      # Why a half would not do; nil where it does.
      def self.against_halves(variants, cores, asked)
        return "there is one core" if cores < 2
        return "both are to run on the same cores, #{asked.join(', ')}" if asked.is_a?(Array)
        return "#{asked} cores for a server are more than half of #{cores}" \
          if asked && asked > cores / 2
        return "how many processes serve is not ours to say" if variants.any? { |v| foreign?(v) }

        processes = variants.map { |variant| variant.processes || 1 }
        return "they differ in processes" if processes.uniq.size > 1
        return "#{processes.max} processes need more than half of #{cores} cores" \
          if !asked && processes.max > cores / 2

        slow = variants.find(&:slow?)
        "#{slow.engine} compiles on other cores than the one that serves" if slow
      end

      # A configuration file, or a server that already runs.
      def self.foreign?(variant) = variant.config || variant.url
      private_class_method :against_halves, :foreign?
    end
  end
end
