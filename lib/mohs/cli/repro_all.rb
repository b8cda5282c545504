# frozen_string_literal: true

require "stringio"

module Mohs
  class CLI
    # `mohs repro --all`: each published study in turn, as `mohs repro NAME` measures it. One that
    # ends with an error is a row of what came of them; the others go on.
    class ReproAll
      # One of them, whose document is kept.
      class Member < Repro
        # The document of its run, and the seconds that a dry run plans; nil: it has none.
        attr_reader :printed, :planned_s

        #: (CLI::Context, Mohs::Repro::Publication, Array[String]) -> void
        def initialize(context, publication, argv)
          super(context, [publication.name, *argv], name: "repro")
          @publication = publication
        end

        private

        def print_document(document)
          @printed = document
          super
        end

        def dry_run(_study, plan)
          @planned_s = plan.estimate_s
          super
        end
      end

      # argv: options that each of them gets; those that have a run get --resume instead, if that is
      # wanted. budget_s: for all together, nil: each as long as it takes. shown: whether each one's
      # table is printed when it ends.
      #: (CLI::Context, argv: Array[String], ?budget_s: Numeric?, ?resume: bool, ?shown: bool) -> void
      def initialize(context, argv:, budget_s: nil, resume: false, shown: true)
        @context = context
        @argv = argv
        @deadline = budget_s && Clock.deadline(budget_s)
        @resume = resume
        @member_context = shown ? context : CLI::Context.new(**context.to_h, out: StringIO.new)
      end

      # What came of each, up to the first that was interrupted. Yields the publication and its
      # position, from 1, before it begins.
      #: (Array[Mohs::Repro::Publication]) { (Mohs::Repro::Publication, Integer) -> void } -> Array[Report::ReproAllModel::Ended]
      def call(publications)
        ended = []
        publications.each.with_index(1) do |publication, position|
          yield publication, position
          ended << reproduce(publication, publications.size - position + 1)
          break if ended.last.interrupted?
        end
        ended
      end

      private

      def reproduce(publication, left)
        began_ns = Clock.mono_ns
        member = Member.new(@member_context, publication, options(publication, left))
        status, error = called(member)
        seconds = (Clock.mono_ns - began_ns) / 1e9
        Report::ReproAllModel::Ended.new(publication:, document: member.printed, error:, status:,
                                         seconds:, planned_s: member.planned_s)
      end

      def called(member)
        [member.call, nil]
      rescue Mohs::Error => e
        [e.exit_status, e.message]
      end

      def options(publication, left)
        return ["--resume"] if @resume && ran.include?(publication.file)

        [*@argv, *share(left)]
      end

      def ran
        @ran ||= @context.store.call.runs.filter_map { |run| run.study.published&.fetch(:file) }
      end

      # Those that are left share what is left of the budget.
      def share(left)
        return [] unless @deadline

        seconds = (@deadline - Clock.mono_ns) / 1e9 / left
        ["--budget", "#{[seconds.round, 1].max}s"]
      end
    end
  end
end
