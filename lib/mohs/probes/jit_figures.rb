# frozen_string_literal: true

module Mohs
  module Probes
    # How far the JIT of a server is, again and again from a cold start, at rest: what its processes
    # tell (Probes::InsideFigures), and what it leaves behind (Probes::SavedCode).
    class JitFigures
      # A piece of code is a version of a method, or of a block of one.
      INSIDE = { methods: :jit_compiled_methods, pieces: :jit_compiled_blocks,
                 code_bytes: :jit_code_bytes, compile_ns: :jit_elapsed_ns,
                 invalidations: :jit_invalidations, exits: :jit_exits }.freeze

      # saved: nil if it leaves nothing.
      #: (Probes::InsideFigures, ?saved: Probes::SavedCode?) -> void
      def initialize(inside, saved: nil)
        @inside = inside
        @saved = saved
      end

      # Since the server's start, by the names of INSIDE, without what is not known.
      #: (Array[Integer]) -> Hash[Symbol, Integer]
      def read(pids)
        told = @inside.read(pids).to_h
        { **INSIDE.transform_values { |name| told[name] }, **@saved&.read.to_h }.compact
      end
    end
  end
end
