# frozen_string_literal: true

module Mohs
  module Report
    # Views of documents: one class for each kind of document.
    module Views
      module_function

      # { a document's command => the namespace of its procedure }
      OF_PROCEDURES = { "compare" => "Compare", "gate" => "Gate", "history" => "Track",
                        "tune" => "Tune", "bisect" => "Bisect" }.freeze

      # The view of a result's document.
      #: (Hash[Symbol, untyped]) -> Report::View
      def of(document) = kind(document).new(document).to_view

      #: (Hash[Symbol, untyped]) -> Class
      def kind(document)
        return Base if document[:error]

        case document[:command]
        when *OF_PROCEDURES.keys then of_procedure(document)
        when "explain" then Explain
        when "load" then document.key?(:probes) ? Rate : Load
        when "repro" then document.key?(:studies) ? ReproAll : Repro
        else document[:rows] ? Run : Base
        end
      end

      def of_procedure(document)
        command = document[:command]
        name = command == "gate" && document[:dry_run] ? :PlanView : :View
        Procedure.part(OF_PROCEDURES.fetch(command), name)
      end
      private_class_method :kind, :of_procedure
    end
  end
end
