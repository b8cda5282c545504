# frozen_string_literal: true

require "test_helper"

module Mohs
  class StoreRunsTest < TestCase
    include StoreHelper

    test "keys grow where the short ones have run out" do
      with_files do |folder|
        path = File.join(folder, "mohs.db")
        store = open_store(path)
        fill(path)
        key = create_run(store).key
        short = key[0, 4] # a whole key, and the beginning of another

        assert_match(/\A\h{6}\z/, key)
        assert_equal [key, short], [store.run(key).key, store.run(short).key]
      ensure
        close_stores
      end
    end

    private

    # All 65536 keys of four characters, by one statement.
    def fill(path)
      Sequel.connect(adapter: "sqlite", database: path) do |database|
        database.run(<<~SQL)
          WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 65535)
          INSERT INTO runs (key, state, created_ms, study, plan, fingerprint, provenance)
          SELECT printf('%04x', n), 'finished', 0, '{"requests":[],"variants":[],"env":{}}',
                 '{"cohorts":[]}', '{}', '{}' FROM numbers
        SQL
      end
    end
  end
end
