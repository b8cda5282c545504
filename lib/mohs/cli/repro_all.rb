# frozen_string_literal: true

require "stringio"

module Mohs
  class CLI
    # `mohs repro --all`: each published study in turn, as `mohs repro NAME` measures it. One that
    # ends with an error, whatever it is, is a row of what came of them; the others go on.
    class ReproAll
      # One of them, whose document is kept.
      class Member < Repro
        # The document of its run, and the seconds that a dry run plans; nil: it has none.
        attr_reader :printed, :planned_s

        # path: as a person types it. last_run: to be resumed, if argv asks for that.
        #: (CLI::Context, Mohs::Repro::Publication, String, Array[String], ?last_run: Store::Run?) -> void
        def initialize(context, publication, path, argv, last_run: nil)
          super(context, [path, *argv], name: "repro")
          @publication = publication
          @last_run = last_run
        end

        private

        def last_run(_store) = @last_run

        def print_document(document)
          @printed = document
          super
        end

        def dry_run(_study, plan)
          @planned_s = plan.estimate_s
          super
        end
      end

      # folder: of the library, as it was typed; nil: mohs's own. argv: options that each of them
      # gets. resume: what a run was begun with that goes on, or is shown, in place of a new one
      # (Repro::Order.newest); nil: each begins anew. budget_s: for all together, nil: each as long
      # as it takes. shown: whether each one's table is printed when it ends.
      #: (CLI::Context, Mohs::Repro::Library, argv: Array[String], ?folder: String?, ?budget_s: Numeric?, ?resume: Hash[Symbol, String?]?, ?shown: bool) -> void
      def initialize(context, library, argv:, folder: nil, budget_s: nil, resume: nil, shown: true)
        @context = context
        @library = library
        @folder = folder
        @argv = argv
        @deadline = budget_s && Clock.deadline(budget_s)
        @resume = resume
        @member_context = shown ? context : CLI::Context.new(**context.to_h, out: StringIO.new)
      end

      # What came of each, up to the first that was interrupted. Yields its name and position, from
      # 1, before it begins.
      #: () { (String, Integer) -> void } -> Array[Report::ReproAllModel::Ended]
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
        status, error = called do
          publication = @library.own(name)
          member = member(publication, path(name), left)
          member.call
        end
        seconds = (Clock.mono_ns - began_ns) / 1e9
        Report::ReproAllModel::Ended.new(name:, publication:, document: member&.printed, error:,
                                         status:, seconds:, planned_s: member&.planned_s)
      end

      def called
        [yield, nil]
      rescue SignalException => e
        [128 + e.signo, "stopped before it began"]
      rescue StandardError => e
        report = ErrorReport.new(e, argv: [], context: @context)
        [report.status, report.message]
      end

      def path(name) = @folder ? File.join(@folder, name) : name

      def member(publication, path, left)
        last_run = @resume && Mohs::Repro::Order.newest(runs, publication, **@resume)
        argv = last_run ? ["--resume", *@argv.intersection(["--quiet"])] : @argv
        Member.new(@member_context, publication, path, [*argv, *share(left)], last_run:)
      end

      def runs = @runs ||= @context.store.call.runs

      # Those that are left share what is left of the budget.
      def share(left)
        return [] unless @deadline

        seconds = (@deadline - Clock.mono_ns) / 1e9 / left
        ["--budget", "#{[seconds.round, 1].max}s"]
      end
    end
  end
end
