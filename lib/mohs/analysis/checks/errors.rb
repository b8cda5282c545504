# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Requests that got no response, or none that is HTTP. (Wrong responses are Checks::Answers'.)
      class Errors < Base
        # From this share on errors alone can make the smallest difference that matters (the margin,
        # 1 %).
        VOID = 0.01

        # In a load they are figures of their own.
        OF_LOADS = false

        WORDS = {
          nothing_sent: "nothing was sent",
          none: "none in %{sent|count} requests",
          failed: "%{share|percent} of the requests failed: %{errors|counts}",
          failed_shown: "%{share|percent} of the requests failed: %{errors|counts}; " \
                        "the first began %{first}",
        }.freeze

        private

        def judge
          sent = total(:sent)
          return unknown(:nothing_sent) if sent.zero?

          errors = errors_of(measured).except(*Answers::WRONG)
          return pass(:none, sent:) if errors.empty?

          values = error_values(errors, sent)
          kind = values[:first] ? :failed_shown : :failed
          values[:share] < VOID ? warn(kind, **values) : bad(kind, **values)
        end
      end
    end
  end
end
