# frozen_string_literal: true

module Mohs
  module Probes
    # The progress of a server's JIT, read repeatedly from a cold start on, at rest: what its
    # processes report (Probes::InsideFigures), and what it saves (Probes::SavedCode).
    class JitFigures
      # A piece of code is a version of a method, or of a block of a method.
      INSIDE = { methods: :jit_compiled_methods, pieces: :jit_compiled_blocks,
                 code_bytes: :jit_code_bytes, compile_ns: :jit_elapsed_ns,
                 invalidations: :jit_invalidations, exits: :jit_exits }.freeze

      # saved: nil if the JIT saves nothing.
      #: (Probes::InsideFigures, ?saved: Probes::SavedCode?) -> void
      def initialize(inside, saved: nil)
        @inside = inside
        @saved = saved
      end

      # Figures since the server's start, by the names of INSIDE, without unknown ones.
      #: (Array[Integer]) -> Hash[Symbol, Integer]
      def read(pids)
        told = @inside.read(pids).to_h
        { **INSIDE.transform_values { |name| told[name] }, **@saved&.read.to_h }.compact
      end
    end
  end
end
