# frozen_string_literal: true

require "optparse"

module Mohs
  class CLI
    # OptionParser that takes no abbreviations: what is typed today must not mean another option
    # tomorrow. Its own `require_exact` refuses --seed=3, too, up to Ruby 3.1.
    class Options < OptionParser
      private

      def complete(type, name, *)
        search(type, name) { |switch| return [switch, name] }
        raise InvalidOption, name
      end
    end
  end
end
