# frozen_string_literal: true

require "mohs/core"

module Mohs
  module Agent
    # Core::Engine, but for its scheduling and its CPUs, as the other end of a Link has it. Steps
    # are done one after the other, so that the CPU time of watched processes, which are here, can
    # be read between them.
    class Engine
      #: (Agent::Link, **untyped) -> void
      def initialize(link, **options)
        @link = link
        @watched = {}
        @results = []
        @lost = 0
        far_ns = link.ask(do: "engine", options:).fetch(:epoch_ns)
        @epoch_ns = far_ns - link.ahead_ns
      end

      # By the clock of this machine, as far as it is known (Link#ahead_ns).
      #: () -> Integer
      attr_reader :epoch_ns

      # The most of one step.
      #: () -> Float?
      attr_reader :steal_share

      #: (Integer, Array[Integer]) -> void
      def watch(index, pids) = @watched[index] = pids

      #: (Array[Hash[Symbol, untyped]]) ?{ (Hash[Symbol, untyped]) -> void } -> void
      def run(steps)
        @results = []
        @steal_share = nil
        steps.each_with_index do |step, number|
          carry_out(step) { |live| yield live.merge(step: number) if block_given? }
        end
      end

      #: (Integer, Integer) -> Hash[Symbol, untyped]?
      def result(step, target) = @results.dig(step, target)

      #: (Integer) -> Core::Records
      def records(target) = Core::Records.of(Core::Codec.decode(fetched(target).fetch(:records)))

      #: (Integer) -> Core::Records
      def unsent(target) = Core::Records.of(Core::Codec.decode(fetched(target).fetch(:unsent)))

      #: (Integer) -> Hash[Symbol, untyped]?
      def failed_response(target)
        @link.ask(do: "failed_response", target:)[:failed_response]
      end

      #: () -> Integer
      def lost_records = @lost

      #: () -> void
      def close = (@link.ask(do: "close") unless @link.over?)

      private

      # What was done of it counts, whatever ends it.
      def carry_out(step, &)
        @fetched = nil
        before = cpu(step)
        answer = @link.ask({ do: "run", step: }, &)
      ensure
        answer ||= @link.stop
        keep(step, answer, before, cpu(step)) if answer
      end

      def keep(step, answer, before, after)
        @lost = answer.fetch(:lost)
        @steal_share = [@steal_share, answer[:steal_share]].compact.max
        @results << step[:targets].zip(answer.fetch(:results)).to_h do |target, facts|
          [target, facts && { **facts, **spent(before[target], after[target]) }]
        end
      end

      # As Core::Engine has them.
      def spent(before, after)
        each = before.zip(after).map { |one, other| other - one if one && other }
        { cpu_ns: (each.sum if each.any? && each.all?),
          processes_cpu_ns: (each if each.any?) }
      end

      # Ns of each of the targets' watched processes; nil for one that is gone.
      def cpu(step)
        step[:targets].to_h { |target| [target, Probes::Cpu.clocks_ns(@watched[target].to_a)] }
      end

      def fetched(target)
        @fetched ||= {}
        @fetched[target] ||= @link.ask(do: "recording", target:)
      end
    end
  end
end
