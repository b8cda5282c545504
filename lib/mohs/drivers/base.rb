# frozen_string_literal: true

require "set"

module Mohs
  module Drivers
    # A driver sends requests to targets and records each of them. A member has:
    #
    #   .new(targets:, threads: 1, cpus: nil, seed: 0, capacity: 100_000, paced: false)
    #       targets: [Load::Target]; threads share the connections and are pinned to `cpus` in
    #       turn; `seed` of the request mixes; `capacity`: requests expected on each target, for
    #       which memory is allocated (more are recorded, too); `paced`: measures the speed of the
    #       cores that it runs on, if it can (`thread_stats` of Load::StepResult)
    #   #carry_out(steps) { |live| }  private; does the steps, may raise what the block raises
    #   #result(step index, target index)  private; its Load::StepResult, nil if it never began
    #   #watch(target index, pids)  processes whose CPU time the results report
    #   #recording(target index)  a Load::Recording of all requests so far
    #   #epoch_ns  the zero of its records' due_ns, on the monotonic clock
    #   #summary(target index)  what is known about its latencies: the recording, or Load::Summary
    #   #first_failed(target index)  its first wrong response, a Load::FailedResponse, or nil
    #   #handshakes(target index)  over TLS, as in Load::Result#tls; nil without TLS
    #   #close  ends connections; recordings stay readable
    #
    # Connections live from one step to the next, and from one #run to the next.
    #
    # Members that are other tools (drivers/peer/base.rb) can do less, and declare what they can do:
    #
    #   .capabilities  Set of what it can do, from ALL
    #   .caveat        what to know about its figures, a sentence, or nil
    class Base
      extend Family::Member

      # The capabilities; drivers/peer/limits.rb has them in words.
      ALL = Set[:targets, :mix, :unix, :sources, :closing, :close_for_a_time, :checks, :statuses,
                :slices, :arrivals, :count, :duration, :fractions, :remainder, :uneven, :fewer,
                :lines, :threads, :recording, :secrets].freeze
      LONGEST_NS = Core::LONGEST_DUE_NS # the largest due_ns of a record

      #: () -> Set[Symbol]
      def self.capabilities = ALL

      #: () -> String?
      def self.caveat = nil

      attr_reader :targets

      # Sets the scheduling class of its threads for the next runs (Process::Shield), if it has
      # threads of its own.
      #: (Integer) -> void
      def sched_class=(_sched_class); end

      # The lowest scheduling class that one of its threads had in the last #run, read from the
      # kernel; nil if it has no threads of its own.
      #: () -> Integer?
      def sched_class = nil

      # Pins its threads, if it has its own, from now on: as many CPUs as it was created with.
      #: (Array[Integer]) -> void
      def pin(_cpus) = nil

      # Can a step of the last #run become warm-up after all (#set_aside(result))?
      #: () -> bool
      def sets_aside? = false

      #: (Integer) -> Hash[Symbol, Integer?]?
      def handshakes(_index) = nil

      #: (Integer) -> (Load::Recording | Load::Summary)
      def summary(index) = recording(index)

      # Does the steps back to back; yields a Load::Live about every 100 ms. If the block or an
      # interrupt raises, the load ends within 100 ms, and what was measured until then stays in
      # #results and #recording.
      #: (Array[Load::Step]) ?{ (Load::Live) -> void } -> Array[Load::StepResult]
      def run(steps, &block)
        @steps = []
        steps.each { |step| verify(step) }
        @steps = steps
        carry_out(steps, &block)
        results
      end

      # Results of the last #run: one for each step that began and each of its targets, in this
      # order.
      #: () -> Array[Load::StepResult]
      def results
        @steps.each_with_index.flat_map do |step, index|
          step.targets.map { |target| result(index, target) }
        end.compact
      end

      private

      def verify(step)
        one = [step.duration_ns, step.count].compact
        good = one.size == 1 && one[0].positive?
        raise ArgumentError, "a step has a duration or a count, above 0: #{step}" unless good

        verify_time(step)
        verify_arrivals(step)
        known = (0...targets.size).to_a
        return if step.targets.any? && (step.targets - known).empty?

        raise ArgumentError, "a step names targets from 0 to #{known.last}: #{step.targets}"
      end

      def verify_arrivals(step)
        return unless step.arrivals&.ramp? && !step.duration_ns

        raise ArgumentError, "a rate that changes needs a duration, not a count: #{step}"
      end

      def verify_time(step)
        return if step.duration_ns.nil? || step.duration_ns.between?(0, LONGEST_NS)

        raise ArgumentError, "a step takes 78 hours at most: #{step}"
      end
    end
  end
end
