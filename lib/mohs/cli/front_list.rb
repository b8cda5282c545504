# frozen_string_literal: true

module Mohs
  class CLI
    # The end of `mohs servers`: what can stand in front of a server.
    module FrontList
      HEAD = ["in front", "connects by", "comes from"].freeze

      module_function

      # Of each: where its `program` is (null: in its gem, or nowhere), its `gem` (null: none), and
      # why it can't be used (`reason`).
      #: (?fronts: Module) -> Array[Hash[Symbol, untyped]]
      def documents(fronts: Fronts)
        fronts.all.reject { |front| front::FOR_TESTS }.map do |front|
          reason = front.absent
          { name: front.label, state: reason ? "refused" : "ok", reason: reason&.to_s,
            program: front.program, gem: front::GEMS.keys.first, unix: front::UNIX }
        end
      end

      #: (Array[Hash[Symbol, untyped]]) -> String
      def table(documents)
        rows = documents.map do |front|
          [front[:name], front[:unix] ? "tcp, unix" : "tcp", front[:reason] || origin(front)]
        end
        "\n#{Report::Terminal::Columns.new([HEAD, *rows])}"
      end

      def origin(front) = front[:program] || "gem #{front[:gem]}"
      private_class_method :origin
    end
  end
end
