# frozen_string_literal: true

module Mohs
  module Rubies
    # Finds installed Rubies: one file per member; finders/base.rb has the contract.
    module Finders
      extend Family

      family "finder of Rubies", folder: File.join(__dir__, "finders"), list: "mohs rubies"

      # [finder's name, path] of every executable found; PATH comes first, so that a Ruby found
      # twice is shown under the name that the user uses.
      #: (Hash[String, String]) -> Array[[String, String]]
      def self.candidates(env)
        (["path"] | names).flat_map do |name|
          fetch(name).new(env).candidates.map { |path| [name, path] }
        end
      end
    end
  end
end
