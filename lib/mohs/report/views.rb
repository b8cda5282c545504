# frozen_string_literal: true

module Mohs
  module Report
    # Views of documents: one class for each kind of document.
    module Views
      module_function

      # The view of a result's document.
      #: (Hash[Symbol, untyped]) -> Report::View
      def of(document) = kind(document).new(document).to_view

      # The class of a document's view. Any document of variants is shown as a run of rounds, if
      # nothing else is known of it.
      #: (Hash[Symbol, untyped]) -> singleton(Report::Views::Base)
      def kind(document)
        return Base if document[:error]

        [Explain, *Procedure.parts("view")].find { |one| one.of?(document) } ||
          (document[:rows] ? Procedure.part("Rounds", :View) : Base)
      end
    end
  end
end
