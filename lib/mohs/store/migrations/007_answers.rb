# frozen_string_literal: true

# A run's result in one sentence, for lists; null until it is known.
Sequel.migration do
  change do
    alter_table(:runs) { add_column :answer, String, text: true }
  end
end
