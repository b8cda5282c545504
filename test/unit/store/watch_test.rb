# frozen_string_literal: true

require "test_helper"

module Mohs
  # What a person reads when the store cannot be used, each by the real thing.
  class StoreWatchTest < TestCase
    include StoreHelper
    include Screens

    # The golden file of its sentences (Screens#assert_said).
    SAID = "said-store"

    def setup
      @folder = Dir.mktmpdir("mohs-store")
      @path = File.join(@folder, "deep", "mohs.db")
    end

    def teardown
      close_stores
      FileUtils.rm_rf(@folder)
    end

    test "a folder that is not there is made, and the file is in WAL mode" do
      open_store(@path)
      mode = raw { |database| database.fetch("PRAGMA journal_mode").single_value }

      assert_equal "wal", mode
    end

    test "a file that another program has locked" do
      store = open_store(@path, busy_s: 0.05)
      raw do |database|
        database.transaction(mode: :immediate) do
          assert_trouble { create_run(store) }
        end
      end

      assert_equal "planned", create_run(store)[:state]
    end

    test "a file that is no database" do
      put("this is a text, and a rather long one" * 200)

      assert_trouble { open_store(@path) }
    end

    test "a file that was damaged later" do
      store = open_store(@path)
      trial = store.start_trial(claimed(store).last, "a" * 50_000)
      close_stores
      bytes = File.binread(@path)
      put(bytes[0, 32_768] + ("\xAA".b * (bytes.bytesize - 32_768)))

      assert_trouble { open_store(@path).finish_trial(trial, state: "failed") }
    end

    test "a folder that cannot be made" do
      File.write(File.join(@folder, "deep"), "a file where the folder should be")

      assert_trouble { open_store(@path) }
    end

    test "a file that cannot be opened" do
      FileUtils.mkdir_p(@path)

      assert_trouble { open_store(@path) }
    end

    test "a disk that is full" do
      store = open_store(@path)
      trial = store.start_trial(claimed(store).last, "a")
      limit(store)

      assert_trouble do
        store.finish_trial(trial, state: "failed", log_tail: "x" * 1_000_000)
      end
      assert_equal "started", trials(store, store.runs.first[:id]).first[:state]
    end

    test "a server that does not answer" do
      skip PostgresCluster.missing if PostgresCluster.missing

      assert_trouble do
        Store.open("postgres:///lab?host=#{@folder}")
      end
    end

    test "a login that is refused is another error, which a service does not try again" do
      watch = Store::Watch.new(Store::Location.new("postgres://db/lab", {}))
      ['FATAL:  password authentication failed for user "ann"', 'role "ann" does not exist',
       "no pg_hba.conf entry for host", 'FATAL:  database "lab" does not exist',
       'FATAL:  permission denied for database "lab"'].each do |said|
        error = assert_raises(StoreAccessError) do
          watch.watch { raise Sequel::DatabaseConnectionError, "PG::ConnectionBad: #{said}" }
        end
        assert_said(error.message)
        assert_equal 4, error.exit_status
      end
      assert_equal StoreError, Store::Watch.of_login("FATAL:  sorry, too many clients already")
    end

    test "what a session that has begun may not do is no login that is refused" do
      watch = Store::Watch.new(Store::Location.new("postgres://db/lab", {}))
      ["permission denied for database lab", 'role "ann" does not exist'].each do |said|
        error = assert_raises(StoreError) do
          watch.watch { raise Sequel::DatabaseError, "PG::InsufficientPrivilege: #{said}" }
        end
        assert_instance_of StoreError, error
      end
      assert_equal StoreError, Store::Watch.of_login("ERROR:  permission denied for database lab")
    end

    test "a signal that comes while a connection opens is one" do
      database = Sequel.connect("sqlite::memory:", test: false, keep_reference: false,
                                                   after_connect: ->(*) { raise Interrupt })
      watch = Store::Watch.new(Store::Location.new(@path, {}))

      assert_raises(Interrupt) { watch.watch { database.get(1) } }
    end

    test "a driver that is not installed" do
      watch = Store::Watch.new(Store::Location.new("postgres://db/lab", {}))
      error = assert_raises(StoreError) do
        watch.watch { raise Sequel::AdapterNotFound, "LoadError: pg" }
      end

      assert_match(/needs a gem \(LoadError: pg\): gem install pg/, error.message)
    end

    test "anything else is told as it is, with its cause" do
      watch = Store::Watch.new(Store::Location.new("/x.db", {}))
      error = assert_raises(StoreError) do
        watch.watch { raise Sequel::DatabaseError, "odd\nand long" }
      end

      assert_equal "the store /x.db failed: odd", error.message
      assert_instance_of Sequel::DatabaseError, error.cause
      assert_raises(KeyError) { watch.watch { {}.fetch(:bug) } }
    end

    private

    def assert_trouble(&block)
      error = assert_raises(StoreError, &block)

      assert_said(error.message.sub(/ \([^()]*\)\z/, "")) # without the words of the system
      assert_includes error.message, @folder
      refute_nil error.cause
    end

    def put(bytes)
      FileUtils.mkdir_p(File.dirname(@path))
      %w[-wal -shm].each { |ending| FileUtils.rm_f("#{@path}#{ending}") }
      File.binwrite(@path, bytes)
    end

    def raw(&block) = Sequel.connect(adapter: "sqlite", database: @path, &block)

    # SQLite says "full" of its own limit as it does of the disk's.
    def limit(store) = store.instance_variable_get(:@database).run("PRAGMA max_page_count = 1")
  end
end
