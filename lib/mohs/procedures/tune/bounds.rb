# frozen_string_literal: true

module Mohs
  module Tune
    # Figures of settings that may be only a bound, as people read them.
    module Bounds
      module_function

      # A rate: "at least 190" where the server may serve more.
      #: (Numeric, bool) -> String
      def at_least(value, bound) = "#{'at least ' if bound}#{Report::Numbers.figure(value)}"

      # A cost at such a rate: "at most 0.21".
      #: (Numeric, bool) -> String
      def at_most(value, bound) = "#{'at most ' if bound}#{Report::Numbers.figure(value)}"
    end
  end
end
