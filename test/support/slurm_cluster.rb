# frozen_string_literal: true

require "etc"
require "fileutils"
require "open3"
require "socket"
require "tmpdir"

module Mohs
  # A Slurm cluster for a test: its controller and two nodes, all on this machine, with a key,
  # ports and files of their own. Needs root, as Slurm does to start jobs.
  class SlurmCluster
    NODES = %w[n1 n2].freeze
    FEATURE = "fp_x"
    START_S = 60
    PROGRAMS = { "slurmctld" => "slurmctld", "slurmd" => "slurmd", "sbatch" => "slurm-client",
                 "munged" => "munge" }.freeze
    PATH = %w[/usr/sbin /usr/bin].freeze

    # Why there can't be one here; nil if there can.
    #: () -> String?
    def self.missing
      return "Slurm needs root" unless ::Process.uid.zero?

      name, package = PROGRAMS.find do |program, _|
        PATH.none? { |folder| File.executable?(File.join(folder, program)) }
      end
      "#{name} is not installed (Debian: #{package})" if name
    end

    def initialize
      @dir = Dir.mktmpdir("mohs-slurm")
      @daemons = {}
      write
      daemon("munged", "munged", "--foreground", "--key-file=#{@dir}/key", "--force",
             "--socket=#{socket}", "--pid-file=#{@dir}/munge.pid", "--log-file=#{@dir}/munge.log",
             "--seed-file=#{@dir}/seed")
      await("munged") { File.socket?(socket) }
      daemon("slurmctld", "slurmctld", "-D")
      NODES.each { |node| daemon(node, "slurmd", "-D", "-N", node) }
      await("nodes") { NODES.all? { |node| state(node) == "idle" } }
    end

    # The environment of its commands.
    #: () -> Hash[String, String]
    def env = { "SLURM_CONF" => "#{@dir}/slurm.conf" }

    # Ends the node, with everything on it.
    #: (String) -> void
    def break(node)
      jobs = call("squeue", "-h", "-w", node, "-o", "%A").split
      kill(@daemons.delete(node))
      steps(jobs).each { |pid| ::Process.kill(:KILL, pid) }
    end

    # The processes of a node's jobs, without Slurm's own.
    #: (String) -> Array[Integer]
    def processes(node) = with("SLURMD_NODENAME=#{node}")

    # Stops the cluster and everything of it, and removes its files.
    #: () -> void
    def stop
      Open3.capture2e(env, "scancel", "--user=#{Etc.getpwuid.name}")
      deadline = Clock.deadline(START_S)
      sleep 0.2 while jobs? && Clock.mono_ns < deadline
      @daemons.each_value { |pid| kill(pid) }
      with("SLURM_CONF=#{env['SLURM_CONF']}").each { |pid| ::Process.kill(:KILL, pid) }
      FileUtils.rm_rf(@dir)
    end

    private

    def jobs?
      out, status = Open3.capture2e(env, "squeue", "-h")
      status.success? && !out.strip.empty?
    end

    def socket = "#{@dir}/munge.socket"

    def state(node) = call("sinfo", "-h", "-n", node, "-o", "%T").strip

    def call(*words)
      out, = Open3.capture2(env, *words, err: File::NULL)
      out
    end

    def daemon(name, *words)
      log = "#{@dir}/#{name}.out"
      @daemons[name] = ::Process.spawn(env, "setpriv", "--pdeathsig", "KILL", *words,
                                       in: File::NULL, out: log, err: log)
    end

    def kill(pid)
      ::Process.kill(:KILL, pid)
      ::Process.wait(pid)
    rescue Errno::ESRCH, Errno::ECHILD
      nil
    end

    # A step's own process has its job in its title; the processes that it has started have the job
    # in their environment.
    def steps(jobs)
      titled = pids do |pid|
        jobs.any? { |job| File.binread("/proc/#{pid}/cmdline").start_with?("slurmstepd: [#{job}.") }
      end
      titled + jobs.flat_map { |job| with("SLURM_JOB_ID=#{job}") }
    end

    # Processes of this cluster's jobs that have this variable.
    def with(variable)
      pids do |pid|
        variables = File.binread("/proc/#{pid}/environ").split("\0")
        [variable, "SLURM_CONF=#{env['SLURM_CONF']}"].all? { |one| variables.include?(one) } &&
          variables.any? { |one| one.start_with?("SLURM_JOB_ID=") }
      end
    end

    # The pids that the block selects, without processes that end meanwhile.
    def pids
      Dir.children("/proc").grep(/\A\d+\z/).map(&:to_i).select do |pid|
        yield pid
      rescue SystemCallError
        false
      end
    end

    def await(what)
      deadline = Clock.deadline(START_S)
      until yield
        raise "Slurm's #{what} did not start: #{logs}" if Clock.mono_ns > deadline

        sleep 0.2
      end
    end

    def logs = Dir["#{@dir}/*.{out,log}"].map { |path| File.read(path).lines.last(5).join }.join

    def write
      File.write("#{@dir}/key", Random.bytes(1024), perm: 0o400)
      FileUtils.mkdir_p(["#{@dir}/state", *NODES.map { |node| "#{@dir}/spool.#{node}" }])
      # munged refuses a folder that others may write to.
      File.chmod(0o755, @dir)
      controller, *ports = ports(NODES.size + 1)
      nodes = NODES.zip(ports).map do |node, port|
        "NodeName=#{node} NodeHostname=#{Socket.gethostname} NodeAddr=127.0.0.1 Port=#{port} " \
          "CPUs=#{Etc.nprocessors} Features=#{FEATURE} State=UNKNOWN"
      end
      File.write("#{@dir}/slurm.conf", [settings(controller), *nodes].join("\n") << "\n")
    end

    def ports(count)
      servers = Array.new(count) { TCPServer.new("127.0.0.1", 0) }
      servers.map { |server| server.addr[1] }
    ensure
      servers.to_a.each(&:close)
    end

    def settings(port)
      <<~TEXT.chomp
        ClusterName=mohs
        SlurmctldHost=#{Socket.gethostname}(127.0.0.1)
        SlurmctldPort=#{port}
        SlurmUser=root
        AuthType=auth/munge
        AuthInfo=socket=#{socket}
        CredType=cred/munge
        StateSaveLocation=#{@dir}/state
        SlurmdSpoolDir=#{@dir}/spool.%n
        SlurmctldPidFile=#{@dir}/slurmctld.pid
        SlurmdPidFile=#{@dir}/slurmd.%n.pid
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU
        AccountingStorageType=accounting_storage/none
        JobAcctGatherType=jobacct_gather/none
        MpiDefault=none
        SlurmdParameters=config_overrides
        SchedulerParameters=bf_interval=2,sched_min_interval=0
        SlurmdTimeout=12
        KillWait=5
        ReturnToService=2
        PartitionName=lab Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE State=UP
      TEXT
    end
  end
end
