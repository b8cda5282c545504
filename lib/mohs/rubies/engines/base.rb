# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # What a member must have, and what most share:
      #   #candidate_flags     flags worth a row of their own; each is tried, in this order, before
      #                        anyone is offered it
      #   #flag_probe(flag)    arguments that print RUBY_DESCRIPTION as it is under that flag,
      #                        cheaply; a flag is taken when other words stand behind plus signs
      #   #launch(...)         [argv, env] that start a script
      #   #expects_jit(flags)  what an attestation must find: "yjit", "off", ...; nil where they
      #                        say nothing
      #   #identity_files      what to digest beside the executable, where that is only a launcher
      class Base
        #: (Ruby) -> void
        def initialize(ruby)
          @ruby = ruby
        end

        #: () -> Array[String]
        def candidate_flags = []

        #: (String) -> Array[String]
        def flag_probe(flag) = [flag, "--version"]

        # All engines take CRuby's order of arguments, and all read RUBYOPT (tried on each), so that
        # what must be loaded first, an attestation, can be given there too.
        #: (?flags: Array[String], ?requires: Array[String], ?script: String?, ?args: Array[String]) -> [Array[String], Hash[String, String]]
        def launch(flags: [], requires: [], script: nil, args: [])
          [[@ruby.path, *flags, *requires.map { |name| "-r#{name}" }, *script, *args], env]
        end

        #: (Array[String]) -> String?
        def expects_jit(_flags) = nil

        #: () -> Array[String]
        def identity_files = []

        private

        def env = {}

        # The folder that holds bin/ruby, links followed.
        def home = File.dirname(File.realpath(@ruby.path), 2)
      end
    end
  end
end
