# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Requests of an open loop that did not leave when they were due, but in clumps, say, are a
      # different load from the one requested.
      class Arrivals < Base
        # The expected index of dispersion, and how much the index may be off in
        # addition to chance: one request in ten of a window in a clump is not a different load.
        WANTED = { "poisson" => 1.0, "constant" => 0.0 }.freeze
        TOLERANCE = 0.1
        # Under Poisson arrivals, windows x index has a chi-square distribution with as many degrees
        # of freedom as windows: its standard deviation is sqrt(2 x windows). This many standard
        # deviations are chance.
        DEVIATIONS = 4

        WORDS = {
          on_time: "dispersion %{index|figure} of %{wanted|count}, in %{windows|count} windows",
          clumped: "requests did not leave when they were due: their dispersion is " \
                   "%{index|figure} instead of %{wanted|count}, in %{windows|count} windows. The " \
                   "server got another load than was asked for; give the driver its own core",
        }.freeze

        private

        def needs = %i[arrivals]

        def judge
          index, windows = facts[:arrivals].values_at(:index, :windows)
          values = { index:, wanted:, windows: }
          return pass(:on_time, **values) if (index - wanted).abs <= allowed(windows)

          warn(:clumped, **values)
        end

        def wanted = WANTED.fetch(facts[:arrivals][:kind])

        # Constant arrivals leave nothing to chance.
        def allowed(windows) = TOLERANCE + (DEVIATIONS * wanted * Math.sqrt(2.0 / windows))
      end
    end
  end
end
