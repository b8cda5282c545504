# frozen_string_literal: true

module Mohs
  # Lists and numbers in the form that all texts of mohs use, whichever room writes them.
  module Wording
    module_function

    # The first few of a list, and how many are left: "GET /, GET /projects and 3 more". more:
    # number of those left, if the list itself is cut already. cut: whether it is, and nobody knows
    # by how much.
    #: (Array[String], Integer, ?more: Integer, ?separator: String, ?cut: bool) -> String
    def few(items, most, more: items.size - most, separator: ", ", cut: false)
      shown = items.first(most).join(separator)
      more.positive? ? "#{shown} and #{"at least " if cut}#{more} more" : shown
    end

    # Names of variants, which may have a comma themselves: "3.3.8; 3.3.8 --yjit, puma:2x5".
    #: (Array[String]) -> String
    def names(items)
      items.join(items.size > 1 && items.any? { |name| name.include?(", ") } ? "; " : ", ")
    end

    # All of a list: "a, b and c".
    #: (Array[untyped]) -> String
    def all(items) = [items[0...-1].join(", "), *items.last].reject(&:empty?).join(" and ")

    # With a capital, the rest as it is: a name keeps its own.
    #: (String) -> String
    def capital(text) = "#{text[0].upcase}#{text[1..]}"

    # An integer, or a number as text, with spaces: 12 345 678, 1 234.5.
    #: (Integer | String) -> String
    def thousands(number) = number.to_s.gsub(/(?<=\d)(?=(\d{3})+(\.|\z))/, " ")
  end
end
