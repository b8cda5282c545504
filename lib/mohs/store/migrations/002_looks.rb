# frozen_string_literal: true

# The interim result of a comparison: JSON, stored with the cohort after which it was computed.
Sequel.migration do
  change do
    alter_table(:cohorts) { add_column :look, String, text: true }
  end
end
