# frozen_string_literal: true

require "set"

module Mohs
  class Trial
    class WarmUp
      # Which responses probably come from the same code: those that have most of their parts in
      # common. Parts are the keys of JSON, and the elements of HTML that have a class or take
      # input: others may be what a user wrote. The pages of one template share nearly all of them,
      # the resources of an API few. Responses of other types, and those that are compressed, have
      # their type alone.
      module Shapes
        # Two are alike if they share this part of all that either has.
        ALIKE = 0.8

        # A colon makes it a key. A pattern for keys alone would look again from every quote in a
        # string: quadratic. Its end may be cut off.
        STRING = /"((?:[^"\\]|\\.?)*+)(?:"|\z)(\s*:)?/mn
        ELEMENT = /<(?:([a-z][\w-]*)\s[^<>]*?class="([^"]*)"|(form|input|select|textarea|button))/in

        # A word with a digit may be that of a record: class="issue-123", { "4f1c-9a": ... }.
        RECORD = /[\w-]*\d[\w-]*/n

        JSON_TYPE = /json/
        HTML_TYPE = /html/

        # In the first bytes of a response that is compressed, seldom in those of a text.
        BINARY = /[\x00-\x08\x0e-\x1f]/n
        FIRST = 256

        # No more is looked at: bytes of a response, parts of it, bytes of a part.
        MOST = 65_536
        PARTS = 300
        PART = 64

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
            found = texts(answer).lazy.map { |part| part[0, PART].gsub(RECORD, "0") }.uniq
            Set[answer.type, *found.first(PARTS)]
          end

          def texts(answer)
            body = answer.body.to_s.b[0, MOST]
            return [] if body[0, FIRST].match?(BINARY)

            case answer.type
            when JSON_TYPE then body.scan(STRING).filter_map { |text, colon| text if colon }
            when HTML_TYPE then body.scan(ELEMENT).map { |parts| parts.compact.join(" ") }
            else []
            end
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
