# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # The contract of an engine: everything that differs between implementations of Ruby. A member
      # overrides what differs from these defaults. On its class:
      #
      #     EXECUTABLE    its command on PATH, which may end in a version ("ruby3.1")
      #     FOR_TESTS     not offered to users
      #     FORKS         has fork, which more than one process requires
      #     GVL           threads run one at a time, under a global lock
      #     C_EXTENSIONS  loads extensions written in C
      #     JDBC          connects to databases by Java's drivers, which don't support unix sockets
      #     RUBYGEMS      can serve with a RubyGems put before its own by RUBYLIB
      #     SLOW          compiles to machine code in the background, on other cores too: it boots
      #                   and warms up in minutes rather than in a second
      #     COMPILERS     a pattern of the names of its threads that compile; nil if it has none
      #     BOOT_LIMIT_S  seconds from exec to the first response after which a server counts as
      #                   refused: about ten times what a Rails application took on a busy machine
      #     COST          seconds of a trial's boot, warm-up and stop, for .cost
      #     JITS          JITs that are off unless a flag (`--NAME`) turns them on
      #     TITLE         its name as it is written in a sentence
      #     INTERPRETED   flags under which its own JIT, which is on without a flag, compiles
      #                   nothing; empty if it has none
      #     DEVELOPMENT   flags that nobody uses in production
      #     SUBSTITUTES   { gem => [the gem that a Rails application needs instead, its
      #                   requirement] }
      #     VARIABLES     the names of environment variables that change how it runs
      #     OPTIONS       the variable among them that contains further flags
      #     INSIDE        Ruby 2.4 for MohsInside (inside/attest.rb) in the served process: defines
      #                   `self.jit`, the JIT's name or "off", and what else the engine reports:
      #                   `self.heap`, { "committed" =>, "used" => } bytes, if a virtual machine
      #                   reserves memory in advance; `self.thread_cpu_s`, CPU seconds of the
      #                   calling thread, if Process.clock_gettime does not know them;
      #                   `self.block_jit`, if an application can turn a JIT on that no flag asks
      #                   for: prevents that, and reports each attempt to MohsInside.jit_asked
      #     PROFILER      what samples its stacks (inside/profile.rb), and PROFILER_GEMS { name =>
      #                   requirement } that the profiler needs in the bundle
      #     .version      its version as people know it, from identity.rb's facts and the path
      #     .language     the version of Ruby that it implements, from the same facts
      #     .too_old      why mohs does not support a Ruby with these facts: a Reason, or nil
      #     .warm_up      what it needs to warm up with this JIT (nil: unknown) under these flags,
      #                   where that differs from Trial::WarmUp::Rule's defaults
      #     .lingers?     does a Ruby of this name, under these flags, go on compiling after its
      #                   last request? Then quick variants are measured first
      #     .options      the flags in the OPTIONS variable of this environment
      #     .cost         the COST under such flags, for a plan's estimate
      #     .experimental?  do the flags, of a Ruby with this name, turn on a JIT that its makers
      #                   call experimental?
      #     .saves_code?  does its JIT leave compiled code in the server's TMPDIR under these flags?
      #     .logs_code?   does it print the time of each compilation (Probes::SavedCode)?
      #
      # and on an instance, which stands for one Ruby:
      #
      #     #candidate_flags     flags worth a row of their own; each is tried, in this order,
      #                          before it is offered to users
      #     #flag_probe(flag)    arguments that print RUBY_DESCRIPTION under that flag, cheaply; a
      #                          flag is accepted if the words after plus signs differ
      #     #launch(...)         [argv, env] that start a script
      #     #expects_jit(flags, env)  what attestation must find: "yjit", "off", ...; nil if flags
      #                          and variables say nothing
      #     #flags_of(flags, env)  the flags, preceded by those in the OPTIONS variable
      #     #canonical(flags, env)  the flags, with one spelling for those that mean the same, and
      #                          with what the variables say about the JIT
      #     #enables?(jit)       whether an application can turn this JIT on, without a flag
      #     #leaves_jit?(flags, env)  whether these leave it to the application to turn a JIT on
      #     #expects(flags, env) all settings that flags and variables promise, by the names of
      #                          attested facts: { jit: "yjit", mn_threads: true }
      #     #started_with?(flag, words)  whether the words of a process's command line (those that
      #                          begin with - or @) say that it was started with this flag
      #     #tuning_probe        arguments that print which TUNING variables it reads; nil if it
      #                          reads none of them
      #     #ignored(tuning, printed)  which of these variables it does not read, judged by what it
      #                          printed, each with the reason (nil: it gives none)
      #     #extension           a C file for MohsInside, compiled for this Ruby (Probes::Extension);
      #                          nil if it needs none
      #     #https?              whether its RubyGems can fetch over https by itself
      #     #gem_limits          { gem => requirement }: other versions can't be loaded, although
      #                          the gems themselves don't declare it
      #     #gem_builds          { gem => { variable => value } }: variables for compiling the
      #                          extensions of these gems, under any server
      #     #identity_files      files to digest besides the executable, if that is only a launcher
      class Base
        extend Family::Member

        FOR_TESTS = false
        FORKS = false
        GVL = false
        C_EXTENSIONS = true
        JDBC = false
        RUBYGEMS = false
        SLOW = false
        COMPILERS = nil
        BOOT_LIMIT_S = 60
        # Between a small application (0.4 s, 0.5 s) and a Rails application (1.2 s, 4.6 s).
        COST = { boot_s: 0.7, warm_up_s: 1.8, stop_s: 0.3 }.freeze
        JITS = [].freeze
        TITLE = "this engine"
        INTERPRETED = [].freeze
        DEVELOPMENT = [].freeze
        SUBSTITUTES = {}.freeze
        VARIABLES = /RUBY/
        OPTIONS = "RUBYOPT"
        INSIDE = ""
        PROFILER = "backtraces"
        PROFILER_GEMS = {}.freeze

        # Variables of the reference implementation that other engines, and other versions of it,
        # silently ignore.
        TUNING = /\ARUBY_(?:GC_\w+|BOX|MAX_CPU|MN_THREADS|THREAD_TIMESLICE|[YZ]JIT_ENABLE)\z/

        # The attested name of a JIT that is off.
        NO_JIT = "off"

        # Requests after which an interpreter that compiles nothing is warm: CRuby after 0.2 s or
        # 200 to 1500 requests (method, finding 9 and table 3e); on apps/primes, the cost on 120
        # servers was the same from the 500th request on.
        PLENTY = 1500

        # Seconds that are enough for slow requests, each of which runs more code: a page of 15 ms
        # cost the same within 0.3 % from its first hundred requests on, and 1500 of them take 22 s.
        PLENTY_S = 4

        class << self
          # Its RUBY_ENGINE.
          #: () -> String
          def ruby_engine = Engines.ruby_engine(label)

          #: (Hash[String, String], String) -> String
          def version(facts, _path) = facts.fetch("version")

          #: (Hash[String, String]) -> String
          def language(facts) = facts.fetch("language")

          #: (Hash[String, String]) -> Reason?
          def too_old(_facts) = nil

          #: (Hash[String, String]) -> Array[String]
          def options(env) = env[self::OPTIONS].to_s.split

          #: (String?, ?Array[String]) -> Hash[Symbol, Numeric | bool]
          def warm_up(jit, _flags = [])
            jit == NO_JIT ? { most: PLENTY, most_s: PLENTY_S, calls: 0 } : {}
          end

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

        # All engines take their arguments in CRuby's order, and all read RUBYOPT (tried on each),
        # so that an attestation, which must be loaded first, can be given there too.
        #: (?flags: Array[String], ?requires: Array[String], ?script: String?, ?args: Array[String]) -> [Array[String], Hash[String, String]]
        def launch(flags: [], requires: [], script: nil, args: [])
          [[@ruby.path, *flags, *requires.map { |name| "-r#{name}" }, *script, *args], env]
        end

        #: (Array[String], ?Hash[String, String]) -> String?
        def expects_jit(flags, env = {}) = jit_by(flags_of(flags, env))

        #: (Array[String], ?Hash[String, String]) -> Hash[Symbol, untyped]
        def expects(flags, env = {}) = { jit: expects_jit(flags, env) }.compact

        #: (Array[String], ?Hash[String, String]) -> Array[String]
        def canonical(flags, _env = {}) = flags

        #: (String) -> bool
        def enables?(_jit) = false

        #: (Array[String], ?Hash[String, String]) -> bool
        def leaves_jit?(_flags, _env = {}) = false

        #: (String, Array[String]) -> bool
        def started_with?(flag, words) = words.include?(flag)

        #: () -> Array[String]?
        def tuning_probe = nil

        #: (Hash[String, String], String) -> Hash[String, String?]
        def ignored(tuning, _printed) = tuning.transform_values { nil }

        #: () -> String?
        def extension = nil

        #: () -> bool
        def https? = true

        #: () -> Hash[String, String]
        def gem_limits = {}

        #: () -> Hash[String, Hash[String, String]]
        def gem_builds = {}

        #: () -> Array[String]
        def identity_files = []

        #: (Array[String], Hash[String, String]) -> Array[String]
        def flags_of(flags, env) = [*self.class.options(env), *flags]

        private

        # What the flags alone say about the JIT.
        def jit_by(_flags) = nil

        def env = {}

        # The folder that contains bin/ruby, with links resolved.
        def home = File.dirname(File.realpath(@ruby.path), 2)
      end
    end
  end
end
