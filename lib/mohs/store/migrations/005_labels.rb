# frozen_string_literal: true

# What a person calls a run, beside its key; null without a name.
Sequel.migration do
  change do
    alter_table(:runs) { add_column :label, String, text: true }
  end
end
