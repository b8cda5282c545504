# frozen_string_literal: true

module Mohs
  module Analysis
    module Warnings
      # An application that answers otherwise from one boot to the next has no one speed. Within a
      # cohort the servers were held against each other; this is from cohort to cohort.
      module Answers
        module_function

        #: (Analysis::Comparison) -> Analysis::Finding?
        def call(comparison)
          { "A" => :a, "B" => :b }.each do |letter, side|
            difference = change(comparison.pairs.flat_map(&side)) or next
            return Finding.new(code: "answers_change", severity: :bad, subject: letter,
                               values: { side: letter, difference: })
          end
          nil
        end

        def change(trials)
          first, *later = trials.filter_map(&:answers)
          later.filter_map { |answers| App::SameAnswers.difference(answers, first) }.first
        end
        private_class_method :change
      end
    end
  end
end
