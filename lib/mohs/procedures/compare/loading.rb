# frozen_string_literal: true

module Mohs
  module Compare
    # As in rounds, unless a percentile decides.
    class Loading < Mohs::Procedure::Loading
      # Enough for the 99th percentile, if that decides.
      #: () -> Integer?
      def requests = (Plan::Costs::RATED if @study.rules.tail?)
    end
  end
end
