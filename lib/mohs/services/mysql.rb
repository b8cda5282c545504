# frozen_string_literal: true

require "uri"

module Mohs
  module Services
    # MySQL, as MariaDB has it: Debian's server for its clients. The application connects as a user
    # with all rights, since schemas create functions and triggers.
    class Mysql < Base
      TITLE = "MariaDB"
      PACKAGE = "mariadb-server"
      PROGRAMS = %w[mariadbd mariadb-install-db mariadb mariadb-check].freeze
      VARIABLE = "DATABASE_URL"
      SCHEMES = %w[mysql2 trilogy mysql].freeze
      PORT = 3306
      SOCKETS = %w[/run/mysqld /tmp].freeze # Debian's, and that of MySQL
      DATABASES = true
      GEMS = %w[mysql2 trilogy].freeze
      ACCOUNT = "mysql" # it refuses to run as root
      READY = /ready for connections/
      STOP_SIGNAL = "TERM"

      # Work that happens at times of its own choosing would slow down one variant and not the
      # other.
      SETTINGS = {
        # How long a flush takes depends on other disk activity; these data need not survive the
        # machine.
        "innodb_flush_log_at_trx_commit" => "0",
        "innodb_doublewrite" => "OFF",
        "sync_binlog" => "0",
        # Dirty pages stay in memory, and the log has room for a run.
        "innodb_max_dirty_pages_pct" => "90.000000",
        "innodb_log_file_size" => "268435456",
        # Tables are analysed once, after they have been filled.
        "innodb_stats_auto_recalc" => "OFF",
        "event_scheduler" => "OFF",
        "innodb_buffer_pool_dump_at_shutdown" => "OFF",
        "innodb_buffer_pool_load_at_startup" => "OFF",
        "innodb_buffer_pool_size" => "134217728",
        # A few hundred threads may each have a connection.
        "max_connections" => "400",
        # Addresses are not looked up; a user of localhost is then one of the socket.
        "skip_name_resolve" => "ON",
        "character_set_server" => "utf8mb4",
        "collation_server" => "utf8mb4_unicode_ci",
        "time_zone" => "+00:00",
        # READY matches English.
        "lc_messages" => "en_US",
      }.freeze

      # The name of a setting as an option, where it is another one.
      OPTIONS = { "time_zone" => "default_time_zone" }.freeze

      USER = "mohs"
      SOCKET = "mysql.sock"

      # Its socket in a folder. Debian's has the name of its server.
      #: (String, Integer) -> String
      def self.socket(folder, _port)
        File.join(folder, folder == SOCKETS.first ? "mysqld.sock" : SOCKET)
      end

      # SQL that each start runs: root and nobody without a password stay where only the owner of
      # the folder comes in, by the socket.
      #: () -> Hash[String, String]
      def files
        users = "DELETE FROM mysql.global_priv WHERE User = '' OR (User = 'root' AND " \
                "Host <> 'localhost')"
        grants = %w[127.0.0.1 localhost].flat_map do |host|
          user = "'#{USER}'@'#{host}'"
          ["CREATE USER IF NOT EXISTS #{user} IDENTIFIED BY '#{place.password}'",
           "GRANT ALL PRIVILEGES ON *.* TO #{user} WITH GRANT OPTION"]
        end
        { sql => [users, "FLUSH PRIVILEGES", *grants].map { |line| "#{line};\n" }.join,
          client_file => "[client]\nuser=#{USER}\npassword=#{place.password}\n" }
      end

      #: () -> Array[Process::Command]
      def initialise
        [command([program("mariadb-install-db"), "--no-defaults", "--datadir=#{data}", tmpdir,
                  "--auth-root-authentication-method=normal", "--skip-test-db"])]
      end

      #: () -> Process::Command
      def start
        settings = SETTINGS.transform_keys { |name| OPTIONS.fetch(name, name) }
        network = ["--skip-networking"]
        network = ["--bind-address=#{Process::Port::HOST}", "--port=#{place.port}"] if place.port
        command([program("mariadbd"), "--no-defaults", "--datadir=#{data}", tmpdir,
                 "--socket=#{path(SOCKET)}", "--pid-file=#{path('pid')}", "--init-file=#{sql}",
                 *network, *settings.map { |name, value| "--#{name}=#{value}" }])
      end

      #: (Array[String]) -> Array[Process::Command]
      def create(names) = names.map { |name| query("CREATE DATABASE `#{name}`") }

      #: () -> Array[Process::Command]
      def settle = [client("mariadb-check", "--analyze", "--all-databases", "--silent")]

      #: () -> Array[Process::Command]
      def inquiries
        names = ["version", *SETTINGS.keys].map { |name| "'#{name}'" }.join(", ")
        [query("SHOW GLOBAL VARIABLES WHERE Variable_name IN (#{names})")]
      end

      #: (Array[String]) -> { version: String?, settings: Hash[String, String] }
      def attested(outputs)
        found = outputs.join.lines.to_h { |line| line.chomp.split("\t", 2) }
        { version: found["version"]&.[](/\A[\d.]+/), settings: found.slice(*SETTINGS.keys) }
      end

      #: (Array[String]) -> Hash[String, String]
      def env(names) = of_databases(names) { |name| url(name) }

      private

      def data = path("data")

      # Each start deletes every temporary table in it. In /tmp those would be another MariaDB's,
      # that of the machine, which has the same account.
      def tmpdir = "--tmpdir=#{place.folder}"

      def sql = path("users.sql")

      def client_file = path("client.cnf")

      # By the socket of a host that is this machine by its name.
      def url(name)
        user = "#{USER}:#{place.password}"
        return "#{scheme}://#{user}@#{Process::Port::HOST}:#{place.port}/#{name}" if place.port

        socket = URI.encode_www_form_component(path(SOCKET))
        "#{scheme}://#{user}@localhost/#{name}?socket=#{socket}"
      end

      def query(sql) = client("mariadb", "--batch", "--skip-column-names", "--execute=#{sql}")

      def client(name, *arguments)
        command([program(name), "--defaults-file=#{client_file}", "--socket=#{path(SOCKET)}",
                 *arguments])
      end
    end
  end
end
