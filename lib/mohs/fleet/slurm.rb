# frozen_string_literal: true

require "fileutils"
require "shellwords"

module Mohs
  module Fleet
    # The nodes of a Slurm cluster: each cohort is a batch job that has a node for itself and runs
    # `mohs run-cohort`. Slurm starts a job again whose node is gone, but none whose process died:
    # those it leaves to whoever submitted them (#gone). The contract of its methods is at the head
    # of Coordinator.
    class Slurm
      TIMEOUT_S = 60
      # So often it is asked what became of jobs.
      LOOK_S = 5
      # Jobs of one cohort: tries that died, the one that parks it, and as many that never began.
      MOST = 2 * (Attempt::DEATHS + 1)
      # States of nodes that take jobs, now or once they are free. One with a mark behind it does
      # not answer.
      UP = /\A(?:idle|mixed|allocated|completing|planned|reserved)\z/
      # sbatch refuses a job that is kept from nodes, but might take it without. After any other
      # failure, such as a late answer, the job may be in the queue all the same.
      RefusedNodesError = Class.new(EnvironmentError)
      # What it prints then (slurm_errno.c).
      REFUSED = /Requested node configuration is not available|Invalid node name/
      PENDING = "PENDING"
      NO_FEATURES = "(null)"

      # `features` as its configuration has them.
      Node = Struct.new(:name, :features, keyword_init: true) do
        include Value
      end

      # Where a job may run: on the node of that name, or else on those with all of the features.
      Place = Struct.new(:node, :features, keyword_init: true) do
        include Value

        #: (?node: String?, ?features: Array[String]) -> void
        def initialize(node: nil, features: []) = super

        # Options of sbatch.
        #: () -> Array[String]
        def options
          return ["--nodelist=#{node}"] if node

          features.empty? ? [] : ["--constraint=#{features.join('&')}"]
        end
      end

      class << self
        # Those that take jobs, by name.
        #: () -> Array[Fleet::Slurm::Node]
        def nodes
          lines = call("sinfo", "--noheader", "--Node", "--format=%N|%f|%T").lines(chomp: true)
          known = lines.map { |line| line.split("|") }.select { |_, _, state| state.match?(UP) }
          known.uniq(&:first).sort.map do |name, features, _|
            Node.new(name:, features: features == NO_FEATURES ? [] : features.split(","))
          end
        end

        # The output of one of its commands. Raises EnvironmentError.
        #: (*String) -> String
        def call(*words)
          # Jobs get the environment of the command that submits them, with the store's address. A
          # person's own settings of squeue would hide some.
          env = ENV.to_h.reject { |name, _| name.start_with?("SQUEUE_") }
          result = Process::Capture.call(Process::Command.new(argv: words), timeout_s: TIMEOUT_S,
                                         spawner: Process::Spawner.new(base_env: env))
          return result.stdout if result.success?

          raise failure(words.first, result.timed_out ? "timed out" : result.stderr.strip)
        end

        # The error of one of its commands, by what it has printed.
        #: (String, String) -> EnvironmentError
        def failure(program, why)
          kind = why.match?(REFUSED) ? RefusedNodesError : EnvironmentError
          kind.new("Slurm: #{program} failed: #{why}")
        end
      end

      # run: its key, for the names of its jobs: numbers of cohorts are those of one store. logs: a
      # folder for what jobs print, which their nodes can write if they share it. failed: called
      # with the id of a cohort; names of the nodes at which it failed.
      #: (run: String, ?logs: String, ?failed: ^(Integer) -> Array[String]) -> void
      def initialize(run:, logs: File.join(Folders.cache, "slurm"), failed: ->(_id) { [] })
        @run = run
        @logs = logs
        @failed = failed
        FileUtils.mkdir_p(logs, mode: 0o700)
        @jobs = {}
        @without = {}
        @unsure = []
        @tries = Hash.new(0)
      end

      # ids: of cohorts. queue: on which nodes. What it refuses while others of them are in its
      # queue (a limit of jobs, say) is gone, and so submitted again. Raises EnvironmentError
      # if the jobs of one of them never measure it.
      #: (Array[Integer], queue: Fleet::Slurm::Place) -> void
      def submit(ids, queue:)
        ids.each { |id| refuse_endless(id) if @tries[id] >= MOST }
        submit_each(ids, queue)
      end

      # All that have not begun. Whatever its jobs have printed is in the store, too.
      #: (Array[Integer]) -> void
      def withdraw(_ids)
        jobs = @jobs.values
        FileUtils.rm_f(jobs.map { |job| log(job) })
        cancel(*jobs) if jobs.any?
        @unsure.each { |id| cancel("--name=#{name(id)}") }
      rescue EnvironmentError
        nil # each finds that the run has ended
      end

      # Of these cohorts those that no job works on any more, whatever became of them.
      #: (Array[Integer]) -> Array[Integer]
      def gone(ids)
        return [] if ids.empty? || (@next_ns && Clock.mono_ns < @next_ns)

        @next_ns = Clock.deadline(LOOK_S)
        known = queued_jobs
        allow_failed(ids.select { |id| known[@jobs[id]] == PENDING })
        ids.reject { |id| known.key?(@jobs[id]) }
      rescue EnvironmentError
        [] # its controller may be back at the next look
      end

      # None: whichever node is free takes a job, or the one that it was submitted for.
      #: (Array[Integer]) -> Array[Integer]
      def recall(_ids) = []

      # Of these queues those that work: nodes of a cluster come back by themselves.
      #: (Array[Fleet::Slurm::Place]) -> Array[Fleet::Slurm::Place]
      def working(names) = names

      private

      def submit_each(ids, queue)
        ids.each do |id|
          FileUtils.rm_f(log(@jobs[id])) if @jobs[id]
          [@jobs, @without].each { |known| known.delete(id) }
          @jobs[id] = job(id, queue)
          @tries[id] += 1
        end
      rescue EnvironmentError
        raise if queued_jobs.slice(*@jobs.values).empty?
      end

      # { number of a job of the user => its state }.
      def queued_jobs(*which)
        self.class.call("squeue", "--noheader", "--me", "--format=%A %T", *which)
            .lines.to_h { |line| line.split(" ", 2).map(&:strip) }
      end

      def cancel(*which) = self.class.call("scancel", "--state=#{PENDING}", *which)

      def name(id) = "mohs-#{@run}-#{id}"

      def command(id) = Shellwords.join(Fleet.mohs("run-cohort", id.to_s))

      # The number of the new job. A partition may have none but the nodes that are left out: sinfo
      # lists those of all partitions.
      def job(id, queue)
        failed = failed_nodes(id, queue)
        return submitted(id, queue) if failed.empty?

        begin
          number = submitted(id, queue, "--exclude=#{failed.join(',')}")
          @without[id] = queue
          number
        rescue RefusedNodesError
          submitted(id, queue)
        end
      end

      # A cohort that had two jobs would be measured by both: it gets no other before it is known
      # what became of the first.
      def submitted(id, queue, *where)
        number = (queued(id) if @unsure.include?(id)) || sbatch(id, queue, *where)
        @unsure.delete(id)
        number
      rescue RefusedNodesError
        raise
      rescue EnvironmentError => error
        @unsure |= [id]
        adopted(id) or raise error
      end

      # The number of a job that Slurm has taken without an answer to sbatch; nil if there is none.
      def queued(id) = queued_jobs("--name=#{name(id)}").keys.first

      def adopted(id)
        queued(id)&.tap { @unsure.delete(id) }
      rescue EnvironmentError
        nil
      end

      def sbatch(id, queue, *where)
        self.class.call("sbatch", "--parsable", "--exclusive", "--requeue", "--nodes=1",
                        "--export=ALL", "--output=#{log('%j')}", "--job-name=#{name(id)}",
                        *queue.options, *where, "--wrap=exec #{command(id)}").strip[/\A\d+/]
      end

      # A node that fails at once (its disk is full) is always free, and would use up the tries of
      # every cohort: it gets none again while another node can take it.
      def failed_nodes(id, queue, nodes = nil)
        failed = queue.node ? [] : @failed.call(id)
        return [] if failed.empty?

        nodes ||= self.class.nodes
        able = nodes.select { |node| (queue.features - node.features).empty? }.map(&:name)
        left_out = able & failed
        left_out == able ? [] : left_out
      end

      # A job waits for as long as there is no node that it may have: once those that it could have
      # are gone, it may have the others after all.
      def allow_failed(ids)
        waiting = @without.slice(*ids)
        return if waiting.empty?

        nodes = self.class.nodes
        waiting.each { |id, queue| allow_any_node(id) if failed_nodes(id, queue, nodes).empty? }
      end

      def allow_any_node(id)
        self.class.call("scontrol", "update", "JobId=#{@jobs[id]}", "ExcNodeList=")
        @without.delete(id)
      rescue EnvironmentError
        nil # it has begun, or the controller is away: the next look tries again
      end

      def log(job) = File.join(@logs, "#{job}.log")

      def refuse_endless(id)
        path = log(@jobs[id])
        last = LogExcerpt.reason(File.read(path)) if File.file?(path)
        raise EnvironmentError, "Slurm: the jobs of a cohort end before it is measured" \
                                "#{": #{last}" if last}. Is there a time limit " \
                                "(SBATCH_TIMELIMIT)? Try it on a node: srun #{command(id)}"
      end
    end
  end
end
