# frozen_string_literal: true

require "stringio"

module Mohs
  class CLI
    # `mohs repro --all`: measures each published study (Repro::AllStudies) as `mohs repro NAME`
    # does.
    class ReproAll
      # The command for one study, which keeps its document.
      class Member < Repro
        # The document of the study's run, nil if it has none; what a dry run plans
        # (Repro::Estimate), nil without one.
        attr_reader :printed, :planned

        # path: as a user would type it. given, sizes, fleet, dry_run, quiet: what the options of
        # `mohs repro` make. options: those, as they would be typed. last_run: to be resumed; nil:
        # the study begins. share: of the budget for all studies, which `given` has, too; nil: there
        # is no budget.
        #: (CLI::Context, Mohs::Repro::Publication, String, given: Hash[Symbol, untyped], ?sizes: Array[String], ?fleet: Hash[Symbol, untyped]?, ?options: Array[Invocation::Option], ?dry_run: boolish, ?quiet: boolish, ?last_run: Store::Run?, ?share: Mohs::Repro::SharedBudget::Share?) -> void
        def initialize(context, publication, path, given:, sizes: [], fleet: nil, options: [],
                       dry_run: false, quiet: false, last_run: nil, share: nil)
          super(context, [path, *options.flat_map(&:words)], name: "repro")
          @path, @options = path, options
          @publication = publication
          @given, @sizes, @fleet, @instead = given, sizes, fleet, {}
          @dry_run, @quiet = dry_run, quiet
          @resume = @last_run = last_run
          @share = share
        end

        private

        # Nothing is typed: --all has taken the options, and checked them.
        def parse = [@path]

        def check_arguments; end

        def invocation
          Invocation.new(command: @name, arguments:, options: @options, argv: @argv)
        end

        def last_run(_store) = @last_run

        def timed(study, experiment)
          @share ? @share.of(study, least_s: experiment.least_s(study)) : study
        end

        # A blank line sets each table apart, wherever the progress goes.
        def print_document(document)
          @printed = document
          to_reader { context.out.puts }
          super
        end

        # A dry run of all only estimates: trying out flags and resolving gems takes seconds for
        # each study, and `--dry-run` of one study does that. The table has what is announced for
        # each study.
        def prepared(experiment, declaration)
          @dry_run ? experiment.declared(declaration) : super
        end

        def rehearse(experiment, study, plan)
          keep_estimate(**experiment.estimate(study, plan:))
        end

        def print_unmeasured
          @dry_run ? keep_estimate : super
        end

        # Returns the command's exit status.
        def keep_estimate(**estimate)
          @planned = Mohs::Repro::Estimate.new(testable: choice.testable.size, **estimate)
          0
        end
      end

      # given, sizes, fleet: values that each study gets; options: the same, as they would be typed
      # for it (Invocation::Option). folder: of the library, as typed; nil: mohs's own. shown:
      # whether each study's table is printed when it ends. dry_run, quiet: as each study's own
      # options. others: as Repro::AllStudies takes them.
      #: (CLI::Context, Mohs::Repro::Library, given: Hash[Symbol, untyped], ?sizes: Array[String], ?fleet: Hash[Symbol, untyped]?, ?options: Array[Invocation::Option], ?folder: String?, ?shown: bool, ?dry_run: boolish, ?quiet: boolish, **untyped) -> void
      def initialize(context, library, given:, sizes: [], fleet: nil, options: [], folder: nil,
                     shown: true, dry_run: false, quiet: false, **others)
        @context = context
        @folder = folder
        @values = { given:, sizes:, fleet:, options:, dry_run: }
        @quiet = quiet
        @member_context = shown ? context : CLI::Context.new(**context.to_h, out: StringIO.new)
        @all = Mohs::Repro::AllStudies.new(library, planned: dry_run, runs: -> { runs },
                                                    command: method(:member),
                                                    failure: method(:failure), **others)
      end

      # The results of the studies, up to the first that was interrupted. Yields each name and
      # position, from 1, before the study begins.
      #: () { (String, Integer) -> void } -> Array[Mohs::Repro::AllDocument::Ended]
      def call(&) = @all.call(&)

      private

      def failure(error)
        report = ErrorReport.new(error, context: @context)
        { status: report.status, error: report.message }
      end

      def runs = @context.store.call.runs

      # A run that is resumed goes on as it was begun.
      def member(publication, name, last_run:, share:)
        values = last_run ? { given: {}, options: [option("--resume")] } : @values
        Member.new(@member_context, publication, @folder ? File.join(@folder, name) : name,
                   **values, **budgeted(share, **values), quiet: @quiet, last_run:, share:)
      end

      def option(name, value = nil)
        Invocation::Option.new(name:, value:, attached: false, about: "extent")
      end

      # The values with the study's budget.
      def budgeted(share, given:, options:, **)
        return {} unless share

        { given: { **given, budget_s: share.seconds },
          options: [*options, option("--budget", "#{share.seconds}s")] }
      end
    end
  end
end
