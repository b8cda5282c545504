# frozen_string_literal: true

# The tables of 0.1.0, whose stores begin with this number. Released migrations are never edited: a
# change is a new file. Text columns called *_json in docs/store.md hold JSON on both databases, so
# that one code path reads them. Times of day are _ms since the epoch, other times integer _ns.
#
# runs: `label` is a user's name for the run, `answer` its result in one sentence, for lists,
# `procedure` that by which its study was measured, so that those of one are found without reading
# their studies.
# cohorts: `look` is the interim result of a comparison after this cohort. slices: `span_ns` is the
# time that its correct responses take at the rate of its load (Load::StepResult). profiles: samples
# of a trial's stacks, deflated JSON (Profile#dump). points: of histories (mohs track), one for each
# run, which may be deleted later. hosts measure for others (mohs worker), attempts are theirs at a
# cohort. packs: applications' folders that a fleet's hosts unpack (App::Pack), by their checksums.
Sequel.migration do
  change do
    create_table(:runs) do
      primary_key :id, type: :Bignum
      String :key, null: false, unique: true
      String :state, null: false
      String :app, text: true
      Bignum :created_ms, null: false
      Bignum :finished_ms
      String :study, text: true, null: false
      String :plan, text: true, null: false
      String :fingerprint, text: true, null: false
      String :provenance, text: true, null: false
      String :label, text: true
      String :answer, text: true
      String :procedure
    end

    create_table(:cohorts) do
      primary_key :id, type: :Bignum
      foreign_key :run_id, :runs, type: :Bignum, null: false, on_delete: :cascade
      Integer :position, null: false
      Integer :round, null: false
      String :state, null: false
      String :token
      Bignum :heartbeat_ms
      Bignum :started_ms
      Bignum :finished_ms
      String :spec, text: true, null: false
      String :host, text: true
      String :look, text: true
      unique %i[run_id position]
    end

    create_table(:trials) do
      primary_key :id, type: :Bignum
      foreign_key :cohort_id, :cohorts, type: :Bignum, null: false, on_delete: :cascade
      Integer :ordinal, null: false
      String :variant, text: true, null: false
      String :state, null: false
      String :reason, text: true
      String :log_tail, text: true
      Bignum :started_ms, null: false
      Bignum :boot_ns
      Bignum :requests
      String :facts, text: true
      unique %i[cohort_id ordinal]
    end

    create_table(:slices) do
      primary_key :id, type: :Bignum
      foreign_key :trial_id, :trials, type: :Bignum, null: false, on_delete: :cascade, index: true
      Integer :block
      Integer :position
      TrueClass :warm_up, null: false, default: false
      Bignum :started_ns
      Bignum :wall_ns
      Bignum :sent
      Bignum :completed
      Bignum :good
      Bignum :bytes
      Bignum :latency_sum_ns
      Bignum :p50_ns
      Bignum :max_ns
      Bignum :cpu_ns
      Bignum :driver_cpu_ns
      String :errors, text: true
      String :facts, text: true
      Bignum :span_ns
    end

    create_table(:observations) do
      primary_key :id, type: :Bignum
      foreign_key :trial_id, :trials, type: :Bignum, null: false, on_delete: :cascade
      Integer :part, null: false
      Bignum :count, null: false
      File :data, null: false
      unique %i[trial_id part]
    end

    create_table(:profiles) do
      foreign_key :trial_id, :trials, type: :Bignum, primary_key: true, on_delete: :cascade
      File :data, null: false
    end

    create_table(:points) do
      primary_key :id, type: :Bignum
      String :track, null: false
      foreign_key :run_id, :runs, type: :Bignum, unique: true, on_delete: :set_null
      Bignum :at_ms, null: false
      String :facts, text: true, null: false
      index %i[track at_ms]
    end

    create_table(:hosts) do
      String :name, primary_key: true
      Bignum :seen_ms, null: false
      String :facts, text: true, null: false
    end

    create_table(:attempts) do
      primary_key :id, type: :Bignum
      foreign_key :cohort_id, :cohorts, type: :Bignum, null: false, on_delete: :cascade
      String :host, null: false
      String :token, null: false
      Bignum :started_ms, null: false
      Bignum :ended_ms
      String :outcome
      String :facts, text: true, null: false
      index :cohort_id
    end

    create_table(:packs) do
      String :sha256, primary_key: true
      Bignum :created_ms, null: false
      File :data, null: false
    end
  end
end
