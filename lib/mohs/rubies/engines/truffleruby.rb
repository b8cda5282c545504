# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # Ruby on GraalVM, native or on the JVM. Discovery tries none of its flags: none changes the
      # description, and each try takes ten seconds.
      class Truffleruby < Base
        EXECUTABLE = "truffleruby"
        TITLE = "TruffleRuby"
        INTERPRETED = %w[--engine.Compilation=false].freeze
        SLOW = true
        COMPILERS = Jvm::COMPILERS
        BOOT_LIMIT_S = 300

        # Seen on two cores (docs/interpreters.md, When it is warm).
        COST = { boot_s: 40.0, warm_up_s: 600.0, stop_s: 1.0 }.freeze
        VARIABLES = /TRUFFLERUBY/
        OPTIONS = "TRUFFLERUBYOPT"

        # The interpreter itself, in the layouts of the JVM and of the native distribution.
        FILES = %w[lib/ruby-language*.jar lib/truffle/truffleruby.jar lib/libtruffleruby.so].freeze

        # No API reports the JIT; the command line does. It is unknown whether its launcher has read
        # a variable.
        INSIDE = <<~RUBY
          def self.jit
            return nil if ENV["TRUFFLERUBYOPT"].to_s.include?("engine.Compilation")

            FLAGS.any? { |word| word.end_with?("engine.Compilation=false") } ? "off" : "graal"
          end

          def self.heap
            stat = GC.stat
            { "committed" => stat.fetch(:committed), "used" => stat.fetch(:used) }
          end

          # The native distribution has no Java to ask. (GC.stat there is what the JVM says.)
          def self.engine_figures
            jvm_figures(Java.type("java.lang.management.ManagementFactory"))
          rescue StandardError
            { gc_count: GC.count, gc_major_count: GC.stat[:major_gc_count],
              gc_pause_ns: GC.stat[:time] * 1_000_000 }
          end

          #{Jvm::INSIDE}
        RUBY

        # A development build says "0.0-e9e59f4f"; the name of its folder is more precise.
        #: (Hash[String, String], String) -> String
        def self.version(facts, path)
          reported = super
          return reported unless reported.start_with?("0.0-")

          Naming.folder(path)[/truffleruby\D*-(\d+(?:\.\w+)*)\z/, 1] || reported
        end

        # Without Graal's compiler its native distribution has no thread that compiles, and so none
        # that could be seen to be idle.
        #: (String?, ?Array[String]) -> Hash[Symbol, Numeric | bool]
        def self.warm_up(jit, _flags = []) = { **Jvm::WARM_UP, background: jit != NO_JIT }

        def identity_files = FILES.flat_map { |pattern| Dir.glob(File.join(home, pattern)) }.sort

        private

        def jit_by(flags) = flags.include?("--engine.Compilation=false") ? NO_JIT : nil
      end
    end
  end
end
