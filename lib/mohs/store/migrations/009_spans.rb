# frozen_string_literal: true

# The time that a slice's correct responses take at the rate of its load (Load::StepResult).
Sequel.migration do
  change do
    alter_table(:slices) { add_column :span_ns, :Bignum }
  end
end
