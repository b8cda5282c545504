# frozen_string_literal: true

# Samples of a trial's stacks, where a run was profiled: deflated JSON (Profile#dump).
Sequel.migration do
  change do
    create_table(:profiles) do
      foreign_key :trial_id, :trials, type: :Bignum, primary_key: true, on_delete: :cascade
      File :data, null: false
    end
  end
end
