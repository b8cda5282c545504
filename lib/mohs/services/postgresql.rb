# frozen_string_literal: true

require "uri"

module Mohs
  module Services
    # PostgreSQL. The application connects as the superuser, since schemas create extensions.
    class Postgresql < Base
      TITLE = "PostgreSQL"
      PACKAGE = "postgresql"
      PROGRAMS = %w[initdb postgres psql createdb vacuumdb].freeze
      FOLDERS = ["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin"].freeze # Debian's, Red Hat's
      VARIABLE = "DATABASE_URL"
      SCHEMES = %w[postgresql postgres postgis].freeze
      PORT = 5432
      SOCKETS = %w[/var/run/postgresql /tmp].freeze # Debian's, and its own
      DATABASES = true
      GEMS = %w[pg].freeze
      ACCOUNT = "postgres" # it refuses to run as root
      READY = /database system is ready to accept connections/
      STOP_SIGNAL = "INT" # fast shutdown: rolls back, writes everything, exits

      # Work that happens at times of its own choosing would slow down one variant and not the
      # other.
      SETTINGS = {
        # How long a flush takes depends on other disk activity; these data need not survive the
        # machine.
        "fsync" => "off",
        "synchronous_commit" => "off",
        "full_page_writes" => "off",
        # Its workers start at any time. Tables are analysed once, after they have been filled.
        "autovacuum" => "off",
        # No checkpoint during load: a day, and more WAL than a run writes.
        "checkpoint_timeout" => "1d",
        "max_wal_size" => "4GB",
        # No background writer.
        "bgwriter_lru_maxpages" => "0",
        # initdb chooses less if it finds little shared memory.
        "shared_buffers" => "128MB",
        # A few hundred threads may each have a connection.
        "max_connections" => "400",
        # In files in its folder: files in /dev/shm would outlive a kill.
        "dynamic_shared_memory_type" => "mmap",
        # READY matches English.
        "lc_messages" => "C",
        "TimeZone" => "UTC",
      }.freeze

      USER = "mohs"
      ADMIN = "postgres" # a database that initdb creates
      ENVIRONMENT = %w[PGDATA PGHOST PGHOSTADDR PGPORT PGUSER PGPASSWORD PGDATABASE PGSERVICE
                       PGOPTIONS PGSSLMODE].to_h { |name| [name, nil] }.freeze

      # Its socket in a folder.
      #: (String, Integer) -> String
      def self.socket(folder, port) = File.join(folder, ".s.PGSQL.#{port}")

      # Index of the line in postmaster.pid with the key and id of the System V segment.
      SEGMENT_LINE = 6

      #: () -> Hash[String, String]
      def files = { path("password") => "#{place.password}\n" }

      # Sockets are in a folder that only its owner can enter. C.UTF-8 sorts the same on every host
      # and knows upper and lower case of all letters.
      #: () -> Array[Process::Command]
      def initialise
        [command([program("initdb"), "--pgdata=#{data}", "--username=#{USER}",
                  "--pwfile=#{path('password')}", "--auth-local=trust",
                  "--auth-host=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
                 env: ENVIRONMENT)]
      end

      #: () -> Process::Command
      def start
        settings = { **SETTINGS, "listen_addresses" => place.port ? Process::Port::HOST : "",
                     "port" => port.to_s, "unix_socket_directories" => place.folder }
        command([program("postgres"), "-D", data,
                 *settings.flat_map { |name, value| ["-c", "#{name}=#{value}"] }], env: ENVIRONMENT)
      end

      #: (Array[String]) -> Array[Process::Command]
      def create(names) = names.map { |name| client("createdb", name) }

      #: () -> Array[Process::Command]
      def settle = [client("vacuumdb", "--all", "--analyze-only", "--quiet")]

      # Its System V segment, of a few bytes, marks a live instance. Once marked for removal it
      # lasts only as long as a process has it attached (shmctl(2)); otherwise it would outlive a
      # kill.
      #: () -> Array[Process::Command]
      def release
        segment = File.readlines(File.join(data, "postmaster.pid"))[SEGMENT_LINE].to_s.split[1]
        segment ? [command(["ipcrm", "-m", segment])] : []
      end

      #: () -> Array[Process::Command]
      def inquiries
        names = ["server_version", *SETTINGS.keys].map { |name| "'#{name}'" }.join(", ")
        sql = "SELECT name || '=' || current_setting(name) FROM pg_settings " \
              "WHERE name IN (#{names})"
        [client("psql", "--no-psqlrc", "--tuples-only", "--no-align", "--dbname=#{ADMIN}",
                "--command=#{sql}")]
      end

      #: (Array[String]) -> { version: String?, settings: Hash[String, String] }
      def attested(outputs)
        found = outputs.join.lines.to_h { |line| line.chomp.split("=", 2) }
        { version: found["server_version"]&.[](/\A[\d.]+/),
          settings: found.slice(*SETTINGS.keys) }
      end

      #: (Array[String]) -> Hash[String, String]
      def env(names) = of_databases(names) { |name| url(name) }

      private

      def data = path("data")

      def port = place.port || PORT

      # A host with slashes is a folder, for libpq, Rails and Sequel alike; Rails ignores a host in
      # the query.
      def url(name)
        return "#{scheme}://#{USER}:#{place.password}@#{Process::Port::HOST}:#{port}/#{name}" \
          if place.port

        folder = URI.encode_www_form_component(place.folder)
        "#{scheme}://#{USER}@#{folder}:#{port}/#{name}"
      end

      def client(name, *arguments)
        command([program(name), "--host=#{place.folder}", "--port=#{port}", "--username=#{USER}",
                 *arguments], env: ENVIRONMENT)
      end
    end
  end
end
