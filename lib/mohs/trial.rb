# frozen_string_literal: true

module Mohs
  # One trial of a server process tree: boot, attest, check, warm up, be measured, stop. A failure
  # of the server raises TrialError, which ends the trial with a state and a reason (`outcome`) but
  # never ends the cohort.
  class Trial
    # Seconds that a server gets after its own stop signal before it is killed. No request is under
    # way then.
    STOP_GRACE_S = 2

    # Seconds to wait for the exit of a server that has stopped responding.
    DYING_S = 0.5

    # Seconds that a worker may take to accept a connection, to be known as the one that responds.
    ACCEPTED_S = 0.2

    # With a given rate, more connections are opened while all are busy: the limit exceeds any
    # number of threads, so that requests wait in the server, and stays below its limit of
    # descriptors.
    MOST_CONNECTIONS = 256

    # Lines of a server's log that are read: the crash report of a large application lists
    # everything that was loaded and mapped.
    LOG_LINES = 20_000

    # One step of load on a trial: `block` and `position` in the cohort's schedule (nil in warm-up),
    # `result` a Load::StepResult, `half` the half of the machine it ran on, if trials swap halves.
    Sample = Struct.new(:block, :position, :result, :half, keyword_init: true)

    # Seconds that a request may take for each connection, and at most: with one process and a page
    # of 60 ms, the last of 256 waits for 16 s. A server that hangs is noticed that much later.
    TURN_S = 0.1
    LONGEST_TURN_S = 60

    # Seconds in which a worker that has ended is replaced by another process.
    WORKERS_S = 5

    attr_reader :id, :setup, :boot_ns, :attested, :attested_at_end, :answers, :memory, :outcome,
                :warm_up, :samples, :recording, :first_failed, :worker_use, :peak_rss_bytes,
                :idle, :left_out, :child, :diagnosis, :front_cost,
                :readings, :profile, :found, :outside
    attr_accessor :half # of the machine, if trials swap halves (Cohort::CoreSwap)

    # Was it seen that its connections wait for a thread (Cohort::Crowds#look)?
    attr_accessor :crowded

    # folder: a scratch folder of this trial alone (log, generated configuration, the pipes of its
    # processes). place: its cores, and the driver thread that loads it. bind: where it listens;
    # nil: the trial chooses. data: the data of its services; nil if it has none. host: the address
    # of this machine that load goes to; nil: loopback.
    #: (id: Integer, setup: Trial::Setup, folder: String, place: Cohort::Layout::Place, spawner: Process::Spawner, ?bind: Servers::Bind?, ?data: Trial::ServiceData?, ?host: String?) -> void
    def initialize(id:, setup:, folder:, place:, spawner:, bind: nil, data: nil, host: nil)
      @id = id
      @bind = bind
      @host = host
      @setup = setup
      @folder = folder
      @place = place
      @cpus = place.cpus
      @spawner = spawner
      @data = data
      @memory = {}
      @samples = []
      @worker_use = WorkerUse.new
      @front = nil
      @job_queue = nil
      @readings = []
      @server_log = ServerLog.new(File.join(folder, "server.log"))
      @app_log = ServerLog.new(File.join(folder, Setup::APP_LOG))
    end

    #: () -> String
    def name = @setup.variant.name

    # Number of cores that it may run on; nil: all.
    #: () -> Integer?
    def cores = @place.cpus&.size

    # The driver thread that loads it.
    #: () -> Integer
    def worker = @place.worker

    #: () -> bool
    def over? = !@outcome.nil?

    # Did it end because a setting that the user asked for is another, or makes no difference?
    #: () -> bool
    def unmet? = over? && @setup.named? && Store::Trial::UNMET.include?(@outcome[:reason].code)

    # Requests sent to it so far.
    #: () -> Integer
    def sent = @samples.sum { |sample| sample.result.sent }

    # Whether the server has private services.
    #: () -> bool
    def services? = @setup.services.any?

    # Starts the services. Their start time doesn't count as the server's. Calls the block before
    # data are prepared.
    #: () ?{ () -> void } -> void
    def start_services(&preparing) = @services = @data.start(@setup, cpus: @cpus, &preparing)

    # Keeps its processes, and those of its services, on these cores from now on. Raises TrialError
    # if one of them can't be moved: it belongs to another user, or a cpuset holds it elsewhere.
    #: (Array[Integer]?) -> void
    def move(cpus)
      return if cpus == @cpus

      Process::CpuSet.pin(cpus) { all_pids }
      @cpus = cpus
    rescue Errno::EPERM, Errno::EINVAL => error
      raise TrialError.new("its processes can't be moved to cores #{cpus.join(', ')}: " \
                           "#{error.message}", code: "not_moved", values: { cpus: })
    end

    # What is known of the job queue (JobQueue#facts); nil unless jobs are measured.
    #: () -> { api: String, adapter: String? }?
    def job_queue = @job_queue&.facts

    # What is known of the services; nil if it has none.
    #: () -> Array[Hash[Symbol, untyped]]?
    def services = @services&.facts

    # Spawns the server and waits for its first complete response and its workers; then for a
    # response through the front, if there is one.
    #: (?limit_s: Numeric) -> void
    def boot(limit_s: boot_limit_s)
      FileUtils.mkdir_p(inside)
      extension = @setup.extension.path
      File.write(File.join(@folder, Probes::Inside::FILE), @setup.inside(extension:))
      @own_logs = @setup.own_logs(@folder).map { |path| App::OwnLog.new(path) }
      @job_queue = JobQueue.new(setup: @setup, folder: @folder, place: @place, spawner: @spawner) \
        if @setup.jobs
      @launch = @setup.launch(bind, @folder)
      # One of these files may be a script.
      beside = @services ? @services.env : {}
      files = @setup.files(@launch, @folder, beside)
      files.each { |path, text| File.write(path, text, perm: 0o700) }
      spawn(@setup.command(@launch, @folder, beside))
      @boot_ns = readiness.wait(limit_s)
      @booted = true
      @declared_workers = declared_workers # the log that names it may be truncated later
      @app_preloaded = @launch.preloaded?(@server_log.text)
      stand_in_front if @setup.front
      @job_queue&.boot(client, beside)
      @memory[:after_boot] = memory_now
    end

    # Asks the server's own processes for their settings. A JIT other than the declared one makes
    # the figures meaningless, as does an allocator that was not loaded.
    #: () -> void
    def attest
      @attested = attestation
      must_be_preloaded
      must_be_read
      name, = @setup.expected.find { |key, value| ![value, nil].include?(@attested[key]) }
      raise TrialError.new(FailureReason.unmet(name, @attested, @setup), state: :invalid) if name
    end

    # Asks the warm server for its JIT, if the application decides about it: it may have turned one
    # on after its first response.
    #: () -> void
    def attest_warm
      return unless @setup.own_jit?

      @attested = @attested.merge(attestation.slice(:jit, :jit_by_app))
    end

    # Raises TrialError if this variant differs from that of `other` only in its JIT, and both run
    # the same: then there is nothing to measure. That neither has one is only known at the end: an
    # application may turn one on at any time.
    #: (Trial) -> void
    def must_differ_from(other)
      variants = [@setup.variant, other.setup.variant]
      return unless variants.first.same_but_for_jit?(variants.last)

      jit = last_jit
      return unless jit && jit == other.last_jit
      return if jit == Rubies::Engines::Base::NO_JIT && ![self, other].all?(&:attested_at_end)

      raise TrialError.new(FailureReason.same_jit(@attested, *variants, @setup.ruby.flags),
                           state: :invalid, log_tail: "")
    end

    # The JIT that the server attested last; nil if unknown.
    #: () -> String?
    def last_jit = (@attested_at_end || @attested)[:jit]

    # Runs the application's own checks, then learns the expected responses from the first few
    # requests.
    #: () -> void
    def check
      signed = sign_in
      @learner = App::ResponseLearner.new(client, log: -> { redact(whole_log) },
                                                  complete: @setup.method(:complete),
                                                  secret_files: @setup.secret_files,
                                                  signed_in: !@login.nil?)
      @learner.verify(@setup.checks.map { |check| check.with_request(signed.call(check.request)) })
      @answers = @learner.learn(@setup.requests.map(&signed))
      @setup.streams&.verify(@answers.first) { |post| client.ask(post).status }
      @answers = @answers.map { |answer| answer.noted(@login.to_s) } if @login
      @left_out = @learner.left_out_facts
      @job_queue&.must_be_right
      prepare
    rescue TrialError
      must_live_in_checks if @front || @job_queue
      @job_queue&.must_be_right
      raise
    end

    # For its warm-up: how often each page is called, and how much of the time it takes.
    #: () -> Array[Trial::WarmUp::Pages::Page]
    def pages
      return WarmUp::Pages.of_scenario(scenario) if scenario

      WarmUp::Pages.of(@answers) { |answer| @learner.fastest_s(answer) }
    end

    # Raises TrialError if this server's responses are of another kind than `other`'s.
    #: (Trial) -> void
    def match_answers(other)
      difference = App::SameAnswers.difference(@answers, other.answers) or return
      values = { **difference.to_h, variant: (other.name unless other.name == name) }
      raise TrialError.new(Reason.new(code: "answers_differ", values:), state: :invalid)
    end

    #: () -> Load::Target
    def target
      requests = @answers.map { |answer| Load::Request.of(answer) } unless scenario
      Load::Target.new(name:, **address.to_h, connections:, requests:, scenario:,
                       max_connections: (MOST_CONNECTIONS if rate),
                       keep_alive: @setup.keep_alive, workers: [worker], owned: !@host.nil?,
                       **patience, **turn)
    end

    # Requests per second that fall due while it is measured; nil: each connection sends its next
    # request when it has its response.
    #: () -> Integer?
    def rate = @setup.rate

    # Connections to keep busy: as declared; where they fill the server's threads, as many as keep
    # all of those busy that it attested.
    #: () -> Integer
    def connections
      return @setup.connections unless slots

      processes, threads = @attested.values_at(:workers, :threads)
      @setup.busy_connections(processes:, threads:)
    end

    # Where connections fill the server's threads (Loading#fills_threads?): requests that it works
    # on at the same time, as attested; nil if unknown.
    #: () -> Integer?
    def slots = (Analysis::ConnectionsExceedThreads.slots(@attested.to_h) if @setup.fills_threads?)

    # What the clients do; nil: they send the requests.
    #: () -> Load::Scenario?
    def scenario = @setup.scenario

    # Logs each client in, which is not part of what is measured. index: of the trial's target.
    #: (Drivers::Base, Integer) -> void
    def log_in(driver, index)
      login = Load::Login.new(driver, scenario, redact: @setup.redaction, target: index)
      loaded(nil, nil, login.call)
    end

    # Called when load begins: from now on the tree's memory is sampled.
    #: (Trial::WarmUp | Trial::Batches | Trial::StreamWarmUp) -> void
    def warming(rule)
      @warm_up = rule
      names = Rubies::Engines.named(@setup.engine)::COMPILERS
      @compilers = Probes::Compilers.new(names) if names
      read_compilers
      @logged_at_start = logged
      @sampler = Probes::Memory::Sampler.new(-> { pids }).start
    end

    # Takes a step of its warm-up, after `loaded`.
    #: (Load::StepResult) -> void
    def warmed_by(result)
      read_compilers
      @warm_up << result
    end

    # Records what the JIT has compiled so far, before the first batch of a cold start or after a
    # batch. No trial of the cohort may be under load.
    #: () -> void
    def take_jit_reading
      @jit_figures ||= jit_figures.tap { |figures| figures.read(probed) } # as in `measuring`
      @warm_up.read(@jit_figures.read(probed))
    end

    #: () -> void
    def warmed
      @memory[:after_warm_up] = memory_now
      @worker_use.warmed(workers)
    end

    # Called when all living trials are warm: from now on they are measured in turns.
    #: () -> void
    def measuring
      @probed = probed
      @warm_up_steps = @samples.size
      @kernel_figures = Probes::KernelFigures.new
      between_blocks = Probes::Inquiry.new(inside) # a shorter timeout than during boot
      @inside_figures = Probes::InsideFigures.new(between_blocks)
      @inside_figures.read(@probed) # the first one takes longer: engines load and compile for it
      @profiler = Probes::Profiler.new(inside, between_blocks) if @setup.profiled?
      @profiler&.start(@probed)
      take_reading(nil)
      @rest = IdleWait.new(pids, @samples.size, compilers: compilers?)
      @front&.measuring(sent)
      @services&.measuring(sent)
    end

    # Reads the figures of the kernel and of the server's processes after this block (nil: before
    # the first). No trial of the cohort may be under load.
    #: (Integer?) -> void
    def take_reading(block)
      return @rest.outside(pids) { record_reading(block) } if @rest

      record_reading(block)
    end

    # How long its threads have waited for a core since the first reading; nil if that is unknown.
    #: () -> Integer?
    def core_wait_ns = Store::Reading.rise(@readings, :cpu_wait_ns)

    # CPU time, since the first reading, of the programs that it ran and that have ended; nil if
    # that is unknown. Compilers are such programs, too.
    #: () -> Integer?
    def programs_ns = (Store::Reading.rise(@readings, :programs_ns) unless compilers?)

    # Takes one step of load on this trial; block and position are nil in warm-up.
    #: (Integer?, Integer?, Load::StepResult) -> void
    def loaded(block, position, result)
      @samples << Sample.new(block:, position:, result:, half: @half)
      [@server_log, @app_log, *@front, *@job_queue].each(&:trim)
    end

    # Called for a step in which one of its processes had too little of the load
    # (WorkerUse#unevenly_loaded).
    #: (?repeated: bool) -> void
    def unevenly_loaded(repeated: false) = @worker_use.unevenly_loaded(repeated:)

    # The fewest and the most connections that one of its workers has accepted, of the `count` that
    # the driver has open; nil if they are not found, as behind a front.
    #: (Integer) -> [Integer, Integer]?
    def count_connections(count)
      found = @front ? [] : Probes::Listener.accepted(bind.unix || bind.port, workers)
      @worker_use.connections(found, count)
    end

    # Waits until it has as many workers as declared, but no longer than WORKERS_S: it may be about
    # to replace one.
    #: () -> void
    def await_workers
      deadline = Clock.deadline(WORKERS_S)
      sleep 0.02 until workers.size >= declared_workers || Clock.mono_ns > deadline
    end

    # Raises TrialError if the server has ended by itself or has stopped responding, or if its last
    # `count` steps brought no correct response.
    #: (Integer) -> void
    def must_answer(count)
      must_live
      @job_queue&.must_be_right
      last = @samples.last(count).map(&:result)
      return if last.any? { |result| result.good.positive? } && last.none?(&:gone)

      @child.wait(DYING_S) # it may be about to exit, and then that is the reason
      must_live
      diagnose
      raise TrialError.new(FailureReason.unanswered(last), state: :invalid)
    end

    # Called after the last block: what it does from now on slows no other. (The procedure may have
    # a last load for it, or servers loaded together are brought to the same number of requests.)
    #: () -> void
    def measured = @idle = idle_activity

    # Takes what the procedure's last load found on it. Raises `error` if one is given, as the
    # server no longer responds, or the error of a server that has ended, which says more.
    #: (Hash[Symbol, untyped], ?error: TrialError?) -> void
    def take(found, error: nil)
      @found = found
      must_live if error
      raise error if error
    end

    # Takes the last readings, at rest after the load; what may keep the server busy comes last.
    #: () -> void
    def finish
      must_live
      @worker_use.finish(workers) # before each is asked anything, which takes CPU time, too
      @job_queue&.must_be_right
      @profile = @profiler&.stop
      @front_cost = @front&.cost(sent)
      @memory[:at_end] = memory_now
      @services&.measured(sent)
      @outside = Probes::OpenFiles.outside(application_pids, app: @setup.app, ours: @folder)
      @attested_at_end = attestation
      @warm_up.keep(@saved_code.compiled) if @saved_code
      # Workers are forked again only after they have served.
      @attested = @attested.merge(@attested_at_end.slice(:generation, :unattested)) if
        @setup.variant.refork
      diagnose
      @answers = @learner.annotate(@answers)
    end

    # Bytes that the server and the application wrote to their logs per request; nil if none was
    # sent.
    #: () -> Float?
    def logged_per_request = ((logged - @logged_at_start).fdiv(sent) if sent.positive?)

    # Takes the recording of every request sent to it.
    #: (Load::Recording, Load::FailedResponse?) -> void
    def recorded(recording, first_failed)
      @recording = recording
      @first_failed = first_failed
    end

    # Processes of the server, of its front and of the worker that runs its jobs.
    #: () -> Array[Integer]
    def pids = [*application_pids, *@front&.pids]

    # These and the processes of its services, whose CPU time and memory are not part of its
    # figures.
    #: () -> Array[Integer]
    def all_pids = [*pids, *@services&.pids]

    # Processes that live as long as the server does. The CPU clock of a compiler that MJIT has just
    # started can't be read any more once it has ended.
    #: () -> Array[Integer]
    def lasting
      [@child.pid, *workers, *@launch.helpers(command_lines), *@job_queue&.lasting,
       *@front&.pids].uniq
    end

    # The supervisors above the server, its front, the worker that runs its jobs, and its services.
    #: () -> Array[Integer]
    def supervisors
      [@child&.supervisor, @front&.supervisor, @job_queue&.supervisor,
       *@services&.supervisors].compact
    end

    # Processes that serve: those whose title says so, else the server's first process (which may
    # serve by itself under the application's own configuration).
    #: () -> Array[Integer]
    def workers
      workers = @launch.workers(command_lines, root: @child.pid)
      workers.empty? && @launch.expected_processes.nil? ? [@child.pid] : workers
    end

    # From the command line, or from what the server's log says about the application's
    # configuration.
    #: () -> Integer
    def declared_workers = @declared_workers || @launch.expected(@server_log.text) || 1

    # The lines of the server's logs that are worth reading.
    #: () -> String
    def log_excerpt = LogExcerpt.of(redact(whole_log))

    # Ends the trial as a result: the state, the reason, and the server's last lines.
    #: (TrialError) -> void
    def end_as(error)
      log = redact(error.log_tail || whole_log)
      reason = error.reason
      reason = FailureReason.unbooted(reason, log:, alive: @child&.alive?) if unbooted?
      reason = @setup.complete(reason).map { |text| redact(text) }
      @outcome ||= { state: error.state.to_s, reason:, log_tail: LogExcerpt.of(log) }
      stop
    end

    # Stops everything by its own signal, then by force: the front first, while the server still
    # answers its requests; then the server, the worker that runs its jobs, and its services. Safe
    # to call again.
    #: (?grace_s: Numeric) -> void
    def stop(grace_s: STOP_GRACE_S)
      @peak_rss_bytes ||= @sampler&.stop
      @front&.stop(grace_s:)
    ensure
      stop_server(grace_s)
    end

    private

    # With the steps that were set aside: the figures count their requests, too.
    def record_reading(block)
      results = @samples.drop(@warm_up_steps).map(&:result)
      @readings << Store::Reading.new(
        block:, sent: results.sum(&:sent), good: results.sum(&:good),
        kernel: @kernel_figures.read(@probed), inside: @inside_figures.read(@probed)
      )
    end

    def idle_activity = @rest&.call(pids, @samples.map(&:result))

    # Does its JIT compile in processes of their own?
    def compilers? = @attested&.dig(:jit) == Rubies::Engines::Cruby::MJIT

    # Whether it ended during boot. Services that could not be started have reasons of their own.
    def unbooted? = !@booted && (!services? || @services)

    # Nothing interrupts it, not even Thread#kill: a server that no list has would never be stopped.
    def spawn(command)
      Thread.handle_interrupt(Object => :never) do
        @child = @spawner.spawn(command, log: @server_log.path, cpus: @cpus)
      end
    end

    def stop_server(grace_s)
      return unless @child

      @child.stop(signal: @setup.stop_signal, grace_s:)
    ensure
      stop_beside(grace_s)
    end

    def stop_beside(grace_s)
      @job_queue&.stop(grace_s:)
    ensure
      @services&.stop
      @lease&.release
    end

    # What makes a request one of the user who signs in, if there is one.
    def sign_in
      login = @setup.login or return :itself.to_proc
      @login = App::SignIn.new(client, **login.to_h, redaction: @setup.redaction)
      headers = @login.call(@setup.first_request.path)
      ->(request) { request.signed(headers) }
    end

    def client = Http::Client.new(**address.to_h, **@setup.reading, **patience)

    # In a closed loop each of many connections waits for its turn.
    def turn
      wait_s = [TURN_S * connections, LONGEST_TURN_S].min
      rate || wait_s <= patience.fetch(:timeout_s, Load::TIMEOUT_S) ? {} : { timeout_s: wait_s }
    end

    # A request may take as long as a batch of jobs may.
    def patience = { timeout_s: @setup.jobs&.timeout_s }.compact

    def server_pids = @child ? @child.pids : []

    # With the worker that runs its jobs: usually the same program.
    def application_pids = [*server_pids, *@job_queue&.pids]

    def memory_now = Probes::Memory.read(*[application_pids, @front&.pids].compact)

    # Where the load goes.
    def address = @front ? @front.bind : bind

    def stand_in_front
      @front = Front.new(setup: @setup, upstream: bind, folder: File.join(@folder, "front"),
                         place: @place, spawner: @spawner, host:)
      @front.boot(@setup.first_request, boot_limit_s)
    end

    def boot_limit_s = Rubies::Engines.named(@setup.engine)::BOOT_LIMIT_S

    def redact(text) = @setup.redaction.call(text)

    # Does what the variant asks for once the application is loaded. Workers that share its memory
    # must inherit the result from the process that forked them.
    def prepare
      names = @setup.preparations
      return if names.empty?

      @attested = attestation(prepare: names) unless @setup.prepared_before_fork?
      missing = (names - @attested.fetch(:prepared)).first or return
      call = Study::Variant::PREPARATIONS.fetch(missing)
      raise TrialError.new("#{call} was not done in every process that serves",
                           code: "not_prepared", values: { call: })
    end

    def must_be_preloaded
      library, pid = Probes::Libraries.missing(@setup.preloaded, [@child.pid, *workers].uniq)
      return unless library

      remedy = "The dynamic linker ignores a library in LD_PRELOAD that does not exist, is for " \
               "another libc or architecture, or would be loaded into a setuid program."
      summary = "#{library} is not mapped in process #{pid}"
      raise TrialError, Reason.new(summary:, remedy:, code: "not_preloaded", values: { library: })
    end

    # An allocator ignores another allocator's variables without a warning.
    def must_be_read
      malloc = @attested[:malloc] or return
      names = @setup.ignored_by(malloc)
      return if names.empty?

      raise TrialError.new("#{names.join(', ')}: not read by this server's allocator, #{malloc}",
                           code: "malloc_ignores", values: { names:, malloc: }, state: :invalid)
    end

    def must_live = none_ended("died_under_load")

    # Otherwise a front's response, usually 502, would be taken for the server's.
    def must_live_in_checks
      @child.wait(DYING_S)
      none_ended("died_in_checks")
    end

    def none_ended(code)
      raise TrialError, Readiness.ending(@child, code) unless @child.alive?

      @front&.must_live(code)
      @job_queue&.must_live(code)
    end

    # What the front uses is not part of the server's figures.
    def probed = lasting - [*@front&.pids]

    def jit_figures
      @saved_code = @setup.saved_code(@folder, @server_log.path)
      told = Probes::InsideFigures.new(Probes::Inquiry.new(inside))
      Probes::JitFigures.new(told, saved: @saved_code)
    end

    def read_compilers = (@warm_up.compilers(@compilers.read(application_pids)) if @compilers)

    def logged = @server_log.written + @app_log.written

    # Asks again if responses were wrong under load, to see whether they are wrong one at a time,
    # too.
    def diagnose
      errors = Analysis::Figures.sum(@samples.map { |sample| sample.result.errors })
      wrong = errors.slice(*Analysis::Checks::Answers::WRONG).values.sum
      return if wrong.zero? || scenario # whose steps mean nothing out of order

      diagnosis = App::AnswerDiagnosis.new(
        client, answers: @answers, connections:, worker_of: method(:worker_of),
      )
      @diagnosis = { **diagnosis.call(wrong.fdiv(sent)), processes: workers.size,
                     threads: @attested[:threads], instead: @setup.one_at_a_time }
    end

    # The worker that has accepted the connection from this port; nil if there is only one, or if
    # the front accepted the connection.
    def worker_of(port)
      pids = workers
      return if pids.size < 2 || @front

      deadline = Clock.deadline(ACCEPTED_S)
      until (pid = Probes::Listener.serving(bind.port, port, pids)) || Clock.mono_ns > deadline
        sleep 0.002
      end
      pid
    end

    # Counts the living workers, and those that used CPU while load ran (a tick is 10 ms: more than
    # an idle worker uses).
    # A socket's path holds at most 107 bytes.
    def bind
      @bind ||= if @setup.variant.unix
                  Servers::Bind.new(unix: File.join(@folder, "socket"))
                else
                  at = @setup.front ? Process::Port::HOST : host
                  @lease = Process::Port.lease(host: at)
                  Servers::Bind.new(host: at, port: @lease.number)
                end
    end

    def host = @host || Process::Port::HOST

    def inside = File.join(@folder, "inside")

    # All logs, the application's own included. The front's comes first, since it only says that it
    # got no response.
    def whole_log
      [@front&.log_tail, @job_queue&.log_tail, @child&.log_tail(LOG_LINES),
       *@own_logs&.map(&:tail)].compact.join
    end

    # Its processes may take as long to answer as to boot: a JVM compiles all the while.
    def inquiry = @inquiry ||= Probes::Inquiry.new(inside, answer_s: boot_limit_s)

    def attestation(**options)
      serving = workers
      named = serving unless serving == [@child.pid]
      facts = Probes::Attestation.read(inquiry, server_pids, workers: named,
                                       threads: @setup.variant.threads, **options)
      flags = @setup.attested_flags(facts.fetch(:flags))
      facts = { **facts, flags:, jit_by_app: @setup.jit_by_app(facts), **seen_from_outside(facts) }
      lacking = (@setup.variant.flags - flags).map { |flag| "flag #{flag}" }
      facts.merge(unattested: (facts[:unattested] | unseen(facts)) + lacking)
    end

    # What no process reports about itself.
    def seen_from_outside(facts)
      malloc = Process::Allocators.certain(facts[:malloc], facts[:variables]["LD_PRELOAD"])
      seen = { malloc:, **{ socket: ("unix" if unix?), front: @front&.attested,
                            preload: @app_preloaded }.compact }
      return seen unless @setup.variant.refork

      { **seen, generation: @launch.generation(command_lines) }
    end

    def unseen(facts)
      variant = @setup.variant
      { "preload" => variant.preload && !facts[:preload],
        "socket" => variant.unix && !facts[:socket],
        "malloc" => facts[:malloc].nil?,
        "refork" => variant.refork && !facts[:generation].to_i.positive?,
        "front" => @front && facts[:front][:version].nil? }.select { |_, is| is }.keys
    end

    def command_lines = server_pids.to_h { |pid| [pid, Process::Tree.command_line(pid)] }

    def unix? = bind.unix && Probes::Listener.unix_pids(bind.unix, server_pids).any?

    def readiness
      Readiness.new(bind:, request: @setup.first_request, child: @child,
                    streams: @setup.streams) do
        [[workers.size, *@launch.booted(@server_log.text)].min, declared_workers]
      end
    end
  end
end
