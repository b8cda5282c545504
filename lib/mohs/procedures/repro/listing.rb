# frozen_string_literal: true

module Mohs
  module Repro
    # What of each published study can be tested here, and what its size --quick would measure.
    class Listing
      QUICK = "quick"

      # rubies, cores: as for Repro::Selection. estimate: gives the members of a Repro::Estimate,
      # but for `testable`, for a declaration; nil if they are not known.
      #: (Repro::Library, rubies: untyped, cores: Integer, estimate: ^(Hash[Symbol, untyped]) -> Hash[Symbol, untyped]?) -> void
      def initialize(library, rubies:, cores:, estimate:)
        @library = library
        @rubies = rubies
        @cores = cores
        @estimate = estimate
      end

      #: () -> Hash[Symbol, untyped]
      def document
        Document.list(@library.all.map do |publication|
          selection = Selection.new(publication, rubies: @rubies, cores: @cores)
          [selection.call, quick(publication, selection)]
        end)
      end

      private

      # nil if the study has no such size.
      def quick(publication, selection)
        return unless publication.sizes.key?(QUICK)

        choice = selection.call(without: Order.without(publication, QUICK))
        order = Order.new(choice:, size: QUICK)
        estimate = @estimate.call(order.declaration({})) if choice.variants.any?
        Estimate.new(testable: choice.testable.size, **estimate.to_h)
      end
    end
  end
end
