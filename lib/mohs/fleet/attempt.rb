# frozen_string_literal: true

module Mohs
  module Fleet
    # One try of this host at a cohort. Whoever starts it knows that nobody else tries: the queue of
    # the fleet holds the job for one worker at a time, and gives it to another once that one's
    # session has ended, as Slurm starts a job again once its node is gone. So a cohort that
    # somebody still seems to hold is taken over at once. What a former holder finishes after all is
    # dropped, by its token (Store#finish_cohort).
    class Attempt
      # A cohort that has killed this many processes may kill the host: it is given up.
      DEATHS = 3

      # measure: measures it; says whether it is done then.
      #: (store: Store, cohort_id: Integer, host: String, measure: ^(Store::Cohort) -> bool) -> void
      def initialize(store:, cohort_id:, host:, measure:)
        @store = store
        @cohort_id = cohort_id
        @host = host
        @measure = measure
      end

      # A mohs without a fleet records no attempts: it counts as alive while its heartbeat is newer
      # than this.
      HEARTBEAT_STALE_MS = 15_000

      # What became of it: "done" (now, or before), "over" (its run ended without it, or was
      # deleted), "elsewhere" (another process of this host measures it, or a mohs without a fleet)
      # or "parked" (too many tries have died).
      #: () -> String
      def call
        return "over" unless @store.cohort?(@cohort_id)

        cohort = @store.cohort(@cohort_id)
        return "done" unless cohort.queued? || cohort.running?

        run = @store.run(cohort.run_id)
        return "over" unless %w[planned running].include?(run.state)
        return "elsewhere" if cohort.token && Mohs::Cohort::Token.holder(cohort.token)
        return "elsewhere" if held_without_fleet?(cohort)

        @store.take_back(@cohort_id)
        spent.size >= DEATHS ? park : measure(run, cohort)
      end

      private

      # Does a mohs on another host measure the run by itself, as `mohs resume` does?
      def held_without_fleet?(cohort)
        return false unless cohort.running? && cohort.heartbeat_ms
        return false if @store.attempts(cohort.id).any? { |one| one.token == cohort.token }

        @store.now_ms - cohort.heartbeat_ms < HEARTBEAT_STALE_MS
      end

      # Those that ended without a result, or never did.
      def spent
        @store.attempts(@cohort_id).select { |one| one.open? || one.outcome == "failed" }
      end

      def measure(run, cohort)
        @store.describe_run(run.id, Probes::Host.fingerprint) if run.fingerprint.empty?
        id = begun
        done = @measure.call(cohort)
        @store.end_attempt(id, done ? "done" : "given_back")
        done ? "done" : "elsewhere"
      rescue SignalException
        @store.end_attempt(id, "given_back") if id
        raise
      rescue Error => error
        @store.end_attempt(id, "failed", reason: error.message) if id
        raise
      end

      def begun
        ahead_ms = Clock.real_ms - @store.now_ms
        @store.begin_attempt(@cohort_id, host: @host, token: Mohs::Cohort::Token.own,
                                         clock_ms: ahead_ms)
      end

      # Its reasons are the attempts.
      def park
        token = Mohs::Cohort::Token.own
        return "elsewhere" unless @store.claim(@cohort_id, token)

        tries = spent.map { |one| { host: one.host, reason: one.reason }.compact }
        @store.finish_cohort(@cohort_id, "failed", token:, host: { parked: tries })
        "parked"
      end
    end
  end
end
