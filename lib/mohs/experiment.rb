# frozen_string_literal: true

module Mohs
  # From a user's declaration to a run's analysis: builds the study, draws the plan, installs what
  # the variants need, and runs the cohorts. Installation is not part of the measured time and does
  # not count against the budget.
  class Experiment
    #: (store: Store, ?env: Hash[String, String], ?setups: Trial::Setups) -> void
    def initialize(store:, env: ENV.to_h,
                   setups: Trial::Setups.new(env:, packs: ->(sha256) { store.pack(sha256) }))
      @store = store
      @preflight = Study::Preflight.new(env:)
      @services = Study::ServiceChoice.new(env:)
      @vault = Secrets::Vault.new(env:)
      @setups = setups
    end

    # Lets a fleet measure this experiment's runs (nil: this machine measures them). Raises
    # EnvironmentError if hosts of the fleet are missing.
    #: (Fleet::HostSelection?) -> Experiment
    def on(fleet)
      fleet&.verify(@store)
      @fleet, @hosts = fleet, nil
      self
    end

    # How many hosts share the cohorts of a run.
    #: () -> Integer
    def hosts = @hosts ||= @fleet ? @fleet.count(@store) : 1

    # Builds a study from a declaration (see Study::Builder), in which `app` is the application's
    # folder. What the user typed is tried out (Study::Preflight), so that mistakes show before
    # anything takes time.
    #: (Hash[Symbol, untyped]) -> Study
    def prepare(declaration)
      app = App::Folder.load(declaration.fetch(:app))
      study = build(app, declaration)
      Load::Scenario::File.load(study.scenario.path) if study.scenario # to find its mistakes
      raise UsageError, "--load-from #{study.load_from.host} can't load a fleet, whose servers " \
                        "run on several hosts: leave out one of the two." if
        @fleet && study.load_from

      @preflight.call(@services.call(study, app))
    end

    # The study as declared, for an estimate: nothing is tried out, so this takes milliseconds
    # where `prepare` boots a Ruby for each combination of flags.
    #: (Hash[Symbol, untyped]) -> Study
    def declared(declaration) = build(App::Folder.load(declaration.fetch(:app)), declaration)

    # The plan and its estimated time; installs nothing.
    #: (Study) -> Plan
    def plan(study) = planned(study, costs(study))

    # The seconds of its plan, and whether they rest on defaults since not all of its variants were
    # measured before.
    #: (Study, ?plan: Plan?) -> { estimate_s: Numeric, assumed: bool }
    def estimate(study, plan: nil)
      costs = costs(study)
      { estimate_s: (plan || planned(study, costs)).estimate_s,
        assumed: !costs.know?(study.variants) }
    end

    # Seconds of the smallest part of a study that gives a result.
    #: (Study) -> Numeric
    def least_s(study) = study.procedure.least_s(costs(study))

    # The study and its plan as `measure` would have them once its first bundles are installed, as
    # far as that is known without installing any (Trial::Installation#rehearse): for a dry run,
    # which refuses what the run would refuse. Events: :install, :installed. Raises UsageError if
    # the user named a baseline that can't be measured. instead: as for `measure`.
    #: (Study, Plan, ?on_event: Proc, ?instead: ^(Study) -> Study) -> [Study, Plan]
    def rehearse(study, plan, on_event: ->(*) {}, instead: method(:instead))
      verify_elsewhere(study)
      pack(study)
      installation = Trial::Installation.new(setups: @setups, on_event:)
      settle(study, plan, installation.method(:rehearse), instead)
    end

    # The study as a fleet measures it: with the application's folder in the store, unless every
    # variant is a commit or already running. Without a fleet, the study itself.
    #: (Study) -> Study
    def packed(study)
      pack = pack(study) or return study

      @store.add_pack(pack.sha256, pack.data)
      study.packed(pack)
    end

    # Measures a new run. A variant whose bundle can't be installed stays in the run, refused with
    # the reason; if mohs chose its Ruby, another is measured instead (Study::Fallback). Events are
    # those of Runner, preceded by :plan, :install, :installed and, if something could not be
    # installed, :replanned. Returns the run's analysis, even after Ctrl-C; but during installation,
    # when there is no run yet, Ctrl-C is passed on (:install_stopped). instead: returns what is
    # measured in place of a study some of whose variants can't be installed, or the study itself.
    #: (Study, Plan, ?on_event: Proc, ?invocation: Invocation?, ?instead: ^(Study) -> Study) -> Analysis::Run
    def measure(study, plan, on_event: ->(*) {}, invocation: nil, instead: method(:instead))
      verify_elsewhere(study) # before anything takes time
      study = packed(study)
      costs = costs(study)
      on_event.call(:plan, { plan:, study:, costs:, hosts:, open: open?(study, costs) })
      installed, plan = install(study, plan, on_event, instead) do |replanned|
        open = open?(replanned.fetch(:study), costs)
        on_event.call(:replanned, { **replanned, costs:, open: })
      end
      run = @store.create_run(study: @vault.seal(installed), plan:,
                              fingerprint: @fleet&.fingerprint(@store) || Probes::Host.fingerprint,
                              provenance: provenance(study, invocation))
      walk(run, on_event, costs:, announced_s: plan.estimate_s, open: open?(installed, costs))
    end

    # Continues a run on this machine, whoever began it. budget_s: how long the rest may take,
    # where a procedure keeps a time (nil: as its study says). Raises UsageError if the run is
    # unknown or came from another store, or if another mohs on this host is measuring it.
    #: (String, ?on_event: Proc, ?budget_s: Numeric?) -> Analysis::Run
    def resume(key, on_event: ->(*) {}, budget_s: nil)
      run = @store.run(key)
      refuse_imported(run)
      refuse_twice(run)
      costs = costs(run.study)
      result = @store.result(run.id)
      plan = result.study.procedure.rest(result, costs)
      leave_fleet(result, on_event) if plan.cohorts.any?
      open = open?(run.study, costs)
      on_event.call(:plan, { plan:, study: run.study, costs:, open: })
      walk(run, on_event, costs:, announced_s: plan.estimate_s, open:, budget_s:)
    end

    private

    def build(app, declaration)
      Study::Builder.new(app:).call(declaration.except(:app), requests: app.default_requests)
    end

    def planned(study, costs) = study.procedure.plan(seed: study.seed, costs:, hosts:)

    def costs(study)
      measured = @store.costs(study.app, **study.kind)
      Plan::Costs.new(measured, earlier: @store.variants(study.app), cold_start: study.cold_start,
                                framework: framework(study.app), rates: study.rates,
                                warm_up_s: study.warm_up_s, wave_size: wave_size(study),
                                measure_s: study.streams ? study.streams.measure_s : 0)
    end

    # Of those that don't linger: the others warm up one at a time.
    def wave_size(study)
      able = study.variants.reject { |one| one.refusal || one.lingers? }
      Plan::Scheme.wave_size(study, able, quota_cores: Doctor.allowance[:cores])
    end

    # A run may be resumed on a machine where its application no longer exists.
    def framework(dir)
      return :rails unless dir && App::Folder.app?(dir)

      App::Folder.load(dir).rails? ? :rails : :rack
    end

    # Is the time of the run announced only once its first cohort shows it (Procedure#timekeeper)?
    def open?(study, costs)
      @fleet.nil? && study.procedure.fixed_rounds? && !costs.know?(study.variants)
    end

    # The study and its plan without what can't be installed; yields each new plan.
    def install(study, plan, on_event, instead, &)
      installation = Trial::Installation.new(setups: @setups, on_event:)
      settle(study, plan, installation.method(:call), instead, &)
    end

    # With another Ruby in place of one that mohs chose and that can't be measured.
    def instead(study)
      return study if study.named

      other = Study::Builder.new(app: App::Folder.load(study.app)).instead(study)
      other == study ? study : @preflight.call(other)
    end

    # A new plan may include variants that the budget had dropped from the previous one, so it is
    # tried, too.
    def settle(study, plan, attempt, instead)
      until (settled = attempt.call(study, plan)) == study
        study = instead.call(settled)
        study = packed(study) unless study.pack == settled.pack
        plan = plan(study)
        yield({ plan:, study: }) if block_given?
      end
      [study, plan]
    end

    def walk(run, on_event, **time)
      runner = @fleet ? @fleet.method(:coordinator) : Runner.method(:new)
      measured = runner.call(store: @store, run_id: run.id, on_event:, setups: @setups, **time).call
      keep(measured) if measured.state == "finished"
      @store.answer_run(run.id, Answer.document(measured, @store)[:sentence])
      measured
    rescue StoreError => error
      raise StoreError, "#{error.message} The run is #{run.key}."
    rescue EnvironmentError => error
      raise unless run.study.load_from

      raise EnvironmentError, "#{error.message} To go on: #{Report::Proposal.to('resume', run.key)}"
    end

    # Reports that this machine measures the rest of a run that a fleet began.
    def leave_fleet(run, on_event)
      hosts = run.cohorts.filter_map(&:host_name).uniq.sort
      on_event.call(:without_fleet, { hosts: }) if hosts.any? || run.study.pack
    end

    # Raises where other machines can't measure the study, or load its servers.
    def verify_elsewhere(study)
      keep_secrets(study)
      Agent::Link.open(study.load_from).close if study.load_from
    end

    # The application's folder for the hosts of a fleet; nil if none is sent.
    def pack(study)
      return unless @fleet&.packs? && study.variants.any? { |one| !one.revision && !one.url }
      raise UsageError, "the file of a scenario is not sent to a fleet's hosts, since it may " \
                        "hold secrets: put it and the application at the same path on each of " \
                        "them (--in-place)." if study.scenario

      App::Pack.of(study.app)
    rescue SystemCallError => error
      raise UsageError.unreadable(study.app, error)
    end

    def keep(measured)
      @vault.forget(measured.stored.study)
      measured.stored.study.procedure.finished(measured, @store)
    end

    # Secrets are kept on this machine, for this user.
    def keep_secrets(study)
      return if @fleet.nil? || study.secrets.empty?

      raise UsageError, "this study has secrets (--env, --env-file, a header), which stay on " \
                        "this machine: a fleet can't measure it. Set them in the environment of " \
                        "each worker, or leave them out."
    end

    # Its study would start commands that somebody else wrote, on a machine other than the one it is
    # about.
    def refuse_imported(run)
      raise UsageError, "run #{run.key} was imported: it can be shown, not continued. Resume it " \
                        "where it was measured." if run.imported?
    end

    # Two processes would each report half of the run, and finish it together.
    def refuse_twice(run)
      held = @store.cohorts(run.id).select(&:running?)
      pid = held.filter_map { |cohort| Cohort::Token.holder(cohort.token) }.first or return

      raise UsageError, "run #{run.key} is being measured, by process #{pid}. Wait for it, or " \
                        "end it first (kill #{pid})."
    end

    def provenance(study, invocation)
      { seed: study.seed, argv: invocation&.argv.to_a, invocation: invocation&.to_h,
        versions: { mohs: VERSION, ruby: RUBY_DESCRIPTION, sequel: Sequel::VERSION } }
    end
  end
end
