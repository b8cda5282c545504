# frozen_string_literal: true

module Mohs
  module Rounds
    # How much time a run of rounds still needs, with what TimeCap and the first interval are judged
    # by.
    class TimeLeft < Plan::TimeLeft
      # Seconds until a variant has been in `cohorts` more cohorts, including the current one; nil
      # if fewer are planned for it, or it could not be served.
      #: (String, Integer) -> Numeric?
      def until_s(name, cohorts)
        ahead = [[@current.to_a, current_left_s],
                 *@left.values.map { |one| [one.variants, @estimator.cohort_s(one)] }]
        needed = ahead.each_index.select do |at|
          @estimator.still_tried(ahead[at].first).include?(name)
        end
        last = needed[cohorts - 1]
        ahead[..last].sum(&:last) if last
      end

      # Seconds until the end of the current cohort, including the seconds until now.
      #: () -> Float
      def sunk_s = current_left_s + spent_s
    end
  end
end
