# frozen_string_literal: true

require "stringio"

module Mohs
  class CLI
    # `mohs repro --all`: measures each published study in turn, as `mohs repro NAME` does. A study
    # that ends with an error of any kind becomes a row of the result, and the others go on; so does
    # a study for whose smallest useful run the budget has no time.
    class ReproAll
      # There is no time for this study: the seconds that it needs, and the seconds that are left.
      class NoTime < Error
        #: () -> { needed_s: Numeric, left_s: Numeric }
        attr_reader :facts

        #: (**Numeric) -> void
        def initialize(**facts)
          @facts = facts
          super("not enough time")
        end
      end

      # The command for one study, which keeps its document.
      class Member < Repro
        # The document of the study's run, nil if it has none; what a dry run plans
        # (Repro::Estimate), nil without one.
        attr_reader :printed, :planned

        # path: as a user would type it. last_run: to be resumed, if argv requests that. left_s:
        # what is left of the budget, of which the study's share is in argv; nil: there is no
        # budget.
        #: (CLI::Context, Mohs::Repro::Publication, String, Array[String], ?last_run: Store::Run?, ?left_s: Numeric?) -> void
        def initialize(context, publication, path, argv, last_run: nil, left_s: nil)
          super(context, [path, *argv], name: "repro")
          @publication = publication
          @last_run = last_run
          @left_s = left_s
        end

        private

        def last_run(_store) = @last_run

        # The study with its share of the budget, or with the least that gives a result if that is
        # more: a study cut below it would take its share and decide nothing.
        def timed(study, experiment)
          return study unless @left_s

          needed_s = experiment.least_s(study).ceil
          raise NoTime.new(needed_s:, left_s: @left_s) if needed_s > @left_s

          Study.new(**study.each_pair.to_h, budget_s: [study.budget_s, needed_s].max)
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

      # folder: of the library, as typed; nil: mohs's own. argv: options that each study gets.
      # resume: what a run must have been begun with to be resumed or shown instead of a new run
      # (Repro::Order.newest); nil: each study begins anew. budget_s: for all studies together; nil:
      # each takes as long as it takes. shown: whether each study's table is printed when it ends.
      # dry_run, quiet: as each study's own options.
      #: (CLI::Context, Mohs::Repro::Library, argv: Array[String], ?folder: String?, ?budget_s: Numeric?, ?resume: Hash[Symbol, String?]?, ?shown: bool, ?dry_run: boolish, ?quiet: boolish) -> void
      def initialize(context, library, argv:, folder: nil, budget_s: nil, resume: nil, shown: true,
                     dry_run: false, quiet: false)
        @context = context
        @library = library
        @folder = folder
        @argv = argv
        @budget_s = budget_s
        @began_ns = Clock.mono_ns
        @dry_run = dry_run
        @quiet = quiet
        @planned_s = dry_run ? 0 : nil
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
      rescue NoTime => e
        { status: 0, left_out: e.facts }
      rescue SignalException => e
        { status: 128 + e.signo, error: "stopped before it began" }
      rescue StandardError => e
        report = ErrorReport.new(e, argv: [], context: @context)
        { status: report.status, error: report.message }
      end

      # What a dry run plans, whose seconds count as spent, {} for a study without a plan; nil if it
      # is not a dry run.
      def planned(member)
        return unless @planned_s

        planned = member&.planned.to_h
        @planned_s += planned[:estimate_s] || 0
        planned
      end

      def path(name) = @folder ? File.join(@folder, name) : name

      def member(publication, path, left)
        last_run = @resume && Mohs::Repro::Order.newest(runs, publication, **@resume)
        argv = last_run ? ["--resume"] : [*@argv, *("--dry-run" if @dry_run)]
        argv = [*argv, *("--quiet" if @quiet), *share(left)]
        Member.new(@member_context, publication, path, argv, last_run:, left_s:)
      end

      def runs = @runs ||= @context.store.call.runs

      # What is left of the budget, nil without one. A dry run takes no time itself.
      def left_s
        @budget_s && (@budget_s - (@planned_s || ((Clock.mono_ns - @began_ns) / 1e9)))
      end

      # The remaining studies share what is left of the budget.
      def share(left) = @budget_s ? ["--budget", "#{[(left_s / left).round, 1].max}s"] : []
    end
  end
end
