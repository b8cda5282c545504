# frozen_string_literal: true

module Mohs
  class CLI
    # Shared by commands that measure a study: --dry-run and --quiet, and the steps from a
    # declaration to the table. A command implements `declaration`.
    class Measuring < Base
      # What starts cohorts on other hosts, besides workers.
      FLEETS = { "slurm" => Mohs::Fleet::SlurmSelection }.freeze

      private

      def options(parser)
        parser.about("output") do
          parser.on("--dry-run", "print the plan and how long it takes, not counting " \
                                 "installation") { @dry_run = true }
        end
        parser.about("subject") { fleet(parser) }
        parser.about("output") do
          reports(parser)
          parser.on("--quiet", "no progress") { @quiet = true }
        end
      end

      def fleet(parser)
        parser.on("--fleet[=slurm]", FLEETS.keys, "measure on the hosts of the fleet, all of one",
                  "kind (mohs hosts), or on nodes of Slurm") do |name|
          (@fleet ||= {})[:launcher] = FLEETS[name]
        end
        parser.on("--hosts N", "measure on N hosts of the fleet, of any kind") do |text|
          (@fleet ||= {})[:hosts] = Options.whole(text, option: "--hosts")
        end
        parser.on("--same-host NAME", "all cohorts on this host of the fleet") do |name|
          (@fleet ||= {})[:same] = name
        end
        parser.on("--in-place", "don't send the application: each host has it at",
                  "the same path (default: send it without secrets)") do
          (@fleet ||= {})[:in_place] = true
        end
      end

      def check_arguments
        super
        check_fleet if @fleet
      end

      def check_fleet
        raise UsageError, "--in-place is for a fleet: add --fleet, --hosts N or --same-host NAME." \
          if @fleet.keys == [:in_place]
        raise UsageError, "--hosts and --same-host can't be combined." \
          if @fleet.key?(:hosts) && @fleet.key?(:same)
      end

      # nil: this machine measures.
      def chosen_fleet
        return unless @fleet

        (@fleet[:launcher] || Mohs::Fleet::HostSelection).new(**@fleet.except(:launcher))
      end

      def execute
        declaration = declaration()
        # Reports mistakes before anything takes time.
        App::Folder.load(declaration.fetch(:app), file: app_from)
        experiment = experiment().on(chosen_fleet)
        look_around
        study = timed(prepared(experiment, declaration), experiment)
        verify(study)
        plan = experiment.plan(study)
        return rehearse(experiment, study, plan) if @dry_run

        measured do |on_event|
          experiment.measure(study, plan, on_event:, invocation:, **instead(experiment))
        end
      end

      # The file that names the application, if no option does.
      def app_from; end

      # The slow steps that are needed before planning.
      def look_around; end

      def prepared(experiment, declaration) = experiment.prepare(declaration)

      # What is measured in place of a study that can't be installed, if the experiment can't know
      # it (Experiment#measure).
      def instead(_experiment) = {}

      # The study with the time that it gets.
      def timed(study, _experiment) = study

      # Raises UsageError for a study that would measure nothing.
      def verify(_study); end

      # Resolves the gems if there is no lock file, which takes seconds.
      def rehearse(experiment, study, plan)
        on_event = lambda do |name, facts|
          tell("resolving the gems for #{facts[:ruby]}") if name == :install
        end
        study, plan = experiment.rehearse(study, plan, on_event:, **instead(experiment))
        verify(study)
        dry_run(study, plan, hosts: experiment.hosts)
      end

      def dry_run(study, plan, hosts:)
        shown = study.map_secrets { Secrets::MASK }
        planned = Report::Render.plan(plan, study.procedure)
        answer(@name || CLI::DEFAULT, dry_run: true, study: shown.to_document, plan: planned) do
          style = context.style(context.out)
          Report::Terminal::PlanText.of(study, plan, style:, hosts:).to_s
        end
      end

      # Shows progress on stderr while the block measures (it gets the receiver of the experiment's
      # events and returns the run's analysis), then prints the table on stdout; returns the exit
      # status. After Ctrl-C or another signal that ends mohs, the table shows what has been
      # measured so far.
      def measured(&)
        signals = StopSignals.new
        signals.during do
          document = document(with_progress(&))
          print_document(document)
          to_reader { context.out.flush }
          status(document, signals)
        end
      end

      # The document of a run's analysis.
      def document(run) = context.document.call(run)

      # Rubies are only probed once, but JVMs take their time. A broken one is probed in each run.
      def detect_rubies
        asked = []
        context.rubies.all do |ruby|
          next unless ruby.ok?

          tell("detecting installed Rubies (first run only):") if asked.empty?
          asked << ruby
          tell("  #{ruby.name}")
        end
      end

      # Clears the progress before anything else is printed.
      def with_progress
        progress = progress()
        yield context.shown_by(progress)
      ensure
        progress.close
      end

      def status(document, signals)
        return signals.status if document[:state] == "interrupted"

        STATUSES.fetch(Report::Model.kind(document).outcome(document))
      end
    end
  end
end
