# frozen_string_literal: true

# What a comparison was decided by: JSON with the cohort after which it was looked at.
Sequel.migration do
  change do
    alter_table(:cohorts) { add_column :look, String, text: true }
  end
end
