# frozen_string_literal: true

module Micro
  # Lines of text made of numbers, then searched, changed and joined: mostly methods written in C.
  class Strings < Computed
    EXPECTED = "49558 57992 14778 57912"
    LINES = 2500

    private

    # Lengths and checksums of the text and of its words.
    def compute
      text = Array.new(LINES) { |number| "#{line(number)}\n" }.join
      words = text.scan(/[a-z]+/).map(&:capitalize).join(" ")
      [text.bytesize, text.sum, words.bytesize, words.sum].join(" ")
    end

    def line(number)
      name = (number * 7919).to_s(36).tr("0-9", "a-j").reverse
      field = "#{name.ljust(8, '.')}|#{format('%06d', number)}|#{name.upcase.center(10)}"
      field.sub(/\.+/, "-").split("|").map(&:strip).join(";")
    end
  end
end
