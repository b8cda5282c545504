# frozen_string_literal: true

module Mohs
  # Plain data: a Struct with keywords that includes it is frozen from its start. (One that has
  # defaults freezes itself, behind its own `super`.)
  module Value
    #: (**untyped) -> void
    def initialize(**)
      super
      freeze
    end
  end
end
