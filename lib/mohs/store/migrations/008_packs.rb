# frozen_string_literal: true

# Applications' folders that a fleet's hosts unpack (App::Pack), by their checksums.
Sequel.migration do
  change do
    create_table(:packs) do
      String :sha256, primary_key: true
      Bignum :created_ms, null: false
      File :data, null: false
    end
  end
end
