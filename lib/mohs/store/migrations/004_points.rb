# frozen_string_literal: true

# Points of histories (mohs track): one for each run; the run may be deleted later.
Sequel.migration do
  change do
    create_table(:points) do
      primary_key :id, type: :Bignum
      String :track, null: false
      foreign_key :run_id, :runs, type: :Bignum, unique: true, on_delete: :set_null
      Bignum :at_ms, null: false
      String :facts, text: true, null: false
      index %i[track at_ms]
    end
  end
end
