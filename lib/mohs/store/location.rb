# frozen_string_literal: true

module Mohs
  class Store
    # Where the store is: an SQLite file, or the URL of a PostgreSQL database. Opens nothing.
    class Location
      # Options of a session (postgresql.org/docs/current/libpq-envars.html) for a process whose
      # servers must not get them, as they would get PGOPTIONS. It takes precedence over that.
      OPTIONS = "MOHS_PGOPTIONS"

      # An explicit `url` takes precedence over MOHS_DATABASE_URL, which takes precedence over the
      # file in the user's data folder. A value without a scheme is a path.
      #: (String?, Hash[String, String]) -> void
      def initialize(url, env)
        @env = env
        @url = [url, env["MOHS_DATABASE_URL"]].find { |given| given && !given.empty? }
      end

      # The database's file, absolute; nil for a database server.
      #: () -> String?
      def path
        return File.join(Folders.data(@env), "mohs.db") unless @url
        return File.expand_path(@url) unless @url.match?(/\A[a-z]\w*:/i)

        file = @url[%r{\Asqlite:(?://)?(.+)}, 1]
        file && File.expand_path(file)
      end

      # Is it the default file? Then its folder belongs to mohs alone.
      #: () -> bool
      def usual? = @url.nil?

      # The URL that Sequel connects to.
      #: () -> String
      def url
        return @url if @url.match?(%r{\Apostgres(ql)?:})

        raise StoreError, "MOHS_DATABASE_URL: #{self} is neither postgres://... nor sqlite://FILE"
      end

      # Options of its sessions; nil: those of PGOPTIONS.
      #: () -> String?
      def options = @env[OPTIONS]

      # For messages: without the password.
      #: () -> String
      def to_s = path || @url.sub(%r{(//[^:/@]*):[^@]*@}, '\1:***@')
    end
  end
end
