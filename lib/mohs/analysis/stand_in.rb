# frozen_string_literal: true

module Mohs
  module Analysis
    # Which variant stands in for a baseline that turned out not to run: determined from the
    # outcomes of the trials so far, so that the next cohort and the report name the same variant.
    module StandIn
      module_function

      # Its name; nil if the baseline may still run or was named by the user, or if no other
      # variant was measured. The variant measured in most cohorts is taken, since only trials of
      # one cohort are compared: so a stand-in stays. Of several, one without flags, and then the
      # first declared.
      # trials: those of the whole run.
      #: (Study, Array[Store::Trial]) -> String?
      def call(study, trials)
        return if !study.procedure.stand_in? || study.baseline_named

        ends = trials.group_by(&:variant).transform_values { |same| same.map(&:state) }
        return unless missing?(ends.fetch(study.baseline, []))

        able = study.variants.select { |variant| able?(ends.fetch(variant.name, [])) }
        able.min_by.with_index do |variant, index|
          [-ends[variant.name].count("measured"), [variant.flags.size, 1].min, index]
        end&.name
      end

      def missing?(states)
        (states & Store::Trial::WITHOUT_FIGURES).any? && !states.include?("measured")
      end

      def able?(states) = states.include?("measured") && (states & Store::Trial::GIVEN_UP).empty?

      private_class_method :missing?, :able?
    end
  end
end
