# frozen_string_literal: true

# Hosts that measure for others (mohs worker), and every attempt at a cohort of theirs.
Sequel.migration do
  change do
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
  end
end
