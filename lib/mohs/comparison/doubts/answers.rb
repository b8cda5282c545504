# frozen_string_literal: true

module Mohs
  class Comparison
    module Doubts
      # An application that answers otherwise from one boot to the next has no one speed. Within a
      # cohort the servers were held against each other; this is from cohort to cohort.
      module Answers
        module_function

        #: (Comparison) -> Comparison::Doubts::Doubt?
        def call(comparison)
          { "A" => :a, "B" => :b }.each do |letter, side|
            found = change(comparison.pairs.flat_map(&side)) or next
            return Doubt.new(fatal: true,
                             text: "#{letter} answers otherwise from one boot to the next: " \
                                   "#{found} from an earlier boot")
          end
          nil
        end

        def change(trials)
          first, *later = trials.filter_map(&:answers)
          later.filter_map { |answers| Trial::SameAnswers.difference(answers, first) }.first
        end
        private_class_method :change
      end
    end
  end
end
