# frozen_string_literal: true

module Mohs
  module Fleet
    # The jobs of the fleet, in Que: rows of the store's own database, which a worker holds by a
    # lock of its session. When its process or host is gone the session ends, and the next worker
    # has the job. To submit or withdraw one a second time changes nothing. The contract of its
    # methods is at the head of Coordinator.
    class Queue
      VERSIONS = Gem::Requirement.new("~> 2.4")

      # Jobs locked at once: the lock table holds 64 locks (max_locks_per_transaction) per allowed
      # session, shared by all.
      LOCKS = 1_000

      # Que 2.4 passes an option that JSON 3 does not have: what it forbids, JSON does not do any
      # more.
      module PlainJson
        #: (String) -> untyped
        def deserialize_json(text) = JSON.parse(text, symbolize_names: true)
      end

      # The gem is loaded by those who use a fleet alone.
      #: () -> void
      def self.load
        require "que"
        ::Que.extend(PlainJson)
        return if VERSIONS.satisfied_by?(Gem::Version.new(::Que::VERSION))

        raise EnvironmentError, "a fleet needs the gem que #{VERSIONS}; #{::Que::VERSION} was " \
                                "loaded: gem install que -v '#{VERSIONS}'"
      rescue LoadError
        raise EnvironmentError, "a fleet needs the gem que: gem install que -v '#{VERSIONS}'"
      end

      # Raises EnvironmentError without a store that hosts share, or without Que.
      #: (Store) -> void
      def initialize(store)
        @store = store
        Fleet.shared(store)
        self.class.load
        store.beside do |database|
          ::Que.connection = database
          database.transaction { migrate(database) }
        end
      end

      # ids: of cohorts, for the first host of this queue that is free.
      #: (Array[Integer], queue: String) -> void
      def submit(ids, queue:)
        @store.beside do |database|
          database.transaction do
            known = waiting(database, ids).select_map(Sequel.lit("(args->>0)::bigint"))
            (ids - known).each { |id| CohortJob.enqueue(id, job_options: { queue: }) }
          end
        end
      end

      # A worker that measures one goes on with it, until it finds that it is not wanted.
      #: (Array[Integer]) -> void
      def withdraw(ids)
        @store.beside { |database| waiting(database, ids).delete } if ids.any?
      end

      # Whoever begins a job has its lock before the store knows of it.
      #: (Array[Integer]) -> Array[Integer]
      def recall(ids) = ids.each_slice(LOCKS).flat_map { |some| recall_part(some) }

      # Of these cohorts those that no job works on any more: none, since a job stays until its
      # cohort is done.
      #: (Array[Integer]) -> Array[Integer]
      def gone(_ids) = []

      # Of these queues those that a worker of this version is there for: a host may be updated.
      #: (Array[String]) -> Array[String]
      def working(names)
        there = @store.hosts(within_s: Store::Host::SILENT_S).select(&:same_version?)
                      .flat_map(&:queues)
        names.select { |name| there.include?(name) }
      end

      private

      # PostgreSQL is free to try a lock before it looks at any other condition, and so to lock the
      # jobs of all runs: what is chosen first is materialized (PostgreSQL 12).
      def recall_part(ids)
        @store.beside do |database|
          free = database[:chosen].where(Sequel.function(:pg_try_advisory_xact_lock, :id))
          database[:que_jobs]
            .with(:chosen, waiting(database, ids).select(:id), materialized: true)
            .with(:free, free.select(:id), materialized: true)
            .where(id: database[:free].select(:id))
            .returning(Sequel.lit("(args->>0)::bigint").as(:cohort))
            .delete.map { |job| job[:cohort] }
        end
      end

      def waiting(database, ids)
        database[:que_jobs].where(job_class: CohortJob.name, finished_at: nil, expired_at: nil)
                           .where(Sequel.lit("(args->>0)::bigint") => ids)
      end

      # Two that begin at once.
      def migrate(database)
        database.get(Sequel.function(:pg_advisory_xact_lock, Store::Schema::ADVISORY_LOCK))
        ::Que.migrate!(version: ::Que::Migrations::CURRENT_VERSION) unless
          database.table_exists?(:que_jobs)
      end
    end
  end
end
