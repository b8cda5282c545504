# frozen_string_literal: true

module Mohs
  module Stats
    # A quantile (or the mean) of times that depend on each other, as those in a queue do, with its
    # error. They are given in sections of consecutive times: the figure is that of all together,
    # its error is the spread of the sections' own figures about it (sectioning: Asmussen and Glynn,
    # Stochastic Simulation, 2007, III.5a; Nakayama 2014). All on logarithms, on which the spread of
    # a quantile hardly depends on its size.
    class Sections
      # A prior is used while there are few sections (Smyth 2004): the spread of a section's log
      # quantile that is expected, and the number of degrees of freedom for which it counts.
      PRIOR_DEGREES = 3
      # The error that more sections do not reduce, as a logarithm: load that began a moment ago has
      # not settled yet.
      BIAS = 0.1
      # Beyond a factor of 20 from the limit, all values count the same.
      FURTHEST = 3.0

      # share: of the quantile, 0..1; nil: the mean. Sections without a time are left out.
      #: (Array[Array[Numeric]], share: Float?) -> void
      def initialize(sections, share:)
        @share = share
        @sections = sections.reject(&:empty?)
      end

      # The figure in the unit of the times; nil without any.
      #: () -> Numeric?
      def figure = (of(@sections) if @sections.any?)

      # The log of the figure's ratio to a limit, its error and degrees of freedom. Needs at least
      # one time. prior_sd: the expected spread of a section's own log figure.
      #: (Numeric, prior_sd: Float) -> { value: Float, error: Float, degrees: Integer }
      def against(limit, prior_sd:)
        whole = distance(@sections, limit)
        squares = @sections.sum { |section| (distance([section], limit) - whole)**2 }
        degrees = PRIOR_DEGREES + @sections.size - 1
        variance = ((PRIOR_DEGREES * (prior_sd**2)) + squares) / degrees
        { value: unbiased(whole, limit), degrees:,
          error: Math.sqrt((variance / @sections.size) + (BIAS**2)) }
      end

      private

      # A quantile of few times that come in bursts is too small, the more so the fewer they are:
      # the jackknife of Quenouille (1956) corrects that by leaving out one section at a time.
      def unbiased(whole, limit)
        count = @sections.size
        return whole if count == 1

        without = @sections.each_index.map { |index| distance(but(index), limit) }
        (count * whole) - ((count - 1) * Center.mean(without))
      end

      def but(index) = @sections[0, index] + @sections.drop(index + 1)

      def of(sections)
        times = sections.flatten(1)
        return times.sum.fdiv(times.size) unless @share

        times.sort[[(@share * times.size).ceil - 1, 0].max]
      end

      def distance(sections, limit)
        Math.log(of(sections).fdiv(limit)).clamp(-FURTHEST, FURTHEST)
      end
    end
  end
end
