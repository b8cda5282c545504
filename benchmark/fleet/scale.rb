# frozen_string_literal: true

# How many cohorts a second can so many hosts take from one PostgreSQL, how evenly, and how much of
# its CPU does that take? Hosts are lockers of Que, as `mohs worker` has them, in processes of a
# hundred; a cohort sleeps for 10 ms. Without cohorts: how much CPU do waiting hosts take?
#
#     ruby benchmark/fleet/scale.rb HOSTS COHORTS

require_relative "../../vendor/bundle/bundler/setup"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__), File.expand_path("../../test", __dir__))
require "minitest" # PostgresCluster ends with it
require "mohs"
require "support/postgres"

module Mohs
  # A fleet whose hosts do nothing.
  class FleetScaleBenchmark
    JOB_S = 0.01
    AT_ONCE = 100
    LIMIT_S = 600
    QUEUE = "fp_scale"
    # How long hosts may take to start, and how long they are watched while they wait.
    START_S = 10
    IDLE_S = 20

    #: (Integer, Integer) -> void
    def initialize(hosts, cohorts)
      @hosts = hosts
      @cohorts = cohorts
    end

    #: () -> void
    def call
      @cluster = PostgresCluster.roomy(connections: (2 * @hosts) + 50)
      @url = @cluster.empty_database
      prepare
      pids = Array.new(@hosts.fdiv(AT_ONCE).ceil) { |index| fork { work(index) } }
      @cohorts.zero? ? idle : report(*timed { wait })
    ensure
      pids.to_a.each { |pid| ::Process.kill(:KILL, pid) }.each { |pid| ::Process.wait(pid) }
      @cluster&.stop
    end

    private

    def prepare
      @store = Store.open(@url)
      Fleet::Queue.new(@store)
      @store.beside do |db|
        db.create_table(:naps) { Integer :host }
        db.run("INSERT INTO que_jobs (job_class, queue, args, job_schema_version) " \
               "SELECT 'Nap', '#{QUEUE}', jsonb_build_array(n), 2 " \
               "FROM generate_series(1, #{@cohorts}) AS n")
      end
    end

    # Runs a process of at most a hundred hosts.
    def work(index)
      first = index * AT_ONCE
      Fleet::Queue.load
      ::Que.connection = Sequel.connect(@url, max_connections: AT_ONCE)
      Object.const_set(:Nap, nap)
      lockers = Array.new([AT_ONCE, @hosts - first].min) { locker }
      sleep LIMIT_S
    ensure
      lockers.to_a.each(&:stop!)
    end

    # A job that sleeps. Its worker's thread tells which host ran it.
    def nap
      Class.new(::Que::Job) do
        def run(*)
          sleep JOB_S
          host = Thread.current.object_id % 1_000_000_007
          ::Que.execute("INSERT INTO naps VALUES ($1)", [host % 2_000_000_000])
          destroy
        end
      end
    end

    def locker
      parameters = Store::Connection.parameters(Store::Location.new(@url, {}))
      ::Que::Locker.new(queues: [QUEUE], connection_url: Fleet::LockerAddress.of(parameters),
                        poll_interval: Fleet::Worker::POLL_S, maximum_buffer_size: 0,
                        worker_priorities: [nil])
    end

    def wait
      deadline = Clock.deadline(LIMIT_S)
      left = -> { @store.beside { |db| db[:que_jobs].count } }
      sleep 0.2 while left.call.positive? && Clock.mono_ns < deadline
      left.call
    end

    def idle
      sleep START_S
      seconds, cpu_s, = timed { sleep IDLE_S }
      puts format("%<hosts>d hosts that wait: database %<cpu>.2f of a core", hosts: @hosts,
                                                                          cpu: cpu_s / seconds)
    end

    def timed
      before = [Clock.mono_ns, database_s]
      left = yield
      after = [Clock.mono_ns, database_s]
      [(after[0] - before[0]) / 1e9, after[1] - before[1], left]
    end

    # CPU seconds of the server's processes, ended ones included.
    def database_s
      stat = File.read("/proc/#{@cluster.pid}/stat").rpartition(")").last.split
      ended = stat[13..14].sum(&:to_i)
      alive = Process::Tree.pids(@cluster.pid).sum { |pid| ticks(pid) }
      (ended + alive) / 100.0
    end

    def ticks(pid)
      File.read("/proc/#{pid}/stat").rpartition(")").last.split[11..12].sum(&:to_i)
    rescue SystemCallError
      0
    end

    def report(seconds, cpu_s, left)
      taken = @store.beside { |db| db[:naps].group_and_count(:host).map(:count) }.sort
      puts format("%<hosts>d hosts: %<rate>.0f cohorts/s, each host %<least>d to %<most>d " \
                  "(median %<median>d, %<idle>d none), database %<cpu>.2f of a core, " \
                  "%<each>.2f ms a cohort%<left>s",
                  hosts: @hosts, rate: (@cohorts - left) / seconds, least: taken.first.to_i,
                  most: taken.last.to_i, median: taken[taken.size / 2].to_i,
                  idle: @hosts - taken.size, cpu: cpu_s / seconds,
                  each: 1000 * cpu_s / (@cohorts - left),
                  left: left.zero? ? "" : ", #{left} left")
    end
  end
end

Mohs::FleetScaleBenchmark.new(*ARGV.map { |text| Integer(text) }).call if $PROGRAM_NAME == __FILE__
