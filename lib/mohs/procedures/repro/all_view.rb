# frozen_string_literal: true

module Mohs
  module Repro
    # All published studies: a row for each, with its claims by judgement.
    class AllView < Report::Views::Base
      KIND = "repro --all"
      LACKS = "several studies are not one run (mohs report RUN takes each)"

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document)
        document[:command] == "repro" && document.key?(:studies) && document.key?(:counts)
      end

      SECTIONS = [AllSection, *Report::Views::Base::SECTIONS].freeze
      LEAST_FIRST = [%i[took], %i[claims], Report::View::Table::NAMES].freeze
      # Short, so that all have room in 80 columns.
      TITLES = { "agrees" => "agree", "direction_only" => "in part", "not_measured" => "unmeasured",
                 "not_testable" => "untestable" }.freeze

      private

      # The outcome of all studies together.
      def headline
        words = Outcomes.tally(@document[:counts].transform_keys(&:to_s))
        all = @document[:studies]
        studies = Report::Numbers.counted(all.size, "study", "studies")
        claims = Report::Numbers.counted(all.sum { |one| one[:claims] }, "claim")
        "#{studies}, #{claims}: #{words.empty? ? 'nothing was measured' : words}."
      end

      def tables
        [table(:studies, columns, @document[:studies].map { |study| row(study) },
               least_first: LEAST_FIRST)]
      end

      def columns
        [column(:study, "study", names: true), column(:claims, "claims", figure: true),
         *Mohs::Repro::Judge::OUTCOMES.map do |outcome|
           column(outcome.to_sym, TITLES.fetch(outcome, outcome.tr("_", " ")), figure: true)
         end,
         column(:took, "took", figure: true)]
      end

      def row(study)
        counts = Mohs::Repro::Judge::OUTCOMES.to_h do |outcome|
          count = study[:counts]&.fetch(outcome.to_sym)
          [outcome.to_sym, cell(count || Report::Numbers::NONE, value: count)]
        end
        { study: cell(study[:name]), claims: whole(study[:claims]), **counts,
          took: cell(Report::Numbers.duration(study[:seconds]), value: study[:seconds]) }
      end

      # Studies that failed, and those for which the budget had no time.
      def remarks
        failed = @document[:studies].select { |study| study[:error] }
        left_out = @document[:studies].select { |study| study[:left_out] }
        [*failed.map { |study| remark(study[:name], study[:error], code: :error) },
         *left_out.map { |study| left_out(study) }]
      end

      def left_out(study)
        text = say("repro_left_out", name: study[:name], **study[:left_out])
        remark("left out", text, code: :left_out)
      end

      def next_lines
        left_out, folder, size = @document.values_at(:left_out, :folder, :size)
        one = folder ? ::File.join(folder, "NAME") : "NAME"
        rest = "#{Report::Numbers.counted(left_out, 'study', 'studies')} not begun; continue:"
        all = again(*folder, all: true, **CommandLine.sized(size))
        [*([remark("stopped", rest, command: all)] if left_out.positive?),
         remark("one", "its table again:", command: again(one))]
      end

      def again(*names, **settings) = Report::Proposal.to("repro", *names, **settings, resume: true)
    end
  end
end
