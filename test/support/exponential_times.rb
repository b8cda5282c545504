# frozen_string_literal: true

module Mohs
  # Exponentially distributed service times (Tune::ServiceTimes).
  module ExponentialTimes
    # Cells that stand for the distribution: the last 2 in a million are one cell.
    CELLS = 400
    LONGEST = 13.0

    module_function

    #: (Numeric) -> Tune::ServiceTimes
    def of(mean_s)
      width = LONGEST / CELLS
      times = Array.new(CELLS) { |cell| (cell + 0.5) * width }
      shares = times.map { |time| Math.exp(-time) * 2 * Math.sinh(width / 2) }
      Tune::ServiceTimes.new(times_s: times, shares: shares.map { |one| one / shares.sum })
                        .scaled(mean_s)
    end
  end
end
