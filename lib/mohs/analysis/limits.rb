# frozen_string_literal: true

module Mohs
  module Analysis
    # Two lines for a number: from `warn` on it is suspect (nil: never), beyond `bad` it costs much.
    # Where warn is the larger, less is worse.
    Limits = Struct.new(:warn, :bad, keyword_init: true) do
      include Value

      #: (Numeric) -> Symbol
      def severity(value)
        worse = warn && warn > bad ? -1 : 1
        return :bad if value * worse > bad * worse

        warn && value * worse >= warn * worse ? :warn : :ok
      end
    end
  end
end
