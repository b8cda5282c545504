# frozen_string_literal: true

require "uri"

module Mohs
  module Services
    # PostgreSQL. Its superuser is the application's user: schemas create extensions.
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
      ACCOUNT = "postgres" # it refuses to run as root
      READY = /database system is ready to accept connections/
      STOP_SIGNAL = "INT" # fast shutdown: rolls back, writes all, ends

      # Whatever works at a time of its own would hit one variant and not the other.
      SETTINGS = {
        # A flush takes as long as what else the disk does; these data need not survive the machine.
        "fsync" => "off",
        "synchronous_commit" => "off",
        "full_page_writes" => "off",
        # Its workers come when they like. Tables are analysed once, when they have been filled.
        "autovacuum" => "off",
        # No checkpoint while load runs: a day, and more WAL than a run writes.
        "checkpoint_timeout" => "1d",
        "max_wal_size" => "4GB",
        # No background writer.
        "bgwriter_lru_maxpages" => "0",
        # initdb takes less where it finds little shared memory.
        "shared_buffers" => "128MB",
        # Some hundred threads may have a connection each.
        "max_connections" => "400",
        # In files of its folder: those in /dev/shm would outlive a kill.
        "dynamic_shared_memory_type" => "mmap",
        # READY is English.
        "lc_messages" => "C",
        "TimeZone" => "UTC",
      }.freeze

      USER = "mohs"
      ADMIN = "postgres" # a database that initdb makes
      ENVIRONMENT = %w[PGDATA PGHOST PGHOSTADDR PGPORT PGUSER PGPASSWORD PGDATABASE PGSERVICE
                       PGOPTIONS PGSSLMODE].to_h { |name| [name, nil] }.freeze

      # In a folder.
      #: (Integer) -> String
      def self.socket(port) = ".s.PGSQL.#{port}"

      # The line of postmaster.pid with key and number of the System V segment.
      SEGMENT_LINE = 6

      #: () -> Hash[String, String]
      def files = { path("password") => "#{place.password}\n" }

      # Sockets are in a folder that nobody else can enter. C.UTF-8 sorts alike on every host and
      # knows the case of all letters.
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

      # Its System V segment, of a few bytes, is a mark that it lives: once removed it lasts as long
      # as a process that has attached it (shmctl(2)), and else it would outlive a kill.
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

      # Rails looks for the address of its database "cache" in CACHE_DATABASE_URL.
      #: (Array[String]) -> Hash[String, String]
      def env(names)
        names.to_h do |name|
          other = name.delete_prefix(names.first).delete_prefix("_")
          [[*(other.upcase unless other.empty?), VARIABLE].join("_"), url(name)]
        end
      end

      private

      def data = path("data")

      def port = place.port || PORT

      # A host with slashes is a folder, for libpq, Rails and Sequel alike; Rails drops one in the
      # query.
      def url(name)
        return "postgresql://#{USER}:#{place.password}@#{Process::Port::HOST}:#{port}/#{name}" \
          if place.port

        folder = URI.encode_www_form_component(place.folder)
        "postgresql://#{USER}@#{folder}:#{port}/#{name}"
      end

      def client(name, *arguments)
        command([program(name), "--host=#{place.folder}", "--port=#{port}", "--username=#{USER}",
                 *arguments], env: ENVIRONMENT)
      end
    end
  end
end
