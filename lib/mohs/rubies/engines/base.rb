# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # The contract of an engine: all that differs between implementations of Ruby. A member
      # overrides what differs from these defaults. On its class:
      #
      #     EXECUTABLE    its command on PATH, which may have a version behind it ("ruby3.1")
      #     FOR_TESTS     not offered to people
      #     FORKS         has fork, which more than one process takes
      #     GVL           threads run one at a time, by a global lock
      #     C_EXTENSIONS  loads extensions written in C
      #     JDBC         reaches databases by Java's drivers, which know no unix sockets
      #     RUBYGEMS      serves with a RubyGems put before its own by RUBYLIB
      #     SLOW          compiles to machine code in the background, on other cores too: it boots
      #                   and warms up in a minute rather than in a second
      #     BOOT_LIMIT_S  seconds from exec to the first answer after which a server counts as
      #                   refusing: some ten times what a Rails application took on a busy machine
      #     COST          seconds of a trial's boot, warm-up and stop, for .cost
      #     JITS          those that are off unless a flag (`--NAME`) asks for them
      #     DEVELOPMENT   flags that nobody serves with
      #     SUBSTITUTES   { gem => [the one that a Rails application has to have instead, which
      #                   versions] }
      #     VARIABLES     the names of environment variables that change how it runs
      #     OPTIONS       the one among them that holds further flags
      #     INSIDE        Ruby 2.5 for MohsInside (inside/attest.rb) in the served process: defines
      #                   `self.jit`, the JIT's name or "off", and what else the engine can tell:
      #                   `self.heap`, { "committed" =>, "used" => } bytes, where a virtual machine
      #                   takes memory in advance; `self.thread_cpu_s`, seconds of CPU time of the
      #                   thread that asks, where Process.clock_gettime does not know them
      #     PROFILER      what samples its stacks (inside/profile.rb), and PROFILER_GEMS { name =>
      #                   requirement } that this needs in the bundle
      #     .version      its version as people know it, of identity.rb's facts and the path
      #     .warm_up      what it needs to get warm with a JIT, where that is not as in
      #                   Trial::WarmUp::Rule's defaults
      #     .lingers?     does it go on compiling behind its last request, under these flags of a
      #                   Ruby with this name? Then quick variants are measured first
      #     .cost         the COST under such flags, for a plan's estimate
      #     .experimental?  do flags, of a Ruby with this name, ask for a JIT that its makers call
      #                   experimental?
      #     .saves_code?  does its JIT leave what it compiles in the server's TMPDIR, under these
      #                   flags?
      #     .logs_code?   does it print the time of each (Probes::SavedCode)?
      #
      # and on an instance, which stands for one Ruby:
      #
      #     #candidate_flags     flags worth a row of their own; each is tried, in this order,
      #                          before anyone is offered it
      #     #flag_probe(flag)    arguments that print RUBY_DESCRIPTION as it is under that flag,
      #                          cheaply; a flag is taken when other words stand behind plus signs
      #     #launch(...)         [argv, env] that start a script
      #     #expects_jit(flags, env)  what an attestation must find: "yjit", "off", ...; nil if
      #                          flags and variables say nothing
      #     #expects(flags, env) all settings that flags and variables promise, by the names of
      #                          attested facts: { jit: "yjit", mn_threads: true }
      #     #started_with?(flag, words)  whether the words of a process's command line (those that
      #                          begin with - or @) say that it was started with this flag
      #     #tuning_probe        arguments that print which TUNING variables it reads; nil if it
      #                          reads none of them
      #     #ignored(tuning, printed)  which of these variables it does not read, and why (nil: it
      #                          does not say), by what it printed
      #     #extension           a C file for MohsInside, compiled for this Ruby (Probes::Extension);
      #                          nil if it needs none
      #     #gem_limits          { gem => requirement }: other versions can't be loaded, though they
      #                          don't say so themselves
      #     #gem_builds          { gem => { variable => value } }: what the extensions of these have
      #                          to be compiled with, under whatever server
      #     #identity_files      what to digest beside the executable, where that is only a launcher
      class Base
        extend Family::Member

        FOR_TESTS = false
        FORKS = false
        GVL = false
        C_EXTENSIONS = true
        JDBC = false
        RUBYGEMS = false
        SLOW = false
        BOOT_LIMIT_S = 60
        # Between a small application (0.4 s, 0.5 s) and a Rails application (1.2 s, 4.6 s).
        COST = { boot_s: 0.7, warm_up_s: 1.8, stop_s: 0.3 }.freeze
        JITS = [].freeze
        DEVELOPMENT = [].freeze
        SUBSTITUTES = {}.freeze
        VARIABLES = /RUBY/
        OPTIONS = "RUBYOPT"
        INSIDE = ""
        PROFILER = "backtraces"
        PROFILER_GEMS = {}.freeze

        # Variables of the reference implementation that other engines and other versions of it
        # ignore without a word.
        TUNING = /\ARUBY_(?:GC_\w+|MAX_CPU|MN_THREADS|THREAD_TIMESLICE|YJIT_ENABLE)\z/

        # The attested name of a JIT that is off.
        NO_JIT = "off"

        # Requests after which an interpreter that compiles nothing is warm: CRuby after 0.2 s or
        # 200 to 1500 of them (method, finding 9 and table 3e); on apps/primes 120 servers cost the
        # same from the 500th on.
        PLENTY = 1500

        class << self
          # Its RUBY_ENGINE.
          #: () -> String
          def ruby_engine = Engines.ruby_engine(label)

          #: (Hash[String, String], String) -> String
          def version(facts, _path) = facts.fetch("version")

          #: (String?) -> Hash[Symbol, Numeric]
          def warm_up(jit) = jit == NO_JIT ? { most: PLENTY } : {}

          #: (Array[String], String) -> bool
          def lingers?(_flags, _version) = self::SLOW

          #: (Array[String], String) -> Hash[Symbol, Numeric]
          def cost(_flags, _version) = self::COST

          #: (Array[String], String) -> bool
          def experimental?(_flags, _version) = false

          #: (Array[String]) -> bool
          def saves_code?(_flags) = false

          #: (Array[String]) -> bool
          def logs_code?(_flags) = false
        end

        #: (Ruby) -> void
        def initialize(ruby)
          @ruby = ruby
        end

        #: () -> Array[String]
        def candidate_flags = []

        #: (String) -> Array[String]
        def flag_probe(flag) = [flag, "--version"]

        # All engines take CRuby's order of arguments, and all read RUBYOPT (tried on each), so that
        # an attestation, which must be loaded first, can be given there too.
        #: (?flags: Array[String], ?requires: Array[String], ?script: String?, ?args: Array[String]) -> [Array[String], Hash[String, String]]
        def launch(flags: [], requires: [], script: nil, args: [])
          [[@ruby.path, *flags, *requires.map { |name| "-r#{name}" }, *script, *args], env]
        end

        #: (Array[String], ?Hash[String, String]) -> String?
        def expects_jit(flags, env = {}) = jit_by(flags_of(flags, env))

        #: (Array[String], ?Hash[String, String]) -> Hash[Symbol, untyped]
        def expects(flags, env = {}) = { jit: expects_jit(flags, env) }.compact

        #: (String, Array[String]) -> bool
        def started_with?(flag, words) = words.include?(flag)

        #: () -> Array[String]?
        def tuning_probe = nil

        #: (Hash[String, String], String) -> Hash[String, String?]
        def ignored(tuning, _printed) = tuning.transform_values { nil }

        #: () -> String?
        def extension = nil

        #: () -> Hash[String, String]
        def gem_limits = {}

        #: () -> Hash[String, Hash[String, String]]
        def gem_builds = {}

        #: () -> Array[String]
        def identity_files = []

        private

        # With those of the variable, which come first.
        def flags_of(flags, env) = [*env[self.class::OPTIONS].to_s.split, *flags]

        # What flags alone say about the JIT.
        def jit_by(_flags) = nil

        def env = {}

        # The folder that holds bin/ruby, links followed.
        def home = File.dirname(File.realpath(@ruby.path), 2)
      end
    end
  end
end
