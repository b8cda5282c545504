# frozen_string_literal: true

require "set"

module Mohs
  class Trial
    class WarmUp
      # Which responses probably come from the same code: those that have most of their parts in
      # common. Parts are the keys of JSON, and the elements of HTML with their classes. The pages
      # of one template share nearly all of them, the resources of an API few.
      module Shapes
        # Two are alike if they share this part of all that either has.
        ALIKE = 0.7

        KEY = /"((?:[^"\\]|\\.)*)"\s*:/n
        ELEMENT = /<[a-z][\w-]*(?:\s+class="[^"]*")?/in

        # No more bytes of a response are looked at.
        MOST = 65_536

        class << self
          # For each answer the number of its shape.
          #: (Array[App::Answer]) -> Array[Integer]
          def numbers(answers)
            known = []
            answers.map do |answer|
              parts = parts(answer)
              known.index { |one| alike?(one, parts) } || ((known << parts).size - 1)
            end
          end

          private

          def parts(answer)
            body = answer.body.to_s.b[0, MOST]
            Set[answer.type, *body.scan(answer.type.to_s.include?("json") ? KEY : ELEMENT)]
          end

          def alike?(one, other)
            shared = (one & other).size
            shared >= ALIKE * (one.size + other.size - shared)
          end
        end
      end
    end
  end
end
