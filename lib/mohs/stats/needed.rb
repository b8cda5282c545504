# frozen_string_literal: true

module Mohs
  module Stats
    # How much longer until something is decided.
    module Needed
      # Cohorts that decide a difference delta at a spread sd: (3.5 sd / delta)^2, at least four
      # (method, section 4, simulated).
      DECIDES = 3.5
      AT_LEAST = 4

      module_function

      # sd of the cohorts' log differences; delta, not 0, on the same scale.
      #: (sd: Float, delta: Float) -> Integer
      def cohorts(sd:, delta:) = [AT_LEAST, (DECIDES * sd / delta)**2].max.ceil
    end
  end
end
