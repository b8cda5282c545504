# frozen_string_literal: true

module Mohs
  # Plain data: included in a Struct with keywords, it is frozen from its start. (One that has
  # defaults freezes itself, behind its own `super`.)
  module Value
    #: (**untyped) -> void
    def initialize(**)
      super
      freeze
    end
  end
end
