# frozen_string_literal: true

module Mohs
  module Track
    # How far the application is from the reference of its history. Points are to be equally
    # certain: one that stopped as soon as it differs would be less certain the further it is away.
    # The study's Track::Rules say of which history it is a point.
    class Question < Compare::Question
      # The history with this point in it, which only the command has.
      PART_OF = %i[history].freeze

      class << self
        #: (Hash[Symbol, untyped]) -> bool
        def of?(study) = !study[:track].nil?

        #: (Hash[Symbol, untyped]) -> Track::Question
        def stored(_study) = new
      end

      #: () -> String
      def command = "track"

      #: (Stats::Sequential?, Compare::Rules, last: bool) -> untyped
      def decision(test, rules, last:)
        precision = rules.precision
        Stats::Sequential::Decision.new(test, margin: rules.margin, precision:,
                                              until_precise: !precision.nil? && !last)
      end
    end
  end
end
