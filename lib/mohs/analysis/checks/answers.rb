# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Every response was the expected one, as learned before it. A wrong one voids the speed:
      # an error page is fast.
      class Answers < Base
        # Error classes that are whole responses, but not the expected ones.
        WRONG = %w[wrong_status wrong_type wrong_length wrong_body missing_text].freeze

        WORDS = {
          expected: lambda do |values, numbers|
            "same #{values[:kinds].join(' or ')} each time, checked on all " \
              "#{numbers.whole(values[:good])}"
          end,
          wrong: "%{share|percent} of the responses were wrong: %{errors|counts}",
          wrong_shown: "%{share|percent} of the responses were wrong: %{errors|counts}; " \
                       "the first began %{first}",
        }.freeze

        private

        def needs = %i[slices answers]

        def judge
          wrong = errors_of(facts[:slices]).slice(*WRONG)
          return pass(:expected, kinds:, good: sum(:good)) if wrong.empty?

          values = error_values(wrong, sum(:sent))
          bad(values[:first] ? :wrong_shown : :wrong, **values)
        end

        # The part that was the same each time: "body", "length" or "status".
        def kinds = facts[:answers].map { |answer| answer[:kind] }.uniq

        def sum(key) = facts[:slices].sum { |slice| slice[key] }
      end
    end
  end
end
