# frozen_string_literal: true

module Mohs
  module Stats
    # Whether two variants fail equally often. The unit is the boot: failures come in bursts, or in
    # one boot of several, so a test of the requests' counts (Fisher's) called two variants that
    # fail equally often different in 41 of 100 simulated runs, at a stated chance of 1. This is
    # Welch's t test (1938) of the share of each boot's requests. Roots of the counts, which would
    # equalise their spread, differ on their own if one variant is faster and served more requests.
    #
    # A few boots may agree by chance, in having no failure, say. So no variance is less than that
    # of independent failures (Poisson) at the share of both together. Simulated with bursts of 1, 8
    # and 40, from a third of a burst to twenty per boot, and 2 to 30 boots, it calls two equal
    # variants different in 0 to 1.3 % at a stated chance of 1 %; in 3.3 % if one served three times
    # as much, in 4.1 to 4.4 % at five to ten times.
    module BootShares
      FEWEST = 2

      module_function

      # Chance of shares this different; nil for fewer than two boots, on either side, that were
      # sent any request. one, other: [failed, sent] of each boot.
      #: (Array[[Integer, Integer]], Array[[Integer, Integer]]) -> Float?
      def p(one, other)
        sides = [one, other].map { |boots| boots.select { |_, sent| sent.positive? } }
        return if sides.any? { |boots| boots.size < FEWEST }

        means, parts = moments(sides).transpose
        difference = means[1] - means[0]
        return 1.0 if difference.zero?

        df = (parts.sum**2) / sides.zip(parts).sum { |boots, part| (part**2) / (boots.size - 1) }
        StudentT.two_sided(difference / Math.sqrt(parts.sum), df)
      end

      # The mean of each side's shares, and the variance of that mean.
      def moments(sides)
        together = sides.flatten(1).transpose.map(&:sum).then { |failed, sent| failed.fdiv(sent) }
        sides.map do |boots|
          shares = boots.map { |failed, sent| failed.fdiv(sent) }
          least = together / Center.mean(boots.map(&:last))
          [Center.mean(shares), [Spread.variance(shares), least].max / boots.size]
        end
      end

      private_class_method :moments
    end
  end
end
