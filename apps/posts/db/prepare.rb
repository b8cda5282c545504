# frozen_string_literal: true

require "fileutils"
require "tmpdir"

module Posts
  # Where the table of posts is and how it is made: in PostgreSQL if DATABASE_URL names one; else
  # in the SQLite file `POSTS_DATABASE`; else in one in the user's cache folder, never in the app's
  # own, which may be read-only.
  module Database
    COUNT = 100

    module_function

    def path
      ENV.fetch("POSTS_DATABASE") { File.join(cache_folder, "mohs", "posts-#{COUNT}.sqlite3") }
    end

    def cache_folder
      return ENV["XDG_CACHE_HOME"] unless ENV["XDG_CACHE_HOME"].to_s.empty?

      File.writable?(Dir.home) ? File.join(Dir.home, ".cache") : Dir.tmpdir
    rescue ArgumentError # no HOME
      Dir.tmpdir
    end

    # The number of the lock for which processes that boot at the same moment wait: any number.
    LOCK = 0x706f737473

    def prepare
      ENV["DATABASE_URL"].to_s.empty? ? prepare_file : prepare_tables
    end

    # The first process fills the table; the others wait until it is done.
    def prepare_tables
      connection = ActiveRecord::Base.connection
      connection.transaction do
        connection.execute("SELECT pg_advisory_xact_lock(#{LOCK})")
        fill(connection) unless connection.table_exists?(:posts)
      end
      ActiveRecord::Base.remove_connection
      ActiveRecord::Base.establish_connection
    end

    # Servers may boot at the same moment: each fills its own file and renames it into place at the
    # end. All write the same rows, so it does not matter whose file stays.
    def prepare_file
      return if File.exist?(path)

      FileUtils.mkdir_p(File.dirname(path))
      draft = "#{path}.#{Process.pid}"
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: draft)
      fill(ActiveRecord::Base.connection)
      ActiveRecord::Base.remove_connection
      File.rename(draft, path)
      ActiveRecord::Base.establish_connection
    end

    def fill(connection)
      connection.create_table(:posts) do |table|
        table.string :title, null: false
        table.text :body, null: false
      end
      connection.execute("INSERT INTO posts (id, title, body) VALUES #{rows.join(', ')}")
    end

    def rows
      others = (2..COUNT).map { |id| "(#{id}, 'Post #{id}', 'What post #{id} has to say.')" }
      ["(1, 'hello', 'world')", *others]
    end
  end
end
