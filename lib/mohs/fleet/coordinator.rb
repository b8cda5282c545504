# frozen_string_literal: true

module Mohs
  module Fleet
    # Runs a run on other hosts: submits the cohorts known so far, follows them in the store, and
    # decides what to measure next. It measures nothing itself, and at its end it withdraws the
    # cohorts that no host has begun.
    #
    # Its queue, Fleet::Queue or Fleet::Slurm, has five methods. ids are numbers of cohorts.
    #
    #   submit(ids, queue:)  makes a job of each for the hosts of that queue. Raises
    #                        EnvironmentError if none can be made, which ends the run. A job that
    #                        is refused for now is gone.
    #   withdraw(ids)        deletes their jobs: nobody begins one any more. Safe to call again.
    #   recall(ids)          deletes those of their jobs that no host works on, to be submitted
    #                        elsewhere; the ids of these.
    #   gone(ids)            those of them that no job works on any more, whatever became of them:
    #                        whichever is not done is submitted again.
    #   working(names)       those of these queues that some host works on.
    class Coordinator < Runner
      POLL_S = 0.5

      # Cohorts of a run that ends at a look that are handed out beyond one for each host: so that
      # none waits for the next look.
      AHEAD = 1

      # queue: a Fleet::Queue or Fleet::Slurm. names: of the queues of those hosts that may measure
      # this run, each as often as hosts work on it; for Slurm, its Places.
      #: (queue: untyped, names: Array[untyped], **untyped) -> void
      def initialize(queue:, names:, **others)
        super(**others)
        @queue = queue
        @hosts = names
        @names = names
        @cohorts = []
        @handed_out = {}
        @measuring = {}
        @hosts_left = true
      end

      # After Ctrl-C, hosts go on with the cohorts that they have begun.
      #: () -> Analysis::Run
      def call = super.tap { |run| report_unfinished if run.state == "interrupted" }

      private

      # Each host has its own, and says itself what changed there.
      def with_services = yield(nil)

      def changes = nil

      # Cohorts take the time of as many hosts as there are.
      def timekeeper = nil

      def measure(_data)
        observe
        until (open = ahead).empty? && idle?
          hand_out(open)
          check_hosts
          sleep POLL_S
          observe
        end
      ensure
        @queue.withdraw(@handed_out.keys)
      end

      # Asked when nothing is left to hand out. What was begun since the last look is under way now,
      # and what has ended may have brought more to do.
      def idle?
        return false if under_way.any?

        observe
        under_way.empty? && ahead.empty?
      end

      # Decisions about what to measure, and when to end, rest on what is done.
      def ahead
        return [] if @procedure.plans_as_it_goes? && under_way.any? && @cohorts.none?(&:queued?)
        return waiting unless @procedure.ends_at_a_look?

        waiting.first([@names.size + AHEAD - under_way.size, 0].max)
      end

      def under_way = @cohorts.select(&:running?)

      # In turn to each queue.
      def hand_out(open)
        new = open.reject { |cohort| @handed_out.key?(cohort.id) }
        new.group_by { |cohort| queue_of(cohort) }.each do |queue, cohorts|
          cohorts.each { |cohort| @handed_out[cohort.id] = queue }
          @queue.submit(cohorts.map(&:id), queue:)
        end
      end

      def queue_of(cohort) = @names[cohort.position % @names.size]

      # Reports once that the last host is gone, and again if another came and went. While other
      # hosts work, they get the cohorts that were bound to a lost one, until it comes back.
      def check_hosts
        working = @queue.working(@hosts)
        report(:fleet_silent, awaited) if @hosts_left && working.empty?
        @hosts_left = working.any?
        use(working) if @hosts_left && working != @names
        drop
      end

      def awaited
        { version: VERSION, hosts: @hosts.filter_map { |queue| Fleet.host_of(queue) }.uniq }
      end

      def use(names)
        back = names - @names
        @names = names
        move_queued if back.any?
      end

      # What is bound to a host that has left, as far as no session holds it. The heartbeat of a
      # living host may be late; then its session may still end, so all looks see to that.
      def drop
        bound = @cohorts.select do |one|
          queue = @handed_out[one.id]
          queue && (one.queued? || one.running?) && !@names.include?(queue)
        end
        take_back(@queue.recall(bound.map(&:id))) if bound.any?
      end

      # To the hosts that they would have been given to now. One that has been begun stays with its
      # host: another would take it over.
      def move_queued
        elsewhere = @cohorts.select do |one|
          one.queued? && ![nil, queue_of(one)].include?(@handed_out[one.id])
        end
        moved = @queue.recall(elsewhere.map(&:id))
        @handed_out = @handed_out.except(*moved)
        hand_out(elsewhere.select { |one| moved.include?(one.id) })
      end

      # Reports what has changed since the last look, and takes back what nobody works on. Jobs are
      # looked at first: whoever has ended by then has written its result. That another host has
      # taken a cohort over may show by its token alone.
      def observe
        gone = @queue.gone(@handed_out.keys)
        before, @cohorts = @cohorts.to_h { |one| [one.id, one] }, @store.cohorts(@run_id)
        @cohorts.each do |cohort|
          known = before[cohort.id] or next
          taken = known.running? && cohort.token != known.token
          left(cohort, known) if taken
          changed(cohort) if taken || known.state != cohort.state
        end
        take_back(gone)
      end

      # To be handed out once more.
      def take_back(ids)
        open = @cohorts.select { |one| ids.include?(one.id) && (one.queued? || one.running?) }
        open.each { |cohort| @store.take_back(cohort.id) }
        @handed_out = @handed_out.except(*open.map(&:id))
      end

      def changed(cohort)
        return if cohort.queued?

        facts = { **facts(cohort), host: @store.attempts(cohort.id).last&.host }
        return report(:cohort_finished, { **facts, run: reread }) unless cohort.running?

        @measuring[cohort.id] = facts[:host]
        report(:cohort_started, facts)
      end

      def facts(cohort)
        { cohort: cohort.position, of: @cohorts.size, round: cohort.round,
          variants: cohort.spec.variants }
      end

      # Reports the host that did not finish a cohort, with the reason if it gave one; not if the
      # cohort was given up, which ends with the reasons of all.
      def left(cohort, known)
        host = @measuring.delete(cohort.id)
        return if host.nil? || cohort.state == "failed"

        attempt = @store.attempts(cohort.id).find { |one| one.token == known.token }
        report(:host_left, { host:, round: cohort.round, reason: attempt&.reason })
      end

      def report_unfinished
        oldest = @store.now_ms - (Store::STALE_S * 1000)
        going = @store.cohorts(@run_id).select { |one| one.running? && one.heartbeat_ms > oldest }
        return if going.empty?

        hosts = going.filter_map { |one| @store.attempts(one.id).last&.host }.uniq.sort
        report(:fleet_unfinished, { cohorts: going.size, hosts:, key: @run.stored.key })
      end
    end
  end
end
