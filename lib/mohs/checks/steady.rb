# frozen_string_literal: true

module Mohs
  module Checks
    # Warm-up ended because the server was warm, not because time was up.
    class Steady < Base
      private

      def needs = [:warm_up]

      def judge
        outcome, requests, seconds = @facts[:warm_up].values_at(:outcome, :requests, :seconds)
        served = "#{requests} requests in #{format('%.2g', seconds)} s"
        return pass("warm after #{served}") if outcome == "warm"

        warn("not steady: the cost of an answer still changed after #{served}")
      end
    end
  end
end
