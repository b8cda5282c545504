# frozen_string_literal: true

# A user's name for a run, in addition to its key; null without a name.
Sequel.migration do
  change do
    alter_table(:runs) { add_column :label, String, text: true }
  end
end
