# frozen_string_literal: true

module Mohs
  module Report
    # Views of documents: one class for each kind of document.
    module Views
      module_function

      # The view of a result's document.
      #: (Hash[Symbol, untyped]) -> Report::View
      def of(document) = kind(document).new(document).to_view

      # The page of a result's document.
      #: (Hash[Symbol, untyped]) -> Report::View::Page
      def page(document) = kind(document).new(document).to_page

      # The class of a document's view.
      #: (Hash[Symbol, untyped]) -> singleton(Report::Views::Base)
      def kind(document)
        return Base if document[:error]

        [Explain, *Procedure.parts("view")].find { |one| one.of?(document) } || Base
      end
    end
  end
end
