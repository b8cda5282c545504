# frozen_string_literal: true

module Mohs
  module Fleet
    # One try of this host at a cohort. Whoever starts it knows that nobody else tries: the queue of
    # the fleet holds the job for one worker at a time, and gives it to another once that one's
    # session has ended, as Slurm starts a job again once its node is gone. So a cohort that
    # somebody still seems to hold is taken over at once. What a former holder finishes after all is
    # dropped, by its token (Store#finish_cohort).
    class Attempt
      # After this many tries without a result a cohort is given up: it may be what kills them.
      DEATHS = 3

      # Names of the hosts at which a cohort failed or ended its process.
      #: (Store, Integer) -> Array[String]
      def self.failed_at(store, cohort_id)
        store.attempts(cohort_id).select(&:spent?).map(&:host).uniq
      end

      # measure: measures it; says whether it is done then. nil: it is measured in another process.
      #: (store: Store, cohort_id: Integer, host: String, ?measure: (^(Store::Cohort) -> bool)?) -> void
      def initialize(store:, cohort_id:, host:, measure: nil)
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
      def call = settled || measure

      # The same if it needs no try, else nil. It reads nothing that a mohs of another version may
      # have written in its own way.
      #: () -> String?
      def settled
        claim = @store.claim_of(@cohort_id)
        return "over" unless claim
        return "done" unless claim.open?
        return "over" unless claim.wanted?
        return "elsewhere" if claim.token && Mohs::Cohort::Token.holder(claim.token)
        return "elsewhere" if held_without_fleet?(claim)

        @store.take_back(@cohort_id)
        park if spent.size >= DEATHS
      end

      # Records a try whose process has ended before it could do so itself. Not recorded once there
      # are enough: a cohort that can't even be given up is retried every two seconds.
      #: (StandardError) -> void
      def record_failure(error)
        failed(begun, error) if spent.size < DEATHS
      end

      private

      # Does a mohs on another host measure the run by itself, as `mohs resume` does?
      def held_without_fleet?(claim)
        return false unless claim.state == "running" && claim.heartbeat_ms
        return false if @store.attempts(@cohort_id).any? { |one| one.token == claim.token }

        @store.now_ms - claim.heartbeat_ms < HEARTBEAT_STALE_MS
      end

      def spent = @store.attempts(@cohort_id).select(&:spent?)

      # The attempt begins before anything is read that may be unreadable here: what fails without
      # one would be tried for ever.
      def measure
        id = begun
        done = @measure.call(described)
        @store.end_attempt(id, done ? "done" : "given_back")
        done ? "done" : "elsewhere"
      rescue SignalException
        @store.end_attempt(id, "given_back") if id
        raise
      rescue StandardError => error
        failed(id, error) if id
        raise
      end

      # The cohort. Its run is about this machine if it does not know of any yet.
      def described
        cohort = @store.cohort(@cohort_id)
        run = @store.run(cohort.run_id)
        @store.describe_run(run.id, Probes::Host.fingerprint) if run.fingerprint.empty?
        cohort
      end

      # What is no error of ours says little without its class.
      def failed(id, error)
        reason = error.is_a?(Error) ? error.message : "#{error.class}: #{error.message}"
        @store.end_attempt(id, "failed", reason:)
      end

      def begun
        @store.begin_attempt(@cohort_id, host: @host, token: Mohs::Cohort::Token.own)
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
