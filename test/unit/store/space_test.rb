# frozen_string_literal: true

require "test_helper"

module Mohs
  class StoreSpaceTest < TestCase
    include StoreHelper

    # A store of which another process holds what the block of SQL takes.
    def beside(sql)
      with_files do |folder|
        path = File.join(folder, "mohs.db")
        store = open_store(path)
        create_run(store)
        other = SQLite3::Database.new(path)
        other.execute(sql)
        yield store
      ensure
        other&.close
        close_stores
      end
    end

    test "while another process writes, space stays in the file" do
      beside("BEGIN IMMEDIATE") do |store|
        assert_equal :busy, store.give_back
        assert_equal 1, store.size.runs
      end
    end

    test "another process may have the file open" do
      beside("SELECT 1") { |store| assert_nil store.give_back }
    end
  end
end
