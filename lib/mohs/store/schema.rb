# frozen_string_literal: true

module Mohs
  class Store
    # Migrates a database to the tables of this version, once, however many processes open it at the
    # same time.
    class Schema
      FOLDER = File.join(__dir__, "migrations")
      FIRST, LATEST = Dir.children(FOLDER).map(&:to_i).minmax

      # Any constant, the same in every mohs: PostgreSQL's lock for migrations. SQLite's write lock
      # serves the same purpose.
      ADVISORY_LOCK = 0x6d6f6873 # "mohs"

      #: (Sequel::Database) -> void
      def initialize(database)
        @database = database
      end

      # Migrates if needed. Opening a current database takes no lock, so `mohs list` never waits for
      # a writer.
      #: () -> void
      def bring_up
        return if current?

        require "sequel/extensions/migration"
        @database.transaction do
          lock if @database.database_type == :postgres
          Sequel::Migrator.run(@database, FOLDER, allow_missing_migration_files: true) unless
            current?
        end
      end

      private

      def lock = @database.get(Sequel.function(:pg_advisory_xact_lock, ADVISORY_LOCK))

      def current?
        found = @database.table_exists?(:schema_info) ? @database[:schema_info].get(:version) : 0
        return found == LATEST if found.zero? || found.between?(FIRST, LATEST)

        old = found < FIRST
        by = old ? "a mohs before 0.1.0" : "a newer mohs"
        raise StoreError, "the store was made by #{by} (its schema is #{found}, this one knows " \
                          "#{LATEST}). #{old ? 'Move it away' : 'Update mohs'}, or choose " \
                          "another store by XDG_DATA_HOME or MOHS_DATABASE_URL."
      end
    end
  end
end
