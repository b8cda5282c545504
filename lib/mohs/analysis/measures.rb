# frozen_string_literal: true

module Mohs
  module Analysis
    # The figures of a Store::Reading by their names there, in the order in which they are shown:
    # what probes read, and where an analysis may look for the cause of a difference. Each is a sum
    # over the processes that serve; a figure that an engine or a kernel doesn't report is absent.
    module Measures
      # `source` is :kernel or :inside (the server's own processes). `kind` is :counter, a total
      # since the server's start, so that two readings give what happened in between, or :gauge, the
      # state at that moment. `cpu`: whether it is a time that is part of the server's CPU time.
      Measure = Struct.new(:name, :source, :kind, :unit, :cpu, keyword_init: true) do
        include Value

        #: () -> bool
        def counter? = kind == :counter
      end

      # Each row: name, source, kind, unit.
      TABLE = [
        # The scheduler's own division of a process's CPU time, in steps of 10 ms.
        [:user_ns, :kernel, :counter, :ns],
        [:system_ns, :kernel, :counter, :ns],
        # Of child processes that have ended, in the same steps; no part of the two above.
        [:programs_ns, :kernel, :counter, :ns],
        # Ready to run, but another thread had the core.
        [:cpu_wait_ns, :kernel, :counter, :ns],
        [:minor_faults, :kernel, :counter, :count],
        [:major_faults, :kernel, :counter, :count],
        [:voluntary_switches, :kernel, :counter, :count],
        [:involuntary_switches, :kernel, :counter, :count],
        [:threads, :kernel, :gauge, :count],
        # Threads that ran for a millisecond or more since the reading before.
        [:threads_busy, :kernel, :gauge, :count],

        [:gc_count, :inside, :counter, :count],
        [:gc_major_count, :inside, :counter, :count],
        [:gc_time_ns, :inside, :counter, :ns],
        # By the clock, as JVMs report it: how long the server stood still.
        [:gc_pause_ns, :inside, :counter, :ns],
        [:allocated_objects, :inside, :counter, :count],
        [:freed_objects, :inside, :counter, :count],
        [:allocated_bytes, :inside, :counter, :bytes],
        [:heap_pages, :inside, :gauge, :count],
        [:heap_bytes, :inside, :gauge, :bytes],
        [:live_objects, :inside, :gauge, :count],
        [:jit_code_bytes, :inside, :gauge, :bytes],
        [:jit_compiled_methods, :inside, :counter, :count],
        # Blocks of methods, in versions: one for each kind of operands that a block has met.
        [:jit_compiled_blocks, :inside, :counter, :count],
        # Also by the clock, over all threads that compile, or that serve and compile.
        [:jit_elapsed_ns, :inside, :counter, :ns],
        [:jit_invalidations, :inside, :counter, :count],
        [:jit_exits, :inside, :counter, :count],
        # Instructions run by the interpreter in a process whose JIT is on.
        [:interpreted_instructions, :inside, :counter, :count],
        [:gvl_wait_ns, :inside, :counter, :ns],
        [:pool_size, :inside, :gauge, :count],
        [:pool_connections, :inside, :gauge, :count],
        [:pool_busy, :inside, :gauge, :count],
        [:pool_waiting, :inside, :gauge, :count],
      ].freeze

      # The other times are by the clock.
      CPU = %i[user_ns system_ns gc_time_ns].freeze

      # By name.
      ALL = TABLE.to_h do |name, source, kind, unit|
        [name, Measure.new(name:, source:, kind:, unit:, cpu: CPU.include?(name))]
      end.freeze

      # The names of the figures from this source.
      #: (Symbol) -> Array[Symbol]
      def self.names(source) = ALL.values.select { |one| one.source == source }.map(&:name)
    end
  end
end
