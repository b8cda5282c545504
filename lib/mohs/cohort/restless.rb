# frozen_string_literal: true

module Mohs
  module Cohort
    # Servers with threads of the application that compute without a request: how much of their CPU
    # time is that of requests is unknown.
    module Restless
      # How long warm servers are watched, all at once.
      WINDOW_S = 0.1

      # Those of these trials, none of which is under load. watched: the processes of each.
      #: (Array[Trial], Hash[Trial, Array[Integer]]) -> Array[Trial]
      def self.among(trials, watched)
        return [] if trials.empty?

        spent_ns = -> { trials.map { |one| Probes::Cpu.clocks_ns(watched[one]).compact.sum } }
        before = spent_ns.call
        sleep WINDOW_S
        trials.zip(before, spent_ns.call).filter_map do |trial, was, now|
          trial if now - was > Trial::IdleWait::RESTING * WINDOW_S * 1e9
        end
      end
    end
  end
end
