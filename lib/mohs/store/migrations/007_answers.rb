# frozen_string_literal: true

# What a run answers, in a sentence, for lists; null while nobody knows.
Sequel.migration do
  change do
    alter_table(:runs) { add_column :answer, String, text: true }
  end
end
