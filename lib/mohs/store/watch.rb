# frozen_string_literal: true

require "sequel"

module Mohs
  class Store
    # Waits while SQLite is locked by another writer, and turns a database's errors into a
    # StoreError that says what to do.
    class Watch
      # How long to wait for another writer. A writer takes tenths of a second (10 million requests:
      # 0.2 s); a slow or busy disk may need a hundred times that.
      BUSY_S = 30
      PAUSE_S = 0.005

      # By the name of the driver's exception, so that neither driver need be loaded. SQLite's names
      # are those of its result codes (sqlite.org/rescode.html), PostgreSQL's those of its
      # SQLSTATEs.
      ADVICE = {
        /Busy|Locked|LockNotAvailable/ =>
          "is locked: another program has been writing for too long. Wait for it, or end it, " \
          "then run mohs again.",
        /Corrupt|NotADatabase/ =>
          "is damaged, or no database of mohs's. Move it away (mohs makes a new one) or restore " \
          "a copy; `sqlite3 FILE .recover` may save rows.",
        /::(Full|DiskFull)/ =>
          "cannot grow: the disk is full. Free some space; `mohs resume` then continues a run " \
          "that has begun.",
        /ReadOnly|CantOpen|Perm|IOException|InsufficientPrivilege|Errno/ =>
          "cannot be written. Check the permissions of the file and its folder, or choose " \
          "another by XDG_DATA_HOME.",
        /ConnectionBad|UnableToSend|AdminShutdown/ =>
          "cannot be reached. Check that the server runs and that MOHS_DATABASE_URL is right.",
      }.freeze

      LOGIN = "refuses the login. Check the user, the password and the database in " \
              "MOHS_DATABASE_URL.".freeze

      # PostgreSQL's messages for a login that it refuses; libpq does not pass its codes on.
      # Translated messages are not recognised: they stay a StoreError.
      REFUSED = Regexp.union(/authentication failed|no password supplied|no pg_hba\.conf entry/,
                             /(?:role|database) ".*" does not exist/, "not permitted to log in",
                             'permission denied for database "').freeze

      # What Sequel takes for the database's, and is not.
      CALLERS = [ArgumentError, SignalException].freeze
      private_constant :CALLERS

      # The class of the error with this message, which a driver raised as it opened a session.
      #: (String) -> singleton(StoreError)
      def self.of_login(message) = message.match?(REFUSED) ? StoreAccessError : StoreError

      #: (Location, ?busy_s: Numeric) -> void
      def initialize(location, busy_s: BUSY_S)
        @location = location
        @busy_s = busy_s
      end

      # Runs the block; raises a database error as StoreError, with the original as its cause.
      # SQLite detects another writer at the beginning of a transaction or statement, when nothing
      # has been done yet, so that the block can be run again.
      #: [T] () { () -> T } -> T
      def watch
        deadline ||= Clock.deadline(@busy_s)
        yield
      rescue Sequel::AdapterNotFound => error
        raise StoreError, "the store #{@location} needs a gem (#{error.message}): gem install pg"
      rescue Sequel::Error => error
        retry if wait(error, deadline)
        # Sequel takes an ArgumentError raised inside a transaction for SQLite's: it is the
        # caller's. So is a signal that comes while a connection opens.
        raise error.cause if CALLERS.any? { |kind| error.cause.is_a?(kind) }

        raise kind(error), message(error)
      end

      private

      def wait(error, deadline)
        return unless names(error).include?("SQLite3::BusyException") && Clock.mono_ns < deadline

        sleep PAUSE_S
        true
      end

      def kind(error)
        error.is_a?(Sequel::DatabaseConnectionError) ? Watch.of_login(error.message) : StoreError
      end

      def message(error)
        advice = LOGIN if kind(error) == StoreAccessError
        _, advice = ADVICE.find { |pattern, _| names(error).any?(pattern) } unless advice
        first = error.message.strip.lines.first&.chomp
        "the store #{@location} #{advice ? "#{advice} (#{first})" : "failed: #{first}"}"
      end

      def names(error) = [error, error.cause].compact.map { |link| link.class.name }
    end
  end
end
