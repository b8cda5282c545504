# frozen_string_literal: true

module Mohs
  module Repro
    # What `mohs repro --all` would measure, for people: the time of all studies together, then a
    # row for each.
    class PlanScreen < Report::Terminal::Screen
      include StudyEstimates

      HEAD = ["study", "about", "claims", ""].freeze

      #: () -> String
      def to_s
        plan = @style.named_command("one", "its whole plan:", one)
        paragraphs(headline(sentence), table, [named(remarks), plan].join("\n"))
      end

      # Every study.
      #: () -> Array[Array[String]]
      def cells = [HEAD, *studies.map { |study| row(study, study[:planned]) }]

      # What the figures mean, and what the estimates leave out.
      #: () -> Array[[String, String]]
      def remarks
        [["about", meaning(studies.map { |study| study[:planned] })],
         ["claims", "those that can be tested here, of all"]]
      end

      private

      def studies = @document[:studies]

      def one
        folder, size = @document.values_at(:folder, :size)
        name = folder ? ::File.join(folder, "NAME") : "NAME"
        Report::Proposal.to("repro", name, **CommandLine.sized(size), dry_run: true)
      end

      def sentence
        testable, all = studies.sum { |study| study[:planned].fetch(:testable, 0) },
                        studies.sum { |study| study[:claims] }
        "#{Report::Numbers.counted(studies.size, 'study', 'studies')}, all together about " \
          "#{Report::Numbers.duration(@document[:planned_s])}: #{testable} of " \
          "#{Report::Numbers.counted(all, 'claim')} can be tested here."
      end

      def row(study, planned)
        testable, seconds = planned.values_at(:testable, :estimate_s)
        claims = testable ? "#{testable} of #{study[:claims]}" : Report::Numbers::NONE
        [study[:name], duration(seconds), claims, remark(study, planned).to_s]
      end

      # Why a study has no plan, or why it is measured though that judges none of its claims.
      def remark(study, planned)
        return study[:error] if study[:error]
        return Report::Render.text("repro_no_time", **study[:left_out]) if study[:left_out]
        return unless planned[:testable]&.zero?

        Report::Render.text(planned[:estimate_s]&.positive? ? "repro_rows_only" : "repro_none")
      end
    end
  end
end
