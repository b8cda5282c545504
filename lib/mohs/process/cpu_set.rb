# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Process
    # Which CPUs the server and the driver run on.
    module CpuSet
      # A process may start threads while its others are being moved.
      PASSES = 3

      module_function

      # The CPUs that this process may use: an affinity mask or a container may leave fewer than
      # there are.
      #: () -> Array[Integer]
      def available = Core.affinity(0)

      # The driver gets the last CPU, the server all others; with a single CPU they share it.
      #: (?Array[Integer]) -> Hash[Symbol, Array[Integer]]
      def plan(cpus = available)
        return { server: cpus, driver: cpus } if cpus.size < 2

        { server: cpus[0..-2], driver: cpus.last(1) }
      end

      # Moves all threads of `pids` to `cpus`. One that ends meanwhile needs no moving.
      #: (Array[Integer], Array[Integer]) -> void
      def pin(pids, cpus)
        PASSES.times { pids.flat_map { |pid| threads(pid) }.each { |tid| move(tid, cpus) } }
      end

      # While the block runs, mohs itself keeps to `cpus`, where there are any.
      #: [T] (Array[Integer]) { () -> T } -> T
      def keep_to(cpus)
        before = available
        pin([::Process.pid], cpus) if cpus.any?
        yield
      ensure
        pin([::Process.pid], before)
      end

      def threads(pid)
        Dir.children("/proc/#{pid}/task").map(&:to_i)
      rescue Errno::ENOENT, Errno::ESRCH
        []
      end
      private_class_method :threads

      def move(tid, cpus)
        Core.set_affinity(tid, cpus)
      rescue Errno::ESRCH
        nil
      end
      private_class_method :move
    end
  end
end
