# frozen_string_literal: true

module Mohs
  class LoadRun
    # What the pictures of a load need besides the figures of its document (Analysis::Curves).
    module Curves
      module_function

      # The curves of a load; nil if another tool made it, which keeps no requests.
      #: (Load::Result) -> Hash[Symbol, untyped]?
      def of(result)
        return if result.tool

        step = result.step
        one = Analysis::Curves::Variant.new(result.server, result.kind, Analysis::Curves::COLUMNS)
        one.add([[step.started_ns, step.wall_ns]]) { |fold| result.recording.fold_into(fold) }
        Analysis::Curves.new([one]).to_h
      end

      # The load's document with them.
      #: (Hash[Symbol, untyped], Load::Result) -> Hash[Symbol, untyped]
      def added(document, result)
        curves = of(result)
        curves ? { **document, curves: } : document
      end
    end
  end
end
