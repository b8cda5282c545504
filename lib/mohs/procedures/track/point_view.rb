# frozen_string_literal: true

module Mohs
  module Track
    # A comparison that is a point of a history: as any other, and what the history shows now.
    class PointView < Compare::View
      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = document[:command] == KIND && !document[:history].nil?

      private

      def remarks = [*super, remark("history", @document[:history][:sentence])]
    end
  end
end
