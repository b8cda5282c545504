# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # The reference implementation, linked statically or with a shared libruby.
      class Cruby < Base
        # The oldest one that published studies measured. What runs inside (inside/*.rb) needs
        # Module#prepend, which 2.0 brought.
        OLDEST = Gem::Version.new("2.0")
        EXECUTABLE = "ruby"
        TITLE = "CRuby"
        FORKS = true
        GVL = true
        RUBYGEMS = true
        JITS = %w[yjit mjit rjit zjit].freeze

        # --jit comes last: from 3.1 on it means --yjit and is dropped as a duplicate; on 2.6 to 3.0
        # it is MJIT.
        FLAGS = [*JITS.map { |jit| "--#{jit}" }, "--jit"].freeze

        # A description says +MJIT or +JIT even if MJIT found no compiler or header and gave up;
        # only the process itself knows.
        DESCRIBE = "mjit = defined?(RubyVM::MJIT) && /\\+M?JIT/ =~ RUBY_DESCRIPTION; " \
                   "exit 3 if mjit && !RubyVM::MJIT.enabled?; puts RUBY_DESCRIPTION"
        SHARED_LIBRARY = "libruby*.so.*"
        FIRST_WITH_YJIT = Gem::Version.new("3.1")
        MJIT = "mjit"
        YJIT = "yjit"

        # What the description contains if the variable is read.
        PRINTED = { "RUBY_MN_THREADS" => "+MN", "RUBY_YJIT_ENABLE" => "+YJIT",
                    "RUBY_ZJIT_ENABLE" => "+ZJIT" }.freeze

        # Nothing shows whether these are read; the first versions that read them.
        SINCE = { "RUBY_MAX_CPU" => "3.3", "RUBY_THREAD_TIMESLICE" => "3.4",
                  "RUBY_BOX" => "4.0" }.freeze

        # The variables that turn a JIT on, and the values that do.
        ENABLE = { "RUBY_YJIT_ENABLE" => YJIT, "RUBY_ZJIT_ENABLE" => "zjit" }.freeze
        YES = %w[1 true yes].freeze

        # Its hooks around the lock exist from this version on.
        GVL_WAIT = File.expand_path("../../../../ext/mohs/inside/gvl_wait.c", __dir__)
        FIRST_WITH_GVL_HOOKS = Gem::Version.new("3.2")

        # YJIT has not been experimental since 3.2 and is what people use; doc/jit and NEWS of each
        # Ruby call the others experimental. Plain --jit was MJIT before 3.1.
        EXPERIMENTAL = /\A--(?:enable[=-])?[mrz]jit(?![a-z])/
        PLAIN_JIT = /\A--(?:enable[=-])?jit(?![a-z])/
        WITH_MJIT = /\A(?:2\.|3\.0)/
        MJIT_FLAG = /\A--(?:enable[=-])?mjit(?![a-z])/

        # MJIT begins to compile at the 10 000th call of a method (--mjit-min-calls, 2.7 to 3.2), so
        # a server that looks warm before that is disturbed by its compiler afterwards. In 2.6 it
        # begins at the 5th, and its compiler is busy for longer. If the compiler shares the core,
        # requests take two to three times as long meanwhile: a Rails page of 2 ms had been called
        # 4 500 to 6 300 times after 30 s. No web application is known to gain from it
        # (docs/studies), so its rate is not expected to rise.
        MJIT_WARM_UP = { requests: 12_000, requests_s: 5, settle_s: 30, calls: 10_000, cap_s: 90,
                         gains: false }.freeze
        MJIT_COST = { **COST, warm_up_s: 20.0 }.freeze

        # After how many calls YJIT, ZJIT, RJIT or MJIT compiles a method.
        CALLS = /\A--(?:[yzr]jit-call-threshold|m?jit-min-calls)=(\d+)\z/

        # MJIT leaves its files in TMPDIR; it prints each compilation with its time.
        SAVE_CODE = /\A--m?jit-save-temps\z/
        LOG_CODE = /\A--m?jit-verbose=[1-9]/

        # A thread that samples other threads gets the GVL too rarely. stackprof records lines since
        # 0.2.24.
        PROFILER = "stackprof"
        PROFILER_GEMS = { "stackprof" => ">= 0.2.24" }.freeze

        # The folders of a system's own libraries.
        SYSTEM_LIBRARY = %r{\A/(?:usr/)?lib(?:\d\d|x32)?/}

        # Puma's extension is linked with the system's OpenSSL. If Ruby has a different one, each
        # calls functions of the other: ciphers fail ("key must be 0 bytes") or encrypt differently
        # in each process, and Rails can't read its cookies. mohs speaks no TLS with servers. Puma 5
        # reads the second variable.
        WITHOUT_OPENSSL = { "puma" => { "PUMA_DISABLE_SSL" => "1", "DISABLE_SSL" => "1" } }.freeze

        # From this version on, Ruby code can turn the JIT on in a running process.
        ENABLED_SINCE = { "yjit" => "3.3", "zjit" => "4.0" }
                        .transform_values { |version| Gem::Version.new(version) }.freeze

        # At most one of its JITs is on.
        INSIDE = <<~'RUBY'
          # Makes RubyVM::YJIT.enable and its like do nothing, so that the JIT stays as the flags
          # have it. They return false, as they do if a JIT is on already.
          def self.block_jit
            %i[YJIT ZJIT].each do |name|
              jit = RubyVM.const_defined?(name) && RubyVM.const_get(name)
              next unless jit && jit.respond_to?(:enable)

              jit.singleton_class.prepend(Module.new.tap { |hook| hook.module_eval(<<-CALL) })
                def enable(*)
                  MohsInside.jit_asked("#{name.to_s.downcase}", caller_locations(1, 1))
                  false
                end
              CALL
            end
          end

          def self.jit
            found = %i[YJIT ZJIT RJIT MJIT].find do |name|
              jit = RubyVM.const_defined?(name) && RubyVM.const_get(name)
              jit && jit.respond_to?(:enabled?) && jit.enabled?
            end
            found ? found.to_s.downcase : "off"
          end

          def self.jit_code_bytes
            case jit
            when "yjit" then RubyVM::YJIT.runtime_stats[:code_region_size]
            when "zjit" then RubyVM::ZJIT.stats[:code_region_bytes]
            end
          end

          def self.engine_figures
            timed = GC.respond_to?(:total_time) && GC.measure_total_time
            { gc_count: GC.count, gc_major_count: GC.stat[:major_gc_count],
              gc_time_ns: (GC.total_time if timed),
              allocated_objects: counted(:total_allocated_objects, :total_allocated_object),
              freed_objects: counted(:total_freed_objects, :total_freed_object),
              heap_pages: heap_pages, heap_bytes: heap_bytes,
              live_objects: counted(:heap_live_slots, :heap_live_slot, :heap_live_num),
              gvl_wait_ns: (MohsGvlWait.total_ns if defined?(MohsGvlWait)) }.merge(jit_figures)
          end

          # The count that has the first of these names: 2.0 and 2.1 have other names than later
          # ones, which warn about them.
          def self.counted(*names)
            all = GC.stat
            all[names.find { |name| all.key?(name) }]
          end

          def self.heap_pages
            counted(:heap_allocated_pages, :heap_used)
          end

          # Before 3.1 the size of a page was not told.
          def self.heap_bytes
            constants = defined?(GC::INTERNAL_CONSTANTS) ? GC::INTERNAL_CONSTANTS : {}
            heap_pages * constants.fetch(:HEAP_PAGE_SIZE, 16_384)
          end

          # YJIT counts more from one version to the next, exits only under --yjit-stats; the time
          # that it compiles passes on the clock. ZJIT does the same; it compiles whole methods, and
          # knows the size of its code in pages. RJIT counts nothing but instructions unless
          # --rjit-stats is given; MJIT nothing.
          def self.jit_figures
            case jit
            when "yjit"
              stats = RubyVM::YJIT.runtime_stats
              { jit_code_bytes: stats[:inline_code_size] + stats[:outlined_code_size],
                jit_compiled_methods: stats[:compiled_iseq_count],
                jit_compiled_blocks: stats[:compiled_block_count],
                jit_elapsed_ns: stats[:compile_time_ns],
                jit_invalidations: stats[:invalidation_count], jit_exits: stats[:side_exit_count],
                interpreted_instructions: stats[:vm_insns_count] }
            when "zjit"
              stats = RubyVM::ZJIT.stats
              { jit_code_bytes: stats[:code_region_bytes],
                jit_compiled_methods: stats[:compiled_iseq_count],
                jit_elapsed_ns: stats[:compile_time_ns], jit_exits: stats[:side_exit_count] }
            when "rjit"
              stats = RubyVM::RJIT.runtime_stats
              counted = stats[:compiled_block_count] > 0
              { jit_compiled_blocks: (stats[:compiled_block_count] if counted),
                jit_exits: (stats[:side_exit_count] if counted),
                interpreted_instructions: stats[:vm_insns_count] }
            else {}
            end
          end
        RUBY

        # The description contains the "preview1" or "dev" that the version lacks.
        #: (Hash[String, String], String) -> String
        def self.version(facts, _path)
          facts.fetch("description")[/\Aruby (\d\S*)/, 1].to_s.sub(/p\d+\z/, "")
        end

        # RUBY_VERSION has no "dev": 2.5.0dev would pass for 2.5.0.
        #: (Hash[String, String]) -> String
        def self.language(facts) = version(facts, "")

        #: (Hash[String, String]) -> Reason?
        def self.too_old(facts)
          found = facts.fetch("language")
          return if Gem::Version.new(found) >= OLDEST

          Reason.new(summary: "CRuby before #{OLDEST} is not supported (this is #{found})",
                     code: "ruby_too_old", values: { oldest: OLDEST.to_s, found: })
        end

        #: (String?, ?Array[String]) -> Hash[Symbol, Numeric | bool]
        def self.warm_up(jit, flags = [])
          return super if jit == NO_JIT

          calls = flags.filter_map { |flag| flag[CALLS, 1]&.to_i }.last
          rule = jit == MJIT ? MJIT_WARM_UP : super
          calls ? { **rule, calls: } : rule
        end

        #: (Array[String], String) -> bool
        def self.experimental?(flags, version)
          flags.any?(EXPERIMENTAL) || (flags.any?(PLAIN_JIT) && version.match?(WITH_MJIT))
        end

        # MJIT runs a C compiler while it serves, and after.
        #: (Array[String], String) -> bool
        def self.lingers?(flags, version)
          flags.any?(MJIT_FLAG) || (flags.any?(PLAIN_JIT) && version.match?(WITH_MJIT))
        end

        #: (Array[String], String) -> Hash[Symbol, Numeric]
        def self.cost(flags, version) = lingers?(flags, version) ? MJIT_COST : super

        #: (Array[String]) -> bool
        def self.saves_code?(flags) = flags.any?(SAVE_CODE)

        #: (Array[String]) -> bool
        def self.logs_code?(flags) = flags.any?(LOG_CODE)

        def candidate_flags = FLAGS

        def flag_probe(flag) = [flag, "-e", DESCRIBE]

        # A flag takes precedence over the variables; one that turns off another JIT than plain
        # --jit's says nothing, as that is off anyway. One that leaves the JIT to the application
        # keeps it off at boot, in spite of all other flags and of the variables.
        def expects_jit(flags, env = {})
          return if leaves_jit?(flags, env)

          jit, off = switched(flags_of(flags, env))
          jit || enabled(env, except: off) || (NO_JIT if off.include?(plain_jit))
        end

        def canonical(flags, env = {})
          jit = expects_jit(flags, env)
          others = flags.grep_v(Engines::JIT_SWITCH).reject { |flag| leaves_jit?([flag]) }
          jit = "jit" if jit == MJIT && !since?(FIRST_WITH_YJIT) # the only name that it knows
          [*("--#{jit}" if jit && jit != NO_JIT), *others]
        end

        def expects(flags, env = {})
          on?("RUBY_MN_THREADS", env) ? { **super, mn_threads: true } : super
        end

        # With warnings on, every Ruby from 2.4 on prints each RUBY_GC_ variable that it has read,
        # and why it rejects one.
        def tuning_probe = ["-w", "-e", "puts RUBY_DESCRIPTION"]

        # A variable for one heap (RUBY_GC_HEAP_0_INIT_SLOTS, 3.3) or in another unit
        # (RUBY_GC_HEAP_INIT_BYTES, 4.1) may be set along with the one that has the same effect in
        # other versions: it is enough if one of them is read.
        def ignored(tuning, printed)
          read, unread = tuning.keys.partition { |name| read?(name, tuning, printed) }
          kinds = read.map { |name| kind(name) }
          unread.reject { |name| kinds.include?(kind(name)) }
                .to_h { |name| [name, why(name, printed)] }
        end

        # A Ruby in which no application can turn a JIT on does not start with such a flag.
        def leaves_jit?(flags, env = {})
          flags_of(flags, env).any?(Engines::JIT_LEFT) && since?(ENABLED_SINCE[YJIT])
        end

        def enables?(jit)
          since?(ENABLED_SINCE[jit]) && @ruby.flags.include?("--#{jit}")
        end

        def extension = (GVL_WAIT if @ruby.gem_version >= FIRST_WITH_GVL_HOOKS)

        def https? = @ruby.libcrypto != ""

        def gem_builds = own_openssl? ? WITHOUT_OPENSSL : {}

        # Debian's executable is 14 KB; the code is in the library. Both places are searched because
        # multiarch uses a separate folder (lib/x86_64-linux-gnu).
        def identity_files
          return [] unless @ruby.configure.to_s.include?("--enable-shared")

          version = @ruby.version[/\A[\d.]+/] # 4.1.0dev has a libruby.so.4.1.0
          %w[lib lib/*].flat_map { |folder| Dir.glob(File.join(home, folder, SHARED_LIBRARY)) }
                       .select { |file| file.end_with?(".so.#{version}") }.sort
        end

        private

        def own_openssl?
          !@ruby.libcrypto.to_s.empty? && !@ruby.libcrypto.match?(SYSTEM_LIBRARY)
        end

        def read?(name, tuning, printed)
          return @ruby.gem_version >= Gem::Version.new(SINCE[name]) if SINCE.key?(name)
          return !on?(name, tuning) || printed.include?(PRINTED.fetch(name)) if PRINTED.key?(name)

          printed.match?(/^#{name}=\S+ \(default value: \S+\)$/)
        end

        def why(name, printed)
          return "Ruby reads it since #{SINCE[name]}" if SINCE.key?(name)

          mark = PRINTED[name]
          mark ? "RUBY_DESCRIPTION has no #{mark}" : printed.lines.grep(/\b#{name}\b/).last&.strip
        end

        def kind(name) = name.sub(/_HEAP_\d+_/, "_HEAP_").sub(/_BYTES\z/, "_SLOTS")

        # RUBY_MN_THREADS is a number.
        def on?(name, env)
          ENABLE.key?(name) ? YES.include?(env[name]) : env[name].to_i.positive?
        end

        # The JIT that flags turn on, and those that they turn off: the last flag wins, as in Ruby.
        def switched(flags)
          flags.inject([nil, []]) do |(jit, off), flag|
            if (gone = turned_off(flag)) then [(jit unless jit == gone), off | [gone]]
            elsif (found = jit_of(flag)) then [found, off - [found]]
            else [jit, off]
            end
          end
        end

        # Before 3.1 a Ruby knew no other name for its JIT here: it warned, and went on.
        def turned_off(flag)
          named = flag[Engines::JIT_OFF, :jit] or return
          return plain_jit if named == "jit"

          named if since?(FIRST_WITH_YJIT)
        end

        def enabled(env, except:)
          return unless since?(FIRST_WITH_YJIT)

          (ENABLE.select { |name, _| on?(name, env) }.values - except).first
        end

        def since?(version) = !version.nil? && @ruby.gem_version.release >= version

        def jit_of(flag)
          case flag
          when /\A--(?:enable[=-])?([ymrz]jit)(?![a-z])/ then Regexp.last_match(1)
          when PLAIN_JIT then plain_jit
          end
        end

        # A build without YJIT has the next one.
        def plain_jit
          return MJIT if @ruby.gem_version < FIRST_WITH_YJIT

          JITS.find { |jit| @ruby.flags.include?("--#{jit}") } || YJIT
        end
      end
    end
  end
end
