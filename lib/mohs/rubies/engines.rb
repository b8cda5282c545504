# frozen_string_literal: true

module Mohs
  module Rubies
    # The implementations of Ruby: one file per member; engines/base.rb has the contract.
    module Engines
      extend Family

      family "Ruby engine", folder: File.join(__dir__, "engines"), list: "mohs rubies"

      # RUBY_ENGINE of the reference implementation, whose Rubies are named by their version alone.
      REFERENCE = "ruby"

      # RUBY_ENGINE of members whose name differs from it.
      MEMBERS = { REFERENCE => "cruby" }.freeze

      # The engine that runs `ruby`.
      #: (Ruby) -> Base
      def self.of(ruby) = fetch(member(ruby.engine)).new(ruby)

      # The class of the engine with this RUBY_ENGINE; Base, with its defaults, if mohs does not
      # know the engine.
      #: (String) -> singleton(Base)
      def self.named(ruby_engine)
        supports?(ruby_engine) ? fetch(member(ruby_engine)) : Base
      end

      # Whether mohs knows how to start this engine.
      #: (String) -> bool
      def self.supports?(ruby_engine) = known?(member(ruby_engine))

      # The RUBY_ENGINEs of the engines offered, except the reference; names of their Rubies begin
      # with these.
      #: () -> Array[String]
      def self.prefixes = offered.map(&:ruby_engine) - [REFERENCE]

      # A flag, and a variable, that only turns a JIT on or off; and a flag that leaves that to the
      # application.
      JIT_SWITCH = /\A--(?:(?:en|dis)able[=-])?[ymrz]?jit\z/
      JIT_VARIABLE = /\ARUBY_[YZ]JIT_ENABLE\z/
      JIT_LEFT = /\A--[yz]jit-disable\z/
      # Turns off the JIT that it names, no other one; without a name, the one of plain --jit.
      JIT_OFF = /\A--disable[=-](?<jit>[ymrz]?jit)\z/
      JIT_WORD = Regexp.union(JIT_SWITCH, JIT_LEFT)

      # Flags that an interpreter either accepts or refuses to start with.
      #: () -> Array[String]
      def self.jit_flags = all.flat_map { |engine| engine::JITS.map { |jit| "--#{jit}" } }

      # RUBY_ENGINE of the member `name`.
      #: (String) -> String
      def self.ruby_engine(name) = MEMBERS.key(name) || name

      def self.member(ruby_engine) = MEMBERS.fetch(ruby_engine, ruby_engine)
      private_class_method :member
    end
  end
end
