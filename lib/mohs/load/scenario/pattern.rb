# frozen_string_literal: true

require "strscan"

module Mohs
  module Load
    class Scenario
      # A regular expression that C can match while load runs, without Ruby: text, one group of
      # characters from a set, text. before, behind: these texts. set: the bytes that the group may
      # contain (256 of true or false). least: the group's minimum length. lazy: whether the group
      # stops as soon as it can.
      class Pattern < Struct.new(:before, :behind, :set, :least, :lazy, keyword_init: true)
        FORM = "text, one group of characters of a kind, and text, as in value=\"([^\"]+)\". " \
               "The group is one of [...], [^...], ., \\d, \\w, \\S with + or * (or +? and *?)"
        DIGITS = [*"0".."9"].freeze
        WORD = [*"a".."z", *"A".."Z", *DIGITS, "_"].freeze
        BLANKS = [" ", "\t", "\r", "\n", "\f", "\v"].freeze
        CLASSES = { "d" => DIGITS, "w" => WORD, "s" => BLANKS }.freeze
        CONTROLS = { "n" => "\n", "t" => "\t", "r" => "\r" }.freeze
        BYTES = (0..255).map { |byte| byte.chr.b }.freeze

        # Raises UsageError for anything more general.
        #: (String) -> Scenario::Pattern
        def self.parse(text) = Parser.new(text).call

        # The core's representation; `set` has a bit for each byte.
        #: () -> Hash[Symbol, untyped]
        def packed
          bits = set.map { |within| within ? "1" : "0" }.join
          { before:, behind:, set: [bits].pack("b*"), least:, lazy: }
        end

        # Parses a pattern from left to right.
        class Parser
          #: (String) -> void
          def initialize(text)
            @text = text
            @scanner = StringScanner.new(text)
          end

          #: () -> Scenario::Pattern
          def call
            before = literal
            fail_with("has no group (...)") unless @scanner.skip(/\((?!\?)/)
            set = characters
            quantifier = @scanner.scan(/[+*]\??/) or fail_with("its group needs + or *")
            fail_with("its group goes on after #{quantifier}") unless @scanner.skip(/\)/)
            pattern(before, set, quantifier, literal)
          end

          private

          def pattern(before, set, quantifier, behind)
            fail_with("goes on with #{@scanner.rest}") unless @scanner.eos?
            fail_with("begins with its group: put text before it") if before.empty?
            lazy = quantifier.end_with?("?")
            stops = !lazy || behind.size.positive?
            fail_with("ends with its group: the group needs text after it") unless stops

            Pattern.new(before:, behind:, set: BYTES.map { |byte| set.include?(byte) },
                        least: quantifier.start_with?("+") ? 1 : 0, lazy:)
          end

          def literal
            text = "".b
            until @scanner.eos? || @scanner.check(/[()\[\]{}.*+?|^$]/)
              text << (@scanner.skip(/\\/) ? escaped : @scanner.getch.b)
            end
            text
          end

          # A character after a backslash that stands for itself.
          def escaped
            char = @scanner.getch or fail_with("ends with a backslash")
            return CONTROLS[char] if CONTROLS.key?(char)

            fail_with("has \\#{char} outside its group") if char.match?(/[[:alnum:]]/)
            char.b
          end

          def characters
            return BYTES - ["\n"] if @scanner.skip(/\./)
            return set if @scanner.skip(/\[/)
            return shorthand if @scanner.skip(/\\/)

            fail_with("has a group that doesn't begin with a kind of characters")
          end

          # The characters of \d, \w or \s; a capital letter stands for all others.
          def shorthand
            char = @scanner.getch.to_s
            found = CLASSES[char.downcase] or fail_with("has \\#{char} in its group")
            char == char.downcase ? found : BYTES - found.map(&:b)
          end

          def set
            negated = @scanner.skip(/\^/)
            found = []
            found.concat(member) until @scanner.skip(/\]/)
            found.map!(&:b)
            negated ? BYTES - found : found
          end

          def member
            return shorthand if @scanner.check(/\\[dwsDWS]/) && @scanner.skip(/\\/)

            first = one
            return [first] unless @scanner.check(/-[^\]]/) && @scanner.skip(/-/)

            [*first..one].tap { |range| fail_with("has an empty range") if range.empty? }
          end

          def one
            char = @scanner.skip(/\\/) ? escaped : @scanner.getch
            fail_with("has a [ without its ]") unless char
            return char if char.ascii_only?

            fail_with("has #{char} in its [...]: only ASCII can stand there")
          end

          def fail_with(reason)
            raise UsageError, "the regular expression #{@text} #{reason}. Possible: #{FORM}"
          end
        end
        private_constant :Parser
      end
    end
  end
end
