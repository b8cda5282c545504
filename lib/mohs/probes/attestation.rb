# frozen_string_literal: true

module Mohs
  module Probes
    # Facts reported by a server's own processes (inside/attest.rb), and by the kernel about them.
    # Never what was asked for: a setting that can't be confirmed is listed as unattested.
    class Attestation
      SETTLE_S = 1
      POLL_S = 0.005
      REQUIRED = %i[interpreter engine version jit threads].freeze

      # inquiry: asks in the server's $MOHS_INSIDE. pids: its process tree. workers: the processes
      # in it that serve; nil: the first one serves, and every process of the tree that runs Ruby is
      # asked. threads: how many each should have (they are waited for); nil if unknown. prepare:
      # what each worker does first (Study::Variant::PREPARATIONS).
      #: (Inquiry, Array[Integer], ?workers: Array[Integer]?, ?threads: Integer?, ?prepare: Array[String]) -> Hash[Symbol, untyped]
      def self.read(inquiry, pids, workers: nil, threads: nil, prepare: [])
        attestation = new(inquiry, pids, workers, threads)
        attestation.prepare(prepare) if prepare.any?
        attestation.call
      end

      #: (Inquiry, Array[Integer], Array[Integer]?, Integer?) -> void
      def initialize(inquiry, pids, workers, threads)
        @threads = threads
        @inquiry = inquiry
        @pids = pids
        @serving = workers || pids
        @workers = workers || pids.first(1)
      end

      #: (Array[String]) -> void
      def prepare(names) = @inquiry.call("facts #{names.join(' ')}", @workers)

      # Merged over the processes that serve; values that differ between them are joined by " and ".
      #: () -> Hash[Symbol, untyped]
      def call
        facts = settled
        merged = { **interpreter(facts), **setting(facts), malloc:, workers: @workers.size,
                   processes: @pids.size }
        merged.merge(unattested: unattested(merged, facts))
      end

      private

      def interpreter(facts)
        {
          interpreter: one(facts, "description"), engine: one(facts, "engine"),
          version: one(facts, "version"), jit: one(facts, "jit"),
          flags: common(facts, "flags"), prepared: common(facts, "prepared"),
          jit_by_app: facts.filter_map { |fact| fact["jit_by_app"] }.first
                           &.transform_keys(&:to_sym),
          invokedynamic: one(facts, "invokedynamic"),
          jit_code_bytes: facts.filter_map { |fact| fact["jit_code_bytes"] }.max,
          mn_threads: one(facts, "mn"), gc: gc(facts), heap: heap(facts),
        }
      end

      def setting(facts)
        {
          threads: one(facts, "serving_threads"), threads_alive: one(facts, "threads"),
          variables: facts.first&.fetch("variables") || {}, gems: facts.first&.fetch("gems") || {},
          pool: facts.filter_map { |fact| fact["pool"] }.min,
          rails: facts.filter_map { |fact| fact["rails"] }.first&.transform_keys(&:to_sym),
        }
      end

      # Waits for the threads to start: a worker of Puma reports to its master that it has booted
      # before its threads have started, and Falcon responds before all of its threads have.
      def settled
        deadline = Clock.deadline(SETTLE_S)
        loop do
          facts = @inquiry.call("facts", @serving).values.compact
          counts = facts.map { |fact| fact["serving_threads"] }.uniq
          return facts if started?(counts) || Clock.mono_ns > deadline

          sleep POLL_S
        end
      end

      # A count is nil where threads can't be counted.
      def started?(counts)
        counts.size < 2 && (@threads.nil? || (counts.compact - [@threads]).empty?)
      end

      def one(facts, name)
        values = facts.map { |fact| fact[name] }.uniq
        return values.first if values.size < 2

        values.map { |value| value.nil? ? "unattested" : value }.join(" and ")
      end

      # What all processes have in common.
      def common(facts, name) = facts.map { |fact| fact[name].to_a }.reduce(:&).to_a

      def gc(facts)
        stats = facts.filter_map { |fact| fact["gc"] }
        sum = stats.reduce({}) { |all, stat| all.merge(stat) { |_, one, other| one + other } }
        variables = facts.first.to_h["variables"].to_h
        variables = variables.select { |name, _| name.start_with?("RUBY_GC_") }
        { variables:, stat: sum.transform_keys(&:to_sym) }
      end

      # What a virtual machine has taken for its objects, and how much of it they fill; nil for
      # engines that use the allocator.
      def heap(facts)
        found = facts.filter_map { |fact| fact["heap"] }
        %w[committed used].to_h { |name| [:"#{name}_bytes", found.sum { |one| one[name] }] } \
          if found.any?
      end

      def malloc
        found = @serving.filter_map { |pid| allocator(pid) }.uniq
        found.empty? ? nil : found.join(" and ")
      end

      # From the library that is mapped: a wrong LD_PRELOAD is only a warning in a log.
      def allocator(pid)
        Process::Allocators.of_maps(File.binread("/proc/#{pid}/maps"))
      rescue SystemCallError
        nil
      end

      # The names of unattested facts, and the number of silent processes if others did answer.
      def unattested(merged, facts)
        silent = @workers.size - facts.size
        names = REQUIRED.select { |name| merged[name].nil? }.map(&:to_s)
        names << "malloc" if merged[:malloc].nil?
        names << "settings of #{silent} of #{@workers.size} processes" if
          silent.positive? && facts.any?
        names
      end
    end
  end
end
