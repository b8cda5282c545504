# frozen_string_literal: true

module Mohs
  module Report
    # Views of documents: one class for each kind of document.
    module Views
      module_function

      # The view of a result's document.
      #: (Hash[Symbol, untyped]) -> Report::View
      def of(document) = kind(document).new(document).to_view

      #: (Hash[Symbol, untyped]) -> Class
      def kind(document)
        return Base if document[:error]

        case document[:command]
        when "compare" then Compare
        when "explain" then Explain
        when "gate" then document[:dry_run] ? GatePlan : Gate
        when "history" then History
        when "tune" then Tune
        when "bisect" then Bisect
        when "load" then document.key?(:probes) ? Rate : Load
        when "repro" then document.key?(:studies) ? ReproAll : Repro
        else document[:rows] ? Run : Base
        end
      end
      private_class_method :kind
    end
  end
end
