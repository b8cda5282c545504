# frozen_string_literal: true

require "fileutils"
require "sequel"

module Mohs
  class Store
    # Opens the database of a Location and brings its tables up to date.
    class Connection
      # WAL: readers never wait for writers. synchronous NORMAL: a power cut may lose the last
      # commits but never damages the file (sqlite.org/pragma.html#pragma_synchronous). Pages of 16
      # KiB: observations were written twice as fast as with the default of 4 KiB (takes effect in a
      # new file only).
      PRAGMAS = ["page_size = 16384", "journal_mode = WAL", "synchronous = NORMAL"].freeze

      # Detects an unreachable database soon: after 5 s of silence the kernel sends probes, one
      # every 2 s, and gives up after three probes, or after 7 s. By default a connection waits for
      # hours.
      KEEPALIVE = { keepalives: 1, keepalives_idle: 5, keepalives_interval: 2, keepalives_count: 3,
                    tcp_user_timeout: 7_000 }.freeze

      # Of a session with a PostgreSQL database, by the names of libpq: KEEPALIVE, and what the URL
      # says, which takes precedence. Raises StoreError.
      #: (Location) -> Hash[Symbol, Integer | String]
      def self.parameters(location)
        given = location.parameters
        options = [location.options, given[:options]].compact
        { **KEEPALIVE, **given, options: (options.join(" ") if options.any?) }.compact
      end

      #: (Location) -> void
      def initialize(location)
        @location = location
      end

      #: () -> Sequel::Database
      def open
        database = @location.path ? sqlite(@location.path) : postgres
        Schema.new(database).bring_up
        database
      rescue StandardError
        database&.disconnect
        raise
      end

      private

      # Runs contain paths, logs and responses of applications, which no other user may read. SQLite
      # gives its other files the mode of the database. A file that the user chose and shared stays
      # shared.
      def make_private(path)
        FileUtils.mkdir_p(File.dirname(path), mode: 0o700)
        create(path)
        close_to_others(path) if @location.usual?
      rescue SystemCallError => error
        raise Sequel::DatabaseConnectionError, error.message
      end

      def create(path)
        File.open(path, File::WRONLY | File::CREAT | File::EXCL, 0o600, &:close)
      rescue Errno::EEXIST
        nil
      end

      def close_to_others(path)
        modes = { File.dirname(path) => 0o700, path => 0o600, "#{path}-wal" => 0o600,
                  "#{path}-shm" => 0o600 }
        modes.each { |own, mode| File.chmod(mode, own) if File.owned?(own) }
      end

      def postgres
        parameters = Connection.parameters(@location)
        Sequel::Database.load_adapter(:postgres)
        refuse_unknown(parameters.keys - ::PG::Connection.conndefaults_hash.keys)
        Sequel.connect(adapter: "postgres", driver_options: parameters)
      end

      # Sequel would ignore them, and with them perhaps what the user demands of a session.
      def refuse_unknown(names)
        return if names.empty?

        raise StoreError, "MOHS_DATABASE_URL has the parameter #{names.first}, which libpq does " \
                          "not know (postgresql.org/docs/current/libpq-connect.html). Settings " \
                          "of the server go into options: ?options=-c%20NAME%3DVALUE"
      end

      # Transactions are immediate: a deferred one that reads first and writes later would fail
      # instead of waiting its turn. timeout 0: Watch waits, in Ruby. SQLite itself would sleep
      # while it holds Ruby's lock, so that the thread holding the database's lock could not release
      # it.
      def sqlite(path)
        make_private(path)
        options = { adapter: "sqlite", database: path, timeout: 0, after_connect: method(:prepare) }
        Sequel.connect(**options).tap { |database| database.transaction_mode = :immediate }
      end

      def prepare(connection) = PRAGMAS.each { |pragma| connection.execute("PRAGMA #{pragma}") }
    end
  end
end
