# frozen_string_literal: true

require "etc"
require "fileutils"
require "tmpdir"

module Mohs
  # The tests' own PostgreSQL cluster, in a temporary folder, reached by a unix socket alone. One
  # serves the whole test process; every test gets its one database, emptied. It ends with this
  # process, however that ends.
  class PostgresCluster
    START_S = 60
    PORT = 54_329

    class << self
      # Why the tests can't have one; nil if they can.
      #: () -> String?
      def missing
        return "PostgreSQL's server is not installed (Debian: postgresql)" unless bin
        return "the gem pg is not installed" unless gem?
        return if ::Process.uid.nonzero? || account

        "running as root, and there is no user postgres to run the server as"
      end

      # A cluster that other hosts can reach.
      #: (String) -> PostgresCluster
      def at(address) = new(bin, account, address:)

      # A cluster with room for so many connections.
      #: (connections: Integer) -> PostgresCluster
      def roomy(connections:) = new(bin, account, connections:)

      # The cluster of this process, started when first asked for.
      #: () -> PostgresCluster
      def shared
        @shared ||= new(bin, account).tap do |cluster|
          owner = ::Process.pid
          Minitest.after_run { cluster.stop if ::Process.pid == owner }
        end
      end

      # The user that PostgreSQL's servers run as if we are root; nil if we are not.
      #: () -> Etc::Passwd?
      def account
        Etc.getpwnam("postgres") if ::Process.uid.zero?
      rescue ArgumentError
        nil
      end

      private

      def bin
        folders = Dir["/usr/lib/postgresql/*/bin"] + ENV["PATH"].split(":")
        folders.find { |folder| File.exist?("#{folder}/initdb") }
      end

      def gem?
        require "pg"
        true
      rescue LoadError
        false
      end
    end

    # address: where to listen for TCP, on PORT, for networks like its own (/16); nil: nowhere.
    def initialize(bin, account, address: nil, connections: 100)
      require "pg"
      @address = address
      @connections = connections
      @bin = bin
      @as = account ? %W[--reuid #{account.uid} --regid #{account.gid} --clear-groups] : []
      @folder = Dir.mktmpdir("mohs-pg")
      FileUtils.chown(account&.uid, account&.gid, @folder)
      initdb
      start
    end

    # The URL of its one database, emptied: ten times as fast as creating another one.
    #: () -> String
    def empty_database
      administer("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
      "postgres:///postgres?host=#{@folder}&user=mohs#{"&port=#{PORT}" if @address}"
    end

    # The folder of its socket.
    #: () -> String
    attr_reader :folder

    # The pid of its first process.
    #: () -> Integer
    attr_reader :pid

    # The same URL for another host.
    #: () -> String
    def remote_url = "postgres://mohs@#{@address}:#{PORT}/postgres"

    def stop
      ::Process.kill(:QUIT, @pid)
      ::Process.wait(@pid)
      FileUtils.rm_rf(@folder)
    end

    private

    def administer(*statements)
      options = "-c client_min_messages=error"
      connection = PG.connect(host: @folder, user: "mohs", dbname: "postgres", options:,
                              **(@address ? { port: PORT } : {}))
      statements.each { |sql| connection.exec(sql) }
    ensure
      connection&.close
    end

    def initdb
      options = %w[-U mohs -A trust -E UTF8 --locale=C --no-sync]
      command = ["setpriv", *@as, "#{@bin}/initdb", "-D", "#{@folder}/data", *options]
      output = IO.popen(command, chdir: @folder, err: %i[child out], &:read)
      raise "initdb failed: #{output}" unless $?.success?
    end

    def trust
      rule = "host all mohs #{@address[/\A\d+\.\d+\./]}0.0/16 trust\n"
      File.write("#{@folder}/data/pg_hba.conf", rule, mode: "a")
    end

    # --pdeathsig: the kernel ends the server when this process is gone. fsync off: its data need
    # not survive a crash of the machine.
    def start
      options = %W[-k #{@folder} -c listen_addresses=#{@address} -c fsync=off
                   -c max_connections=#{@connections}]
      options += ["-p", PORT.to_s] if @address
      trust if @address
      server = ["#{@bin}/postgres", "-D", "#{@folder}/data", *options]
      command = ["setpriv", *@as, "--pdeathsig", "QUIT", *server]
      log = "#{@folder}/log"
      @pid = ::Process.spawn(*command, chdir: @folder, in: File::NULL, out: log, err: log)
      await(Clock.deadline(START_S), log)
    end

    def await(deadline, log)
      administer("SELECT 1")
    rescue PG::Error
      ended = ::Process.wait(@pid, ::Process::WNOHANG)
      raise "PostgreSQL did not start: #{File.read(log)}" if ended || Clock.mono_ns > deadline

      sleep 0.05
      retry
    end
  end
end
