# frozen_string_literal: true

module Mohs
  module Rubies
    # What engines on a JVM have in common.
    module Jvm
      # Names of the threads that compile, of which the kernel keeps 15 characters: HotSpot's two
      # compilers, Graal's, and JRuby's own, which makes bytecode of methods.
      COMPILERS = /\A(?:C[12] Compiler|JVMCI|Truffle|Ruby-\d+-JIT)/

      # What a JVM needs to warm up (Trial::WarmUp::Rule). Threads that compile starve on a shared
      # machine: four JRubies on two cores were warm after about 25 s of CPU time each and 30 000
      # requests, in 50 s (docs/method.md, table 3i). HotSpot's second compiler begins only after
      # many calls: of slow requests, two minutes of load are needed. On a core of its own, JRuby
      # had compiled a small Rack application after 75 s, but no Rails application after five
      # minutes, and TruffleRuby still compiled the small one then (docs/interpreters.md, When it is
      # warm). Idle compilers are noticed only after a third more load.
      WARM_UP = { cap_s: 1200, windows: 3, longest_s: 4, cpu_s: 10, requests: 30_000,
                  requests_s: 120, settle_s: 30, calls: 0, background: true }.freeze

      # Ruby 2.4 for MohsInside (Engines::Base). Returns figures, given java.lang.management's
      # factory, under names that JRuby and TruffleRuby share. A JVM counts bytes, not objects, and
      # measures wall-clock time, not CPU time.
      INSIDE = <<~'RUBY'
        def self.jvm_figures(factory)
          collectors = factory.getGarbageCollectorMXBeans.to_a
          full = collectors.select { |one| one.getName.to_s =~ /Old|MarkSweep/ }
          code = factory.getMemoryPoolMXBeans.to_a.select { |pool| pool.getName.to_s =~ /Code/ }
          { gc_count: collectors.map(&:getCollectionCount).reduce(:+),
            gc_major_count: full.map(&:getCollectionCount).reduce(:+),
            gc_pause_ns: collectors.map(&:getCollectionTime).reduce(:+) * 1_000_000,
            allocated_bytes: jvm_allocated_bytes(factory.getThreadMXBean),
            heap_bytes: factory.getMemoryMXBean.getHeapMemoryUsage.getUsed,
            jit_code_bytes: code.map { |pool| pool.getUsage.getUsed }.reduce(:+),
            jit_elapsed_ns: factory.getCompilationMXBean.getTotalCompilationTime * 1_000_000 }
        end

        # Of all threads since JDK 21; before, of those that live: not any more once one of them has
        # ended.
        def self.jvm_allocated_bytes(bean)
          return bean.getTotalThreadAllocatedBytes if bean.respond_to?(:getTotalThreadAllocatedBytes)

          ids = bean.getAllThreadIds
          all = ids.to_a
          @allocated_lost ||= ((@allocating || []) - all).any?
          @allocating = all
          bean.getThreadAllocatedBytes(ids).to_a.reduce(:+) unless @allocated_lost
        end
      RUBY
    end
  end
end
