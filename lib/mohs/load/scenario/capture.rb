# frozen_string_literal: true

module Mohs
  module Load
    class Scenario
      # What a step reads off its answer into the variable `name`: from the `header` of that name or
      # else the body, what `pattern` (Scenario::Pattern) or `pointer` (the tokens of a JSON
      # pointer) finds, or all of a header. `html`: entities like &amp; are decoded.
      class Capture < Struct.new(:name, :header, :pattern, :pointer, :html, keyword_init: true)
        include Value

        HOW = %i[whole pattern json].freeze # the core's enum mohs_capture_how

        # RFC 6901: "/issue/id" to its tokens. Raises UsageError.
        #: (String) -> Array[String]
        def self.pointer(text)
          return [] if text.empty?
          raise UsageError, "#{text.inspect} is no JSON pointer: begin it with a slash" unless
            text.start_with?("/")
          raise UsageError, "#{text.inspect}: behind ~ stands 0 or 1" if text.match?(/~(?![01])/)

          text.split("/", -1).drop(1).map { |token| token.gsub("~1", "/").gsub("~0", "~") }
        end

        #: (Hash[String, Integer]) -> Hash[Symbol, untyped]
        def packed(numbers)
          { variable: numbers.fetch(name), header: header.to_s, how: HOW.index(how),
            pattern: pattern&.packed, tokens: (pointer || []).map(&:b), html: }
        end

        private

        def how
          return :pattern if pattern

          pointer ? :json : :whole
        end
      end
    end
  end
end
