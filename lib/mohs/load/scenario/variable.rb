# frozen_string_literal: true

module Mohs
  module Load
    class Scenario
      # Something that stands in requests as {name}. `kind`:
      #   :captured  read off an answer
      #   :listed    one of `values`; those of the same `group` (a file) take the same row
      #   :letters   `low` small letters
      #   :integer   from `low` to `high`
      #   :sequence  from `low` on, no two the same
      # `steady`: a client draws it once (of a list its own row), else for every action anew.
      class Variable < Struct.new(:kind, :low, :high, :values, :group, :steady, keyword_init: true)
        KINDS = %i[captured listed letters integer sequence].freeze # the core's enum

        #: (kind: Symbol, ?low: Integer, ?high: Integer, ?values: Array[String], ?group: String?, ?steady: bool) -> void
        def initialize(kind:, low: 0, high: 0, values: [], group: nil, steady: false)
          super
          freeze
        end

        #: (Hash[untyped, Integer]) -> Hash[Symbol, untyped]
        def packed(groups)
          { kind: KINDS.index(kind), steady:, group: groups.fetch(group, 0), low:, high:, values: }
        end
      end
    end
  end
end
