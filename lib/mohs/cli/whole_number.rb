# frozen_string_literal: true

module Mohs
  class CLI
    # The number that an option takes. OptionParser's own would read 0x10 and 010 as C does, and
    # has no least one.
    module WholeNumber
      # Raises UsageError, with the option as it is typed.
      #: (String, option: String, ?least: Integer) -> Integer
      def self.parse(text, option:, least: 1)
        number = Integer(text, 10, exception: false)
        return number if number && number >= least

        raise UsageError, "#{option} #{text}: a whole number of #{least} or more is needed"
      end
    end
  end
end
