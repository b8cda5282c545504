# frozen_string_literal: true

module Mohs
  module Rubies
    module Engines
      # Ruby on the JVM. Its executable is a shell script that looks for Java (JAVA_HOME, then PATH)
      # and starts it.
      class Jruby < Base
        # Prefers a fast start to fast code; under it the description no longer says +jit.
        FLAGS = %w[--dev].freeze

        def candidate_flags = FLAGS

        # -X-C leaves +jit in the description though nothing is compiled any more: the flag is the
        # better witness.
        def expects_jit(flags) = flags.any?(/\A(-X-C|-Xcompile\.mode=OFF)\z/) ? "off" : nil

        def identity_files = Dir.glob(File.join(home, "lib", "jruby.jar"))
      end
    end
  end
end
