# frozen_string_literal: true

module Mutants
  # One change of one file: the characters `range` of its `source` become `text`. `line` is where
  # the change starts, `method_line` where the method around it starts (nil outside methods).
  # `before` and `after` are the lines that it touches, in readable form; with `file` they identify
  # a mutation even if lines have moved.
  Mutation = Struct.new(:file, :source, :line, :method_line, :range, :text, :before, :after,
                        keyword_init: true) do
    # The source with the change made.
    #: () -> String
    def mutant = source.dup.tap { |copy| copy[range] = text }

    #: () -> [String, String, String]
    def key = [file, before, after]

    #: () -> String
    def to_s = "#{file}:#{line}  #{short(before)}  =>  #{short(after)}"

    private

    def short(text) = text.size > 120 ? "#{text[0, 80]} ... #{text[-35..]}" : text
  end
end
