# frozen_string_literal: true

module Mohs
  module Checks
    # Every worker worked and every connection got answers; otherwise less was measured than was
    # declared.
    class Served < Base
      private

      def needs = %i[connections workers]

      def judge
        return invalid(died) if at_end < declared

        faults = [idle_workers, starved].compact
        return warn(faults.join("; ")) if faults.any?

        pass("workers: #{declared}, connections: #{@facts[:connections][:asked]}; all served")
      end

      def declared = @facts[:workers][:declared]

      def at_end = @facts[:workers][:at_end]

      def died = "#{declared} workers were declared, #{at_end} alive at the end"

      def idle_workers
        served = @facts[:workers][:served]
        return unless served && served < declared

        "#{declared - served} of #{declared} workers had nothing to do"
      end

      def starved
        asked, served = @facts[:connections].values_at(:asked, :served)
        "#{asked - served} of #{asked} connections got no answer" if served < asked
      end
    end
  end
end
