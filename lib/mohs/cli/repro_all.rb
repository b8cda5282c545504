# frozen_string_literal: true

require "stringio"

module Mohs
  class CLI
    # `mohs repro --all`: measures each published study in turn, as `mohs repro NAME` does. A study
    # that ends with an error of any kind becomes a row of the result, and the others go on; so does
    # a study for whose smallest useful run the budget has no time.
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
      # for it (Invocation::Option). folder: of the library, as typed; nil: mohs's own. resume: what
      # a run must have been begun with to be resumed or shown instead of a new run
      # (Repro::Order.newest); nil: each study begins anew. budget_s: for all studies together; nil:
      # each takes as long as it takes. shown: whether each study's table is printed when it ends.
      # dry_run, quiet: as each study's own options.
      #: (CLI::Context, Mohs::Repro::Library, given: Hash[Symbol, untyped], ?sizes: Array[String], ?fleet: Hash[Symbol, untyped]?, ?options: Array[Invocation::Option], ?folder: String?, ?budget_s: Numeric?, ?resume: Hash[Symbol, String?]?, ?shown: bool, ?dry_run: boolish, ?quiet: boolish) -> void
      def initialize(context, library, given:, sizes: [], fleet: nil, options: [], folder: nil,
                     budget_s: nil, resume: nil, shown: true, dry_run: false, quiet: false)
        @context = context
        @library = library
        @folder = folder
        @values = { given:, sizes:, fleet:, options:, dry_run: }
        @budget = Mohs::Repro::SharedBudget.new(budget_s, planned: dry_run) if budget_s
        @dry_run = dry_run
        @quiet = quiet
        @resume = resume
        @member_context = shown ? context : CLI::Context.new(**context.to_h, out: StringIO.new)
      end

      # The results of the studies, up to the first that was interrupted. Yields each name and
      # position, from 1, before the study begins.
      #: () { (String, Integer) -> void } -> Array[Mohs::Repro::AllDocument::Ended]
      def call
        names, ended = @library.names, []
        names.each.with_index(1) do |name, position|
          yield name, position
          ended << reproduce(name, names.size - position + 1)
          break if ended.last.interrupted?
        end
        ended
      end

      private

      def reproduce(name, left)
        began_ns = Clock.mono_ns
        publication = member = nil
        came = called do
          publication = @library.own(name)
          member = member(publication, path(name), left)
          member.call
        end
        seconds = (Clock.mono_ns - began_ns) / 1e9
        document, planned = member&.printed, planned(member)
        Mohs::Repro::AllDocument::Ended.new(name:, publication:, document:, seconds:, planned:,
                                            **came)
      end

      def called
        { status: yield }
      rescue Mohs::Repro::SharedBudget::NoTime => e
        { status: 0, left_out: e.facts }
      rescue SignalException => e
        { status: 128 + e.signo, error: "stopped before it began" }
      rescue StandardError => e
        report = ErrorReport.new(e, context: @context)
        { status: report.status, error: report.message }
      end

      # What a dry run plans, whose seconds count as spent, {} for a study without a plan; nil if it
      # is not a dry run.
      def planned(member)
        return unless @dry_run

        planned = member&.planned.to_h
        @budget&.plan(planned[:estimate_s] || 0)
        planned
      end

      def path(name) = @folder ? File.join(@folder, name) : name

      # A run that is resumed goes on as it was begun.
      def member(publication, path, left)
        last_run = @resume && Mohs::Repro::Order.newest(runs, publication, **@resume)
        values = last_run ? { given: {}, options: [option("--resume")] } : @values
        share = @budget&.share(left)
        Member.new(@member_context, publication, path, **values, **budgeted(share, **values),
                   quiet: @quiet, last_run:, share:)
      end

      def option(name, value = nil)
        Invocation::Option.new(name:, value:, attached: false, about: "extent")
      end

      def runs = @runs ||= @context.store.call.runs

      # The values with the study's budget.
      def budgeted(share, given:, options:, **)
        return {} unless share

        { given: { **given, budget_s: share.seconds },
          options: [*options, option("--budget", "#{share.seconds}s")] }
      end
    end
  end
end
