# frozen_string_literal: true

require "securerandom"

module Mohs
  class Store
    # The table of runs, each found by its number or by the first characters of its key: that part
    # of a store.
    module Runs
      ROW = Row.new(
        columns: %i[id key state app created_ms finished_ms label answer],
        json: %i[study plan fingerprint provenance],
      )
      KEY_BYTES = 2  # 4 hex characters: enough to be typed, and to tell a person's runs apart
      NEWEST = 5     # runs named where one is not found, or asked what they measured
      ENDS = %w[finished interrupted failed].freeze

      # A new run, with its plan's cohorts queued.
      #: (study: untyped, plan: untyped, **untyped) -> Store::Run
      def create_run(study:, plan:, fingerprint:, provenance:)
        study, plan = Plain.call(study), Plain.call(plan)
        row = ROW.pack({ app: study[:app], study:, plan:, fingerprint:, provenance: })
        transaction do
          id = run_rows.insert(**row, key: free_key, state: "planned", created_ms: now_ms)
          queue_cohorts(id, plan.fetch(:cohorts))
          run(id)
        end
      end

      # By number, or by the first characters of its key. UsageError where there is none, or more
      # than one.
      #: (Integer | String) -> Store::Run
      def run(key_or_id)
        rows = watch { matching(key_or_id).limit(2).all }
        return Run.of(ROW.unpack(rows.first)) if rows.one?

        raise UsageError, watch { rows.empty? ? unknown(key_or_id) : ambiguous(key_or_id) }
      end

      #: (Integer) -> bool
      def run?(id) = watch { !run_rows.where(id:).empty? }

      # All of them or so many, newest first. Their studies and plans take most of the time: for a
      # list, see #listed.
      #: (?limit: Integer?) -> Array[Store::Run]
      def runs(limit: nil) = watch { newest.limit(limit).map { |row| Run.of(ROW.unpack(row)) } }

      # Those whose cohorts were being measured when they were last written: what became of them
      # their cohorts tell.
      #: () -> Array[Store::Run]
      def running
        watch { newest.where(state: "running").map { |row| Run.of(ROW.unpack(row)) } }
      end

      # The files of published studies that runs after this number reproduce, { number of the run =>
      # file }, and up to which number there are runs. Reads no plans.
      #: (?after: Integer) -> [Hash[Integer, String], Integer]
      def reproductions(after: 0)
        last, rows = watch do
          last = run_rows.max(:id) || 0
          published = Sequel.like(:study, '%"published":{%')
          [last, run_rows.where(id: (after + 1)..last).where(published).order(:id)
                         .select_map(%i[id study])]
        end
        files = rows.to_h { |id, study| [id, JSON.parse(study).dig("published", "file")] }
        [files.compact, last]
      end

      # Calls a run this; nil takes its name away.
      #: (Integer, String?) -> void
      def label_run(run_id, label)
        watch { run_rows.where(id: run_id).update(label: label && Plain.call(label)) }
      end

      # The machine that a run is about, where that was not known when it began.
      #: (Integer, Hash[Symbol, untyped]) -> void
      def describe_run(run_id, fingerprint)
        watch { run_rows.where(id: run_id).update(ROW.pack({ fingerprint: })) }
      end

      # Keeps what a run answers, in a sentence: for lists, since analysing a run takes long.
      #: (Integer, String) -> void
      def answer_run(run_id, sentence)
        watch { run_rows.where(id: run_id).update(answer: Plain.call(sentence)) }
      end

      # The variants of an application's newest runs, each name once, as it was declared last.
      #: (String) -> Array[Study::Variant]
      def variants(app)
        rows = watch { newest.where(app:).limit(NEWEST).all }
        rows.flat_map { |row| Run.of(ROW.unpack(row)).study.variants }.uniq(&:name)
      end

      # `state` is finished, interrupted or failed; a cohort that is claimed makes the run running.
      # One that has finished stays so, and when it did, whoever resumes it.
      #: (Integer, String | Symbol) -> void
      def finish_run(run_id, state)
        raise ArgumentError, "a run does not end as #{state}" unless ENDS.include?(state.to_s)

        ended = { state: state.to_s, finished_ms: now_ms }
        watch { run_rows.where(id: run_id).exclude(state: "finished").update(ended) }
      end

      # Replaces the plan of a run that is under way: of its queued cohorts those that the new plan
      # has no more are gone, the others get its entry, and new ones are queued. What was begun
      # stays.
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

      # Longer if short keys have run out; the unique index decides between two processes.
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
