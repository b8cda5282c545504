# frozen_string_literal: true

module Mohs
  module Analysis
    # A load that another tool made. What it does not tell is nil.
    class PeerLoad < Load
      # A few quantiles make none.
      #: () -> Array[Hash[Symbol, untyped]]
      def histogram = []

      #: () -> Integer?
      def threads = (super if @result.tool[:threads])

      private

      def names_of_checks = %w[driver_share]
    end
  end
end
