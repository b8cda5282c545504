# frozen_string_literal: true

module Mohs
  # Plain data: a Struct with keywords that includes this is frozen on creation. (A Struct with
  # defaults freezes itself after its own `super`.)
  module Value
    #: (**untyped) -> void
    def initialize(**)
      super
      freeze
    end
  end
end
