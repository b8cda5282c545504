# frozen_string_literal: true

module Mohs
  # Runs a run's cohorts in their order until none is left, and reports events. Starting and
  # resuming are the same: what is done stays done, and a cohort whose process died is queued again
  # first.
  class Runner
    # A mohs on another host that was silent for this long is considered dead.
    SILENT_MS = 300_000

    # on_event: called with a name and a hash, to show progress: :cohort_started, :trial, :install,
    # :installed, :plan_changed, :cohort_finished, :finished. announced_s: how long the rest of the
    # run takes, as announced (nil: it was not), estimated from these `costs`; open: nobody was told
    # that time yet, since the costs are not known. budget_s: how long the run may take (nil: as its
    # study says). host: the name of this host in a fleet (nil: not in a fleet).
    #: (store: Store, run_id: Integer, ?on_event: Proc, ?setups: Trial::Setups, ?execution: Class, ?costs: Plan::Costs, ?announced_s: Numeric?, ?open: bool, ?budget_s: Numeric?, ?clock: Module, ?host: String?) -> void
    def initialize(store:, run_id:, on_event: ->(*) {}, setups: Trial::Setups.new,
                   execution: Cohort::Execution, costs: Plan::Costs.new, announced_s: nil,
                   open: false, budget_s: nil, clock: Clock, host: nil)
      @store = store
      @host = host
      @run_id = run_id
      @on_event = on_event
      @setups = setups
      @execution = execution
      @costs = costs
      @announced_s = announced_s
      @open = open
      @budget_s = budget_s
      @clock = clock
      @headroom = Cohort::HeadroomProbe.new
    end

    # The real state of a run: the store still says "running" if its mohs was killed. cohorts: the
    # run's rows.
    #: (Store::Run | Store::Listing, Array[Store::Cohort], ?now_ms: Integer) -> String
    def self.state(run, cohorts, now_ms: Clock.real_ms)
      return run.state unless run.running?

      held = cohorts.select(&:running?)
      # Between two cohorts no process holds one: then the holder of the last one counts.
      held = [cohorts.select(&:finished_ms).max_by(&:finished_ms)].compact if held.empty?
      held.any? { |cohort| alive?(cohort, now_ms) } ? "running" : "interrupted"
    end

    # Whether the process that holds or held this cohort is alive. A process of this host can be
    # looked up; a process of another host sends a heartbeat every few seconds, by a clock that may
    # differ.
    def self.alive?(cohort, now_ms)
      token = cohort.token
      return false unless token && Cohort::Token.alive?(token)

      seen_ms = [cohort.heartbeat_ms, cohort.finished_ms].compact.max
      !Cohort::Token.holder(token).nil? || (now_ms - seen_ms.to_i).abs < SILENT_MS
    end
    private_class_method :alive?

    # The run with this key (nil: the newest) in its real state, with everything that the store has
    # about it except observations.
    #: (Store, String?) -> Store::Run
    def self.result(store, key)
      run = key ? store.run(key) : store.runs(limit: 1).first
      raise UsageError, "there is no run yet; mohs measures the application here" unless run

      stored = store.result(run.id)
      stored.with(state: state(stored, stored.cohorts))
    end

    # Returns the run's analysis at its end, or after Ctrl-C or another signal that ends mohs (its
    # state is then "interrupted").
    #: () -> Analysis::Run
    def call
      @store.release_stale(@run_id) { |token| !Cohort::Token.alive?(token) }
      walk
      @store.finish_run(@run_id, "finished") if done?
      reread.tap { |run| report(:finished, { run: }) }
    rescue SignalException, StandardError => error
      raise unless Interruption.behind?(error)

      @store.finish_run(@run_id, "interrupted")
      reread
    end

    # Measures one cohort and nothing else: another mohs decides what follows. data: of private
    # services, shared by all cohorts that this mohs measures. Whether the cohort is done now: not
    # if another mohs has it.
    #: (Integer, Trial::ServiceData) -> bool
    def only(cohort_id, data)
      reread
      @changes ||= changes
      cohort = @run.stored.cohorts.find { |one| one.id == cohort_id }
      execute(cohort, @run.stored.study.service_names.empty? ? nil : data)
    end

    private

    # Watches the application's folder while it is measured; nil if there is no folder to watch.
    def changes
      return if @run.stored.study.pack # another folder is served

      dir = @run.stored.study.app
      App::FolderChanges.new(dir) if dir && File.directory?(dir)
    end

    # The next step, its length and the report all use the same cohorts: they are read once after
    # each, and what was read before is not read again.
    def reread
      @run = Analysis::Run.new(@store.result(@run_id, known: @run&.stored))
      @procedure = @run.stored.study.procedure
      keep_looks
      @run
    end

    # A decision stays as it was made, whatever a later mohs computes from the same slices.
    def keep_looks
      new = @procedure.looks(@run).reject(&:kept?)
      new.each { |look| @store.keep_look(look.cohort_id, look.to_h) }
    end

    # Another mohs may still be measuring a cohort of this run: then the last one to finish ends the
    # run.
    def done?
      next_cohort.nil? && @store.cohorts(@run_id).none?(&:running?)
    end

    def next_cohort = waiting.first

    # The cohorts to measure, in order, as far as is known now.
    def waiting
      return [] if @procedure.over?(@run)

      out = @store.given_up(@run_id)
      queued = queued_cohorts
      queued = further if queued.empty?
      @procedure.due(@run, queued, out:)
    end

    def queued_cohorts = @store.cohorts(@run_id).select(&:queued?)

    # The cohorts that the procedure adds: it may plan as it goes.
    def further
      plan = @procedure.further(@run) or return []
      @store.replan(@run_id, plan)
      reread
      report(:plan_changed, { plan: })
      queued_cohorts
    end

    def walk
      reread
      @timekeeper = timekeeper
      @timekeeper&.start
      @changes = changes
      with_services { |data| measure(data) }
    end

    # The data of private services last as long as the run.
    def with_services(&)
      return yield(nil) if @run.stored.study.service_names.empty?

      Trial::ServiceData.with(changes: @changes, &)
    end

    def measure(data)
      total = @run.stored.cohorts.size
      while (cohort = next_cohort)
        facts = { cohort: cohort.position, of: total, round: cohort.round,
                  variants: cohort.spec.variants }
        report(:cohort_started, facts)
        execute(cohort, data)
        report(:cohort_finished, { **facts, run: reread })
      end
    end

    def late(cold) = @timekeeper ? @timekeeper.late(cold) : []

    def report(name, facts)
      @on_event.call(name, facts)
      @timekeeper&.call(name, facts)
    end

    def timekeeper
      return if @announced_s.nil?

      @procedure.timekeeper(store: @store, run: @run.stored, costs: @costs,
                            announced_s: @announced_s, open: @open, budget_s: @budget_s,
                            on_event: @on_event, clock: @clock, waiting: method(:waiting))
    end

    # Whether the cohort is done now: not if another mohs has it.
    def execute(cohort, data)
      emit = lambda do |stage:, **facts|
        next report(stage, facts) if Trial::Installation::EVENTS.include?(stage)

        report(:trial, { stage:, **facts })
      end
      @execution.new(store: @store, cohort_id: cohort.id, blocks: @procedure.blocks(@run, cohort),
                     left_s: @procedure.left_s(@run), aim_s: @procedure.aim_s(@run),
                     setups: @setups, headroom: @headroom, changes: @changes, data:, emit:,
                     late: method(:late), host: @host).call
    end
  end
end
