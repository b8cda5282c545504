# frozen_string_literal: true

module Mohs
  class Store
    # The part of Store for the tables of hosts that measure for others, and of their attempts at
    # cohorts. All times are the database's, since the hosts' clocks may differ.
    module Fleet
      HOST_ROW = Row.new(columns: %i[name seen_ms], facts: true)
      ATTEMPT_ROW = Row.new(
        columns: %i[id cohort_id host token started_ms ended_ms outcome], facts: true,
      )

      # How an attempt ends: it measured the cohort, gave it back (after a signal), or mohs failed.
      # An attempt without an outcome is in progress, or its host or process is gone.
      OUTCOMES = %w[done given_back failed].freeze

      # Records that a host is alive. facts: see Store::Host.
      #: (String, **untyped) -> void
      def see_host(name, **facts)
        row = HOST_ROW.pack({ name:, seen_ms: now_ms, **facts })
        transaction do
          known = host_rows.where(name:)
          known.update(row) == 1 || host_rows.insert({ facts: "{}", **row })
        end
      end

      # The hosts seen in the last `within_s` seconds (nil: ever), by name.
      #: (?within_s: Numeric?) -> Array[Store::Host]
      def hosts(within_s: nil)
        watch do
          now = now_ms
          rows = host_rows.order(:name)
          rows = rows.where { seen_ms > now - (within_s * 1000) } if within_s
          rows.map { |row| Host.of(HOST_ROW.unpack(row), silent_s: (now - row[:seen_ms]) / 1000.0) }
        end
      end

      # Names of all hosts that began a cohort of the store's runs: a host that stops is deleted,
      # its attempts stay.
      #: () -> Array[String]
      def earlier_hosts = watch { attempt_rows.distinct.order(:host).select_map(:host) }

      # Deletes a host that was taken out of service.
      #: (String) -> void
      def forget_host(name)
        watch { host_rows.where(name:).delete }
      end

      # Who holds this cohort; nil if it was deleted.
      #: (Integer) -> Store::Claim?
      def claim_of(cohort_id)
        cohorts, runs = Sequel[:cohorts], Sequel[:runs]
        row = watch do
          cohort_rows.join(:runs, id: :run_id).where(cohorts[:id] => cohort_id).select(
            *%i[run_id state token heartbeat_ms].map { |name| cohorts[name] },
            runs[:state].as(:run_state),
          ).first
        end
        row && Claim.new(**row)
      end

      # Records that the holder of `token` begins to measure a cohort on a host. Returns the
      # attempt's id.
      #: (Integer, host: String, token: String) -> Integer
      def begin_attempt(cohort_id, host:, token:)
        row = ATTEMPT_ROW.pack({ cohort_id:, host:, token:, started_ms: now_ms })
        watch { attempt_rows.insert({ facts: "{}", **row }) }
      end

      #: (Integer, String, **untyped) -> void
      def end_attempt(id, outcome, **facts)
        raise ArgumentError, "an attempt does not end as #{outcome}" unless
          OUTCOMES.include?(outcome)

        row = ATTEMPT_ROW.pack({ ended_ms: now_ms, outcome:, **facts })
        watch { attempt_rows.where(id:).update(row) }
      end

      # The attempts at one cohort, in the order of their start.
      #: (Integer) -> Array[Store::Attempt]
      def attempts(cohort_id)
        watch do
          attempt_rows.where(cohort_id:).order(:id)
                      .map { |row| Attempt.of(ATTEMPT_ROW.unpack(row)) }
        end
      end

      private

      def host_rows = @database[:hosts]
      def attempt_rows = @database[:attempts]
    end
  end
end
