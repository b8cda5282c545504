# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # Ruby on the JVM. Its executable is a shell script that looks for Java (JAVA_HOME, then PATH)
      # and starts it.
      class Jruby < Base
        EXECUTABLE = "jruby"
        TITLE = "JRuby"
        INTERPRETED = %w[-X-C].freeze
        C_EXTENSIONS = false
        JDBC = true
        SLOW = true
        COMPILERS = Jvm::COMPILERS
        BOOT_LIMIT_S = 240

        # Boot: seen on two busy cores (docs/method.md). Warm-up: the median of simulated servers
        # whose cost settles within 100 s of load, on a host like that (benchmark/warm_up.rb).
        COST = { boot_s: 10.0, warm_up_s: 300.0, stop_s: 1.0 }.freeze
        VARIABLES = /JRUBY_OPTS|JAVA_|JDK_JAVA_/
        OPTIONS = "JRUBY_OPTS"

        # ActiveRecord's adapters over JDBC, which replace drivers written in C. The jar of each
        # database's own driver is in a gem, so Maven is not needed. From 50 on, adapters are
        # numbered like Rails (72.1 for 7.2); older ones don't say which Rails they need.
        SUBSTITUTES = {
          "sqlite3" => "activerecord-jdbcsqlite3-adapter",
          "pg" => "activerecord-jdbcpostgresql-adapter",
          "mysql2" => "activerecord-jdbcmysql-adapter",
        }.transform_values { |adapter| [adapter, ">= 50"].freeze }.freeze

        # The file that names this JRuby's own version of psych. Each version of the psych gem
        # parses with its own jar, which only Maven fetches; JRuby includes only the jar of its own
        # psych. A psych that lacks its jar breaks RubyGems too, which reads the metadata of all
        # gems with it.
        PSYCH = "lib/ruby/gems/shared/specifications/default/psych-*-java.gemspec"

        # Prefers a fast start over fast code; the description then no longer says +jit.
        FLAGS = %w[--dev].freeze
        DEVELOPMENT = FLAGS

        INSIDE = <<~RUBY
          def self.jit
            require "jruby"
            JRuby.runtime.instance_config.compile_mode.to_s.downcase
          end

          def self.heap
            require "java"
            usage = java.lang.management.ManagementFactory.memory_mx_bean.heap_memory_usage
            { "committed" => usage.committed, "used" => usage.used }
          end

          def self.thread_cpu_s
            require "java"
            java.lang.management.ManagementFactory.thread_mx_bean.current_thread_cpu_time / 1e9
          end

          def self.invokedynamic
            require "java"
            Java::OrgJrubyUtilCli::Options::COMPILE_INVOKEDYNAMIC.load ? true : false
          end

          def self.engine_figures
            require "jruby"
            compiled = JRuby.runtime.jit_compiler.success_count
            jvm_figures(Java::JavaLangManagement::ManagementFactory)
              .merge(jit_compiled_methods: compiled)
          end

          #{Jvm::INSIDE}
        RUBY

        INVOKEDYNAMIC = /\A-Xcompile\.invokedynamic=(true|false)\z/

        # What its launcher turns these flags into for Java.
        DEV = "/.dev_mode.java_opts"
        JAVA_FORMS = { /\A-X(\w+(?:\.\w+)*=.*)\z/ => '-Djruby.\1', /\A-J(-.+)\z/ => '\1' }.freeze

        #: (String?, ?Array[String]) -> Hash[Symbol, Numeric | bool]
        def self.warm_up(_jit, _flags = []) = Jvm::WARM_UP

        def candidate_flags = FLAGS

        # The last flag wins.
        def expects(flags, env = {})
          given = flags_of(flags, env).filter_map { |flag| flag[INVOKEDYNAMIC, 1] }.last
          given ? { **super, invokedynamic: given == "true" } : super
        end

        def started_with?(flag, words)
          return words.any? { |word| word.end_with?(DEV) } if flag == "--dev"

          pattern, form = JAVA_FORMS.find { |written, _| flag.match?(written) }
          words.include?(pattern ? flag.sub(pattern, form) : flag)
        end

        def gem_limits
          own = Dir.glob(File.join(home, PSYCH)).first.to_s[/psych-([\d.]+)-java/, 1]
          own ? { "psych" => "= #{own}" } : {}
        end

        def identity_files = Dir.glob(File.join(home, "lib", "jruby.jar"))

        private

        # Under -X-C the description still says +jit although nothing is compiled any more: the flag
        # is more reliable.
        def jit_by(flags) = flags.any?(/\A(-X-C|-Xcompile\.mode=OFF)\z/) ? NO_JIT : nil
      end
    end
  end
end
