# frozen_string_literal: true

module Mohs
  module Report
    # What can stand in front of a server, as `mohs servers --json` has it.
    module FrontsModel
      # For each front: the path of its `program` (nil: in its gem, or nowhere), its `gem` (nil:
      # none), and the `reason` why it can't be used here.
      #: (Array[singleton(Fronts::Base)]) -> Array[Hash[Symbol, untyped]]
      def self.documents(fronts)
        fronts.map do |front|
          reason = front.absent
          { name: front.label, state: reason ? "refused" : "ok", reason: reason&.to_s,
            program: front.program, gem: front::GEMS.keys.first, unix: front::UNIX }
        end
      end
    end
  end
end
