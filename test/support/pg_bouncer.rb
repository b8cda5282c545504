# frozen_string_literal: true

require "etc"
require "fileutils"

module Mohs
  # A pgbouncer for a test, in transaction mode, in front of a PostgresCluster; reached by a unix
  # socket.
  class PgBouncer
    BIN = "/usr/sbin/pgbouncer"
    PORT = 6432
    START_S = 20

    #: () -> String?
    def self.missing
      return "pgbouncer is not installed (Debian: pgbouncer)" unless File.executable?(BIN)

      "pgbouncer does not run as root, and there is no user postgres" if
        ::Process.uid.zero? && PostgresCluster.account.nil?
    end

    # dir: a new folder of its own. database: the folder of the cluster's socket. options: for its
    # configuration file.
    #: (String, database: String, ?options: Hash[String, String]) -> void
    def initialize(dir, database:, options: {})
      @dir = dir
      FileUtils.mkdir_p(dir)
      account = PostgresCluster.account
      write(database, options)
      FileUtils.chown_R(account&.uid, account&.gid, dir)
      as = account ? %W[--reuid #{account.uid} --regid #{account.gid} --clear-groups] : []
      log = File.join(dir, "out")
      @pid = ::Process.spawn("setpriv", *as, "--pdeathsig", "KILL", BIN, File.join(dir, "ini"),
                             in: File::NULL, out: log, err: log)
      await
    end

    #: () -> String
    def url = "postgres:///postgres?host=#{@dir}&port=#{PORT}&user=mohs"

    #: () -> void
    def stop
      ::Process.kill(:KILL, @pid)
      ::Process.wait(@pid)
      FileUtils.rm_rf(@dir)
    end

    private

    def write(database, options)
      File.write(File.join(@dir, "users"), %("mohs" ""\n))
      given = { "unix_socket_dir" => @dir, "listen_port" => PORT.to_s, "auth_type" => "any",
                "pool_mode" => "transaction", "pidfile" => "#{@dir}/pid",
                "logfile" => "#{@dir}/log", **options }
      lines = given.map { |name, value| "#{name} = #{value}" }
      File.write(File.join(@dir, "ini"), <<~TEXT)
        [databases]
        postgres = host=#{database} user=mohs dbname=postgres

        [pgbouncer]
        #{lines.join("\n")}
      TEXT
    end

    def await
      deadline = Clock.deadline(START_S)
      socket = File.join(@dir, ".s.PGSQL.#{PORT}")
      until File.exist?(socket)
        ended = ::Process.wait(@pid, ::Process::WNOHANG)
        raise "pgbouncer did not start: #{File.read("#{@dir}/out")}" if
          ended || Clock.mono_ns > deadline

        sleep 0.05
      end
    end
  end
end
