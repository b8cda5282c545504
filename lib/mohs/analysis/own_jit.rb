# frozen_string_literal: true

module Mohs
  module Analysis
    # A finding about the JIT that an application turns on by itself: which it is, where that is
    # written, for which variants it was kept off, and which run it. `other`, if there are any: for
    # which it is off because their flags ask for another JIT. Variants whose flags ask for the same
    # one are in no list; no finding if all do, as the application then decides nothing.
    module OwnJit
      #: (Array[Store::Trial], Study) -> Analysis::Finding?
      def self.call(trials, study)
        found = trials.filter_map { |trial| trial.attested[:jit_by_app] }
        return if found.empty?

        off, on, other = sides = sides(trials, study, found.first[:jit])
        return if sides.all?(&:empty?)

        others = { other: }.reject { |_, names| names.empty? }
        where = found.filter_map { |one| one[:where] }.first
        Finding.note("jit_by_app", jit: found.first[:jit], where:, off:, on:, **others)
      end

      def self.sides(trials, study, jit)
        concerned = trials.select { |trial| trial.attested[:jit_by_app] }.map(&:variant).uniq
        variants = concerned.filter_map { |name| study.variant(name) }
        on, others = variants.partition(&:own_jit)
        kept, asking = others.partition do |one|
          [nil, Rubies::Engines::Base::NO_JIT].include?(one.asked_jit)
        end
        [kept, on, asking.reject { |one| one.asked_jit == jit }].map { |side| side.map(&:name) }
      end
      private_class_method :sides
    end
  end
end
