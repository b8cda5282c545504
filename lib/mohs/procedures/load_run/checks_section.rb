# frozen_string_literal: true

module Mohs
  class LoadRun
    # The self-checks of a load, which has no variants, and remarks that are nowhere else on the
    # page.
    class ChecksSection < Report::Sections::Checks
      # [[server, check], ...] of a load's document.
      #: (Hash[Symbol, untyped]) -> Array[[String, Hash[Symbol, untyped]]]
      def self.own(document)
        document[:checks].to_a.map { |check| [document[:server].to_s, check] }
      end

      private

      def own = ChecksSection.own(@document)
    end
  end
end
