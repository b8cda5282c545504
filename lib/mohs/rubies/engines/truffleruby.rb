# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # Ruby on GraalVM, native or on the JVM. No flag of its own is tried: none changes the
      # description, so none could be attested, and each try takes ten seconds.
      class Truffleruby < Base
        # The interpreter itself, in the layouts of the JVM and of the native distribution.
        FILES = %w[lib/ruby-language*.jar lib/truffle/truffleruby.jar lib/libtruffleruby.so].freeze

        def expects_jit(flags) = flags.include?("--engine.Compilation=false") ? "off" : nil

        def identity_files = FILES.flat_map { |pattern| Dir.glob(File.join(home, pattern)) }.sort
      end
    end
  end
end
