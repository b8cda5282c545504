# frozen_string_literal: true

module Mohs
  # Lists and numbers as every text of mohs has them, whichever room writes it.
  module Wording
    module_function

    # The first few of a list, and how many are left: "GET /, GET /projects and 3 more". `more`: if
    # the list itself is cut already.
    #: (Array[String], Integer, ?more: Integer, ?separator: String) -> String
    def few(items, most, more: items.size - most, separator: ", ")
      shown = items.first(most).join(separator)
      more.positive? ? "#{shown} and #{more} more" : shown
    end

    # Of an integer, or of a number as text: 12 345 678, 1 234.5.
    #: (Integer | String) -> String
    def thousands(number) = number.to_s.gsub(/(?<=\d)(?=(\d{3})+(\.|\z))/, " ")
  end
end
