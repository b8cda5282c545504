# frozen_string_literal: true

module Mohs
  class Study
    # Decides what is measured in place of Rubies that mohs chose and whose gems can't be installed:
    # the newest other Ruby that the application allows (Choice#instead_of). Their own variants stay
    # in the study, refused. Pure.
    class Fallback
      # own_jit: see Choice#notations.
      #: (choice: Study::Choice, resolver: Study::Resolver, ?own_jit: bool) -> void
      def initialize(choice:, resolver:, own_jit: false)
        @choice = choice
        @resolver = resolver
        @own_jit = own_jit
      end

      # The study with the variants to measure instead; itself if the user named the variants, no
      # Ruby is lost, or no other can be expected to do better.
      #: (Study) -> Study
      def call(study)
        lost = study.named ? {} : study.lost_rubies
        return study if lost.empty? || hopeless?(lost.values)

        measured = study.variants.map(&:ruby)
        added = @choice.instead_of(lost.keys, own_jit: @own_jit)
                       .reject { |one| measured.include?(one.ruby) }
        added.empty? ? study : with(study, added.map { |one| @resolver.call(one) })
      end

      private

      # What fails in the same way on two Rubies most likely fails on each, perhaps after minutes,
      # unless it is about the Ruby's version.
      def hopeless?(reasons)
        failure = App::Bundle::Failure
        return true if reasons.any? { |reason| failure.of_any_ruby?(reason) }

        others = reasons.reject { |reason| failure::OF_THIS_RUBY.include?(reason.code) }
        others.map(&:cause).uniq.size < others.size
      end

      def with(study, added)
        variants = study.variants + added
        chosen = study.variant(study.baseline)
        baseline = chosen.refusal ? Baseline.in_place_of(chosen, added.first) : {}
        Study.new(**study.each_pair.to_h, variants:, omitted: @choice.omitted(variants), **baseline)
      end
    end
  end
end
