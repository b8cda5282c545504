# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs track NAME`: measures the application beside a reference that stays the same, and adds
    # the ratio to a history. With --check, the exit status is that of a regression if this point
    # reveals a change for the worse.
    class Track < Compare
      SUMMARY = "Compares this folder with a fixed reference, for a history."
      USAGE = "mohs track NAME [VARIANT] [options]"
      ARGUMENTS = (1..2)

      # The name of what is measured: the folder as it is.
      NOW = "now"

      EXAMPLES = <<~TEXT

        The reference is a commit, or another variant, that never changes. Both are
        measured in the same session, so it does not matter if the machine is slower
        on some days. Name the reference with the first point; later ones reuse it:

          mohs track shop --against @v1.4 --get /products     the first point
          mohs track shop --get /products                     every night
          mohs history shop                                   where did it change?

      TEXT
      private_constant :EXAMPLES

      private

      def banner = "Usage: #{self.class::USAGE}\n#{EXAMPLES}"

      def options(parser)
        parser.about("variants") do
          parser.on("--against V", "the reference: @COMMIT, or another variant") do |text|
            @against = text
          end
        end
        parser.about("output") do
          parser.on("--check", "exit with 10 if this point reveals a regression") { @check = true }
        end
        super
      end

      # All points have to be like the first.
      def lone? = false

      def declaration
        given = @measurement.declaration
        { app: context.dir, budget_s: Mohs::Track::History::BUDGET_S, **given, variants: notations,
          comparison: { precision: Mohs::Track::History::PRECISION, **@comparison.to_h,
                        question: Mohs::Track::Question.new(history) } }
      end

      # The kind of a comparison.
      def document_kind = "compare"

      def missing = "a name for the history is missing: #{Mohs::Track::History.first_point}"

      def name = @name_of_track ||= Mohs::Track::History.name(arguments.first)

      def history
        Mohs::Track::History.new(
          name:, reference: reference.label, commit: repository.head, check: @check == true,
          reference_id: Study::Notation.new(**reference.to_h, label: nil).to_s
        )
      end

      def notations
        typed = arguments[1]
        subject = typed ? Study::Notation.parse(typed, servers: context.servers).to_h : {}
        [[nil, reference], [nil, Study::Notation.new(**subject, label: NOW)]]
      end

      def reference
        @reference ||= begin
          typed = @against || newest&.reference_id or raise UsageError, first_point
          Mohs::Track::History.pinned(Study::Notation.parse(typed, servers: context.servers),
                                      label: @against || newest.reference, repository:)
        end
      end

      def first_point
        first = Mohs::Track::History.first_point(name)
        "#{name} has no points yet. Name its reference: #{first}"
      end

      def newest = points.last

      def points = @points ||= Mohs::Track::Point.all(context.store.call.points(name))

      def verify(study)
        super
        Mohs::Track::Same.new(study, newest).verify if newest
      end

      # With what the history shows now.
      def document(run) = result(run)
    end
  end
end
