# frozen_string_literal: true

module Mohs
  module Rubies
    # The implementations of Ruby: one member a file, the contract in engines/base.rb.
    module Engines
      extend Family

      family "Ruby engine", folder: File.join(__dir__, "engines"), list: "mohs rubies"

      # RUBY_ENGINE where it is not the member's name.
      MEMBERS = { "ruby" => "cruby" }.freeze

      # The engine that runs `ruby`.
      #: (Ruby) -> Base
      def self.of(ruby) = fetch(MEMBERS.fetch(ruby.engine, ruby.engine)).new(ruby)

      # Whether mohs knows how to start what calls itself so.
      #: (String) -> bool
      def self.supports?(ruby_engine) = known?(MEMBERS.fetch(ruby_engine, ruby_engine))
    end
  end
end
