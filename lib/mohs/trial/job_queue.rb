# frozen_string_literal: true

require "fileutils"

module Mohs
  class Trial
    # The job queue of a trial's application: what the page that mohs adds to the application
    # reports (inside/jobs_page.rb), and the process that runs the jobs, if the study names one.
    class JobQueue
      # Seconds between two checks that the worker is still running, while its first job is awaited.
      POLL_S = 0.05
      NAME = "the worker"
      STOP_SIGNAL = "TERM"
      # The page's status if there is no queue.
      NONE = 501
      # Where the page and the jobs write errors (inside/jobs.rb), each with its code.
      FAULTS = "faults"
      # The code of jobs that did not run, and the usual reason.
      LOST = "lost"
      WORKERLESS = "If another process runs the jobs, name its command: " \
                   "--worker \"bundle exec sidekiq\", or worker in study.yml."

      # What the page reports about the queue: `api`, a name of Study::Jobs::APIS, and the `adapter`
      # of Active Job ("sidekiq"; nil if the queue is not Active Job's).
      #: () -> { api: String, adapter: String? }?
      attr_reader :facts

      # folder: of the trial, which its processes know.
      #: (setup: Trial::Setup, folder: String, place: Cohort::Layout::Place, spawner: Process::Spawner) -> void
      def initialize(setup:, folder:, place:, spawner:)
        @setup = setup
        @jobs = setup.jobs
        @trial_folder = folder
        @folder = setup.jobs_env(folder).fetch("MOHS_JOBS")
        @place = place
        @spawner = spawner
        @log = ServerLog.new(File.join(folder, "worker.log"))
        FileUtils.mkdir_p(@folder)
      end

      # Called when the server is ready: asks for its queue, starts the worker, and waits until a
      # first job and a first batch have run. beside: variables of its services. Raises TrialError.
      #: (Http::Client, Hash[String, String]) -> void
      def boot(client, beside)
        @facts = queue(client.ask(@jobs.inquiry))
        start(beside) if @jobs.worker
        try(client, @jobs.first, remedy: (WORKERLESS unless @jobs.worker))
        try(client, @jobs.request)
      end

      # Raises TrialError if a batch went wrong. remedy: what to try if its jobs did not run.
      #: (?remedy: String?) -> void
      def must_be_right(remedy: nil)
        faults = File.exist?(faults_path) ? File.readlines(faults_path, chomp: true) : []
        return if faults.empty?

        code, text = Process::Text.utf8(faults.first).split(" ", 2)
        more = " (and #{Wording.thousands(faults.size - 1)} more like that)" if faults[1]
        reason = Reason.new(summary: "#{text}#{more}", remedy: (remedy if code == LOST),
                            code: "jobs_wrong", values: { fault: code })
        raise TrialError.new(reason, state: :invalid)
      end

      # Raises TrialError with this code and state if the worker has ended.
      #: (String, ?state: Symbol) -> void
      def must_live(code, state: :failed)
        return if @child.nil? || @child.alive?

        @child.kill # its surviving processes
        reason = Readiness.ending(@child, code, name: NAME)
        raise TrialError.new(explained(reason), state:, log_tail: log_tail)
      end

      # Processes of the worker.
      #: () -> Array[Integer]
      def pids = @child ? @child.pids : []

      # The worker's processes that live as long as it does: the first one, and Rubies that it
      # forked.
      #: () -> Array[Integer]
      def lasting
        inside = File.join(@trial_folder, "inside")
        pids.select { |pid| pid == @child.pid || File.pipe?(File.join(inside, "#{pid}.ask")) }
      end

      #: () -> Integer?
      def supervisor = @child&.supervisor

      # Keeps the log small.
      #: () -> void
      def trim = @log.trim

      # The end of the worker's log; nil without a worker.
      #: () -> String?
      def log_tail = @child&.log_tail(Trial::LOG_LINES)

      # Stops the worker. Safe to call again.
      #: (grace_s: Numeric) -> void
      def stop(grace_s:) = @child&.stop(signal: STOP_SIGNAL, grace_s:)

      private

      def start(beside)
        command = @setup.worker_command(@trial_folder, beside)
        @child = @spawner.spawn(command, log: @log.path, cpus: @place.cpus)
      end

      def queue(reply)
        raise no_queue(reply.text.strip) if reply.status == NONE
        raise unserved(reply) unless reply.status == 200

        api, adapter = reply.text.split
        { api:, adapter: }
      end

      def try(client, request, remedy: nil)
        reply = awaited { client.ask(request, timeout_s: @jobs.timeout_s) }
        must_be_right(remedy:)
        raise unserved(reply) unless reply.status == 200
      end

      # The block's value. Raises TrialError if the worker ends before the block does.
      def awaited(&)
        asking = Thread.new(&)
        asking.report_on_exception = false
        must_live("ended_before_job", state: :refused) until asking.join(POLL_S)
        asking.value
      ensure
        asking.kill.join
      end

      def no_queue(text)
        *names, last = Study::Jobs::APIS.values
        remedy = "Name the folder of an application that loads #{names.join(', ')} or #{last}: " \
                 "mohs jobs DIR"
        TrialError.new(Reason.new(summary: "the application has no job queue (#{text})", remedy:,
                                  code: "no_queue", values: { text: }), state: :refused)
      end

      def unserved(reply)
        why = if reply.status == 500 then reply.quote(reply.text.lines.first.to_s.strip)
              else "mohs could not add this page to the application"
              end
        TrialError.new("#{@jobs.inquiry} returned #{reply.status}: #{why}", state: :refused,
                       code: "no_jobs_page", values: { status: reply.status, why: })
      end

      # Adds the last line of the worker's own log to the summary.
      def explained(reason)
        last = LogExcerpt.reason(log_tail)
        Reason.new(summary: [reason.summary, *last].join(": "), remedy: reason.remedy,
                   code: reason.code, values: { **reason.values, worker: @jobs.worker })
      end

      def faults_path = File.join(@folder, FAULTS)
    end
  end
end
