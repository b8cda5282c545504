# frozen_string_literal: true

require "fileutils"
require "monitor"
require "tmpdir"

require_relative "seed"

module Forum
  # Where the forum's data are kept and how they are made. They are made once, in the user's cache
  # folder, never in the application's own, which may be read-only. People write to a forum, so
  # each server has a copy in the folder for temporary files, which all its processes share: mohs
  # gives each server such a folder and removes it afterwards. FORUM_DATABASE names another file,
  # which is used as it is, and filled if it is missing.
  module Database
    VERSION = 1 # of the seeded data

    WRITING = Monitor.new

    module_function

    def path
      name = "forum-#{VERSION}-#{Process.uid}.sqlite3"
      ENV.fetch("FORUM_DATABASE") { File.join(Dir.tmpdir, name) }
    end

    def prepare
      ENV.key?("FORUM_DATABASE") ? seed(path) : copy(seed(seeded), path)
    end

    # Each process writes one thing at a time: while one of its threads waits for a lock of the
    # database, its other threads do not run, not even the one that holds the lock. Nothing waits
    # for the disk, since whether a post survives a power failure is not measured here.
    def write(&block)
      WRITING.synchronize do
        connection = ActiveRecord::Base.connection
        connection.execute("PRAGMA synchronous = OFF") unless connection.transaction_open?
        connection.transaction(&block)
      end
    end

    def seeded
      File.join(cache_folder, "mohs", "forum-#{VERSION}.sqlite3")
    end

    def cache_folder
      return ENV["XDG_CACHE_HOME"] unless ENV["XDG_CACHE_HOME"].to_s.empty?

      File.writable?(Dir.home) ? File.join(Dir.home, ".cache") : Dir.tmpdir
    rescue ArgumentError # no HOME
      Dir.tmpdir
    end

    def seed(file)
      publish(file) do |draft|
        ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: draft)
        Seed.new(ActiveRecord::Base.connection).call
        ActiveRecord::Base.remove_connection
        ActiveRecord::Base.establish_connection
      end
    end

    def copy(from, file)
      publish(file) { |draft| FileUtils.cp(from, draft) }
    end

    # Servers may boot at the same moment. Each process makes a draft, and the first one to finish
    # stays, since its server may already be writing to it.
    def publish(file)
      return file if File.exist?(file)

      FileUtils.mkdir_p(File.dirname(file))
      draft = "#{file}.#{Process.pid}"
      yield draft
      File.link(draft, file)
      file
    rescue Errno::EEXIST
      file
    ensure
      FileUtils.rm_f(draft) if draft
    end
  end
end
