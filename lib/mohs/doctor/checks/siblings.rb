# frozen_string_literal: true

module Mohs
  module Doctor
    module Checks
      # Whether the driver's CPU is a hyperthread of one that the server runs on: then each slows
      # the other down. (What a hypervisor hides can't be seen.)
      class Siblings < Base
        LABEL = "hyperthreads"
        SWITCH = "/sys/devices/system/cpu/smt/control"

        private

        def judge
          server, driver = Process::CpuSet.plan(facts.cpus).values_at(:server, :driver)
          return ok("none", "one core for all") if server == driver

          lists = driver.map { |cpu| siblings(cpu) }
          return unknown("the kernel does not tell which CPUs share a core") if lists.include?(nil)

          shared = lists.flatten & server
          return ok("apart", "driver and server have cores of their own") if shared.empty?

          shared(driver.first, shared)
        end

        def shared(driver, server)
          warn("shared", "the driver's CPU #{driver} shares a core with the server's " \
                         "#{server.join(', ')}",
               remedy:)
        end

        # With two CPUs on one core, a single CPU would be left.
        def remedy
          return "use a host with two whole cores or more" if facts.cpus.size < 4

          "echo off | sudo tee #{SWITCH} (on again: echo on)"
        end

        # "0-1,4" as numbers.
        def siblings(cpu)
          list = reader.text("sys/devices/system/cpu/cpu#{cpu}/topology/thread_siblings_list")
          list&.split(",")&.flat_map do |range|
            first, last = range.split("-").map(&:to_i)
            (first..(last || first)).to_a
          end
        end
      end
    end
  end
end
