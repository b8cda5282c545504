# frozen_string_literal: true

require "securerandom"

module Mohs
  class Store
    # The part of Store for the table of runs. A run is found by its id or by the first characters
    # of its key.
    module Runs
      ROW = Row.new(
        columns: %i[id key state app created_ms finished_ms label answer procedure],
        json: %i[study plan fingerprint provenance],
      )
      KEY_BYTES = 2  # 4 hex characters: quick to type, and enough for one person's runs
      NEWEST = 5     # runs named if a key is not found, or whose variants are offered
      ENDS = %w[finished interrupted failed].freeze

      # Stores a new run and queues the cohorts of its plan.
      #: (study: untyped, plan: untyped, **untyped) -> Store::Run
      def create_run(study:, plan:, fingerprint:, provenance:)
        study, plan = Plain.call(study), Plain.call(plan)
        row = ROW.pack({ app: study[:app], study:, plan:, fingerprint:, provenance:,
                         procedure: Procedure.kind(study)::NAME })
        transaction do
          id = run_rows.insert(**row, key: free_key, state: "planned", created_ms: now_ms)
          queue_cohorts(id, plan.fetch(:cohorts))
          run(id)
        end
      end

      # Finds a run by its id, or by the first characters of its key. Raises UsageError if none or
      # several match.
      #: (Integer | String) -> Store::Run
      def run(key_or_id)
        rows = watch { matching(key_or_id).limit(2).all }
        return Run.of(ROW.unpack(rows.first)) if rows.one?

        raise UsageError, watch { rows.empty? ? unknown(key_or_id) : ambiguous(key_or_id) }
      end

      #: (Integer) -> bool
      def run?(id) = watch { !run_rows.where(id:).empty? }

      # All runs or the newest `limit`, newest first. Loading studies and plans takes most of the
      # time: for a list, use #listed.
      #: (?limit: Integer?) -> Array[Store::Run]
      def runs(limit: nil) = watch { newest.limit(limit).map { |row| Run.of(ROW.unpack(row)) } }

      # The runs whose stored state is running, newest first. Their cohorts tell whether they still
      # are.
      #: () -> Array[Store::Run]
      def running
        watch { newest.where(state: "running").map { |row| Run.of(ROW.unpack(row)) } }
      end

      # { id of a run => its rules } for the runs of a procedure with ids above `after`, and the
      # highest id of a run. Reads no plans.
      #: (String, ?after: Integer) -> [Hash[Integer, Procedure::Rules], Integer]
      def rules_of(procedure, after: 0)
        last, rows = watch do
          last = run_rows.max(:id) || 0
          [last, run_rows.where(id: (after + 1)..last, procedure:).order(:id)
                         .select_map(%i[id study])]
        end
        [rows.to_h { |id, study| [id, rules(study)] }, last]
      end

      # Names a run; nil removes its name.
      #: (Integer, String?) -> void
      def label_run(run_id, label)
        watch { run_rows.where(id: run_id).update(label: label && Plain.call(label)) }
      end

      # Stores the fingerprint of the machine that a run is about, if it was not known when the run
      # began.
      #: (Integer, Hash[Symbol, untyped]) -> void
      def describe_run(run_id, fingerprint)
        watch { run_rows.where(id: run_id).update(ROW.pack({ fingerprint: })) }
      end

      # Stores a run's result in one sentence: for lists, since analysing a run takes long.
      #: (Integer, String) -> void
      def answer_run(run_id, sentence)
        watch { run_rows.where(id: run_id).update(answer: Plain.call(sentence)) }
      end

      # The variants of an application's newest runs, one for each name, as declared last.
      #: (String) -> Array[Study::Variant]
      def variants(app)
        rows = watch { newest.where(app:).limit(NEWEST).all }
        rows.flat_map { |row| Run.of(ROW.unpack(row)).study.variants }.uniq(&:name)
      end

      # `state` is finished, interrupted or failed; claiming a cohort makes a run running. A
      # finished run keeps its state and end, whoever resumes it.
      #: (Integer, String | Symbol) -> void
      def finish_run(run_id, state)
        raise ArgumentError, "a run does not end as #{state}" unless ENDS.include?(state.to_s)

        ended = { state: state.to_s, finished_ms: now_ms }
        watch { run_rows.where(id: run_id).exclude(state: "finished").update(ended) }
      end

      # Replaces the plan of a run in progress: queued cohorts that the new plan doesn't have are
      # deleted, the other queued cohorts get its entries, and new cohorts are queued. Cohorts that
      # have begun stay.
      #: (Integer, untyped) -> void
      def replan(run_id, plan)
        plan = Plain.call(plan)
        specs = plan.fetch(:cohorts).to_h { |spec| [spec.fetch(:position), spec] }
        transaction do
          run_rows.where(id: run_id).update(ROW.pack({ plan: }))
          requeue_cohorts(run_id, specs)
        end
      end

      private

      def run_rows = @database[:runs]

      def newest = run_rows.reverse(:id)

      def rules(study)
        study = JSON.parse(study, symbolize_names: true)
        Procedure.kind(study).stored(study)
      end

      def matching(key_or_id)
        return run_rows.where(id: key_or_id) if key_or_id.is_a?(Integer)

        prefix = key_or_id.to_s.downcase
        exact = run_rows.where(key: prefix)
        exact.empty? ? newest.where(Sequel.like(:key, "#{run_rows.escape_like(prefix)}%")) : exact
      end

      def unknown(key)
        known = newest.limit(NEWEST).select_map(:key)
        return "no run #{key}: nothing has been measured yet. Type mohs." if known.empty?

        "no run begins with #{key.inspect}. The newest are #{known.join(', ')} (mohs list)."
      end

      def ambiguous(key)
        keys = matching(key).limit(NEWEST).select_map(:key)
        "several runs begin with #{key.inspect}: #{keys.join(', ')}. Type more of the key."
      end

      # Longer if all short keys are taken; the unique index decides between two processes.
      def free_key
        (KEY_BYTES..).each do |bytes|
          keys = Array.new(8) { SecureRandom.hex(bytes) }
          free = keys - run_rows.where(key: keys).select_map(:key)
          return free.first if free.any?
        end
      end
    end
  end
end
