# frozen_string_literal: true

# Released migrations are never edited: a change is a new file. Text columns called *_json in
# docs/store.md hold JSON on both databases, so that one code path reads them. Times of day are _ms
# since the epoch, other times integer _ns.
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
    end

    create_table(:observations) do
      primary_key :id, type: :Bignum
      foreign_key :trial_id, :trials, type: :Bignum, null: false, on_delete: :cascade
      Integer :part, null: false
      Bignum :count, null: false
      File :data, null: false
      unique %i[trial_id part]
    end
  end
end
