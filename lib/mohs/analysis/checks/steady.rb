# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # The warm-up ended because the server was warm, not because time was up.
      class Steady < Base
        WORDS = {
          warm: "warm after %{requests|count} requests in %{seconds|seconds}",
          capped: "not steady: the cost of a response still changed after %{requests|count} " \
                  "requests in %{seconds|seconds}",
        }.freeze

        private

        def needs = [:warm_up]

        def judge
          values = facts[:warm_up].slice(:requests, :seconds)
          facts[:warm_up][:outcome] == "warm" ? pass(:warm, **values) : warn(:capped, **values)
        end
      end
    end
  end
end
