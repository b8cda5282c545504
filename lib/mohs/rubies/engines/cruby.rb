# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # The reference implementation, static or with its library shared.
      class Cruby < Base
        # --jit comes last: from 3.1 on it is another word for --yjit and then falls away, on 2.6 to
        # 3.0 it is MJIT.
        FLAGS = %w[--yjit --mjit --rjit --zjit --jit].freeze

        # A description says +MJIT or +JIT even where MJIT found no compiler or header and gave up;
        # only it itself knows.
        DESCRIBE = "mjit = defined?(RubyVM::MJIT) && /\\+M?JIT/ =~ RUBY_DESCRIPTION; " \
                   "exit 3 if mjit && !RubyVM::MJIT.enabled?; puts RUBY_DESCRIPTION"
        SHARED_LIBRARY = "libruby*.so.*"
        FIRST_WITH_YJIT = Gem::Version.new("3.1")

        def candidate_flags = FLAGS

        def flag_probe(flag) = [flag, "-e", DESCRIBE]

        # The last word about the JIT wins, as it does in Ruby.
        def expects_jit(flags)
          flags.filter_map { |flag| jit_of(flag) }.last
        end

        # Debian's executable is 14 KB; what it runs is in the library. Both places are searched
        # because multiarch has a folder of its own (lib/x86_64-linux-gnu).
        def identity_files
          return [] unless @ruby.configure.to_s.include?("--enable-shared")

          version = @ruby.version
          %w[lib lib/*].flat_map { |folder| Dir.glob(File.join(home, folder, SHARED_LIBRARY)) }
                       .select { |file| file.end_with?(".so.#{version}") }.sort
        end

        private

        def jit_of(flag)
          case flag
          when /\A--(?:enable[=-])?([ymrz]jit)(?![a-z])/ then Regexp.last_match(1)
          when /\A--(?:enable[=-])?jit(?![a-z])/ then plain_jit
          when /\A--disable[=-][ymrz]?jit\z/ then "off"
          end
        end

        def plain_jit = @ruby.gem_version < FIRST_WITH_YJIT ? "mjit" : "yjit"
      end
    end
  end
end
