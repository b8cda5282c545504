# frozen_string_literal: true

require "optparse"

module Mohs
  class CLI
    # OptionParser without abbreviations: what is typed today must not mean another option tomorrow.
    # Its own `require_exact` refuses --seed=3, too, up to Ruby 3.1.
    class Options < OptionParser
      # Columns of an option and of the whole help.
      NAMES, WIDTH = 29, 80

      # The number that an option takes. OptionParser's own would read 0x10 and 010 as C does, and
      # has no least one. Raises UsageError, with the option as it is typed.
      #: (String, option: String, ?least: Integer) -> Integer
      def self.whole(text, option:, least: 1)
        number = Integer(text, 10, exception: false)
        return number if number && number >= least

        kind = least == 1 ? "a positive integer" : "an integer of #{least} or more"
        raise UsageError, "#{option} #{text}: must be #{kind}"
      end

      # What an option does, of any length, as lines that the help has room for beside it.
      #: (String) -> Array[String]
      def self.lines(text) = text.scan(/\S.{0,#{WIDTH - NAMES - 1}}(?=\s|\z)/)

      private

      # A description of any length, in one piece or several, is broken here: no command has to.
      def make_switch(*)
        super.tap { |switch, *| switch.desc.replace(self.class.lines(switch.desc.join(" "))) }
      end

      def complete(type, name, *)
        search(type, name) { |switch| return [switch, name] }
        raise InvalidOption, name
      end
    end
  end
end
