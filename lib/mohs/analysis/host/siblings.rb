# frozen_string_literal: true

module Mohs
  module Analysis
    module Host
      # Whether the driver's CPU is a hyperthread of one that the server runs on: then each slows
      # the other down. (What a hypervisor hides can't be seen.)
      class Siblings < Base
        LABEL = "hyperthreads"
        # With fewer CPUs, a single one would be left without hyperthreads.
        ENOUGH = 4

        SHARED = "the driver's CPU %{driver} shares a core with the server's %{server|list}"

        WORDS = {
          single: "one core for all",
          apart: "driver and server have their own cores",
          shared: SHARED,
          shared_by_all: SHARED,
          unknown: "the kernel does not report which CPUs share a core",
        }.freeze
        REMEDIES = {
          shared: "echo off | sudo tee /sys/devices/system/cpu/smt/control (on again: echo on)",
          shared_by_all: "use a host with two whole cores or more",
        }.freeze

        private

        def judge
          server, driver = facts[:places].values_at(:server, :driver)
          return pass(:single, value: "none") if server == driver

          lists = driver.map { |cpu| facts[:siblings][cpu] }
          return unknown if lists.include?(nil)

          shared = lists.flatten & server
          return pass(:apart, value: "apart") if shared.empty?

          kind = facts[:cpus].size < ENOUGH ? :shared_by_all : :shared
          warn(kind, value: "shared", driver: driver.first, server: shared)
        end
      end
    end
  end
end
