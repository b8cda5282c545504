# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs explain RUN [A B]`: why two variants of a run differ, by what was read of their servers.
    class Explain < Base
      SUMMARY = "Explains why the variants of a run differ: which of their servers' figures moved."
      USAGE = "mohs explain RUN [A B]"
      ARGUMENTS = (1..3)

      EXAMPLES = <<~TEXT

        RUN is the key of a run (mohs list). A and B are names of two of its variants; without
        them every measured variant is explained against the baseline.

      TEXT
      private_constant :EXAMPLES

      private

      def banner = "#{super}\n#{EXAMPLES}"

      def execute
        store = context.store.call
        stored = store.result(store.run(arguments.first).id)
        run = Analysis::Run.new(stored.with(state: Runner.state(stored, stored.cohorts)))
        print_document(Report::ExplainModel.document(run, pairs(run)))
      end

      def pairs(run)
        return named(run) if arguments.size > 1

        baseline, others = run.measured_rows.map(&:name).partition { |name| name == run.baseline }
        raise UsageError, few(run) if baseline.empty? || others.empty?

        pairs = baseline.product(others).select { |a, b| run.explanation(b, against: a).known? }
        pairs.empty? ? raise(UsageError, unread(run)) : pairs
      end

      def named(run)
        a, b = arguments.drop(1)
        raise UsageError, "B is missing. Usage: #{USAGE}" unless b

        [a, b].each { |name| known(run, name) }
        raise UsageError, "#{a.inspect} and #{b.inspect} are the same variant." if a == b

        explanation = run.explanation(b, against: a)
        raise UsageError, never_together(a, b) if explanation.count.zero?
        raise UsageError, unread(run) unless explanation.known?

        [[a, b]]
      end

      def known(run, name)
        names = run.measured_rows.map(&:name)
        return if names.include?(name)

        hint = Suggest.hint(name, names, otherwise: "It has: #{names.join(', ')}.", &:inspect)
        raise UsageError, "run #{run.stored.key} has no figures of #{name.inspect}. #{hint}"
      end

      def few(run) = "run #{run.stored.key} has no two variants with figures."

      def never_together(a, b)
        "#{a.inspect} and #{b.inspect} were in no cohort together: measure them with " \
          "mohs compare."
      end

      def unread(run)
        "run #{run.stored.key} has no readings of its servers, so there is nothing to explain it " \
          "by: an older mohs measured it, or its servers were running already. Measure it again."
      end
    end
  end
end
