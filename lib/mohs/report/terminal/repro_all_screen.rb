# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The outcome of all published studies, for people: a row for each study, with its claims by
      # judgement.
      class ReproAllScreen < Screen
        HEAD = ["study", "claims", "agree", "direction", "contradicted", "undecided",
                "not testable", "took"].freeze
        # Groups of columns, in the order in which a narrow terminal leaves them out.
        LEAST_FIRST = [[7], [1]].freeze

        #: () -> String
        def to_s
          return ReproPlanScreen.new(@document, style: @style).to_s if @document[:planned_s]

          paragraphs(headline(sentence), table, errors, left_out, below)
        end

        # Every study.
        #: () -> Array[Array[String]]
        def cells = [HEAD, *@document[:studies].map { |study| row(study) }]

        #: () -> Array[[String, String]]
        def remarks
          failed = @document[:studies].select { |study| study[:error] }
          failed.map { |study| [study[:name], study[:error]] }
        end

        # The outcome of all studies together.
        #: () -> String
        def sentence
          words = Words::Claims.tally(@document[:counts].transform_keys(&:to_s))
          studies, claims = Numbers.counted(@document[:studies].size, "study", "studies"),
                            Numbers.counted(@document[:studies].sum { |one| one[:claims] }, "claim")
          "#{studies}, #{claims}: #{words.empty? ? 'nothing was measured' : words}."
        end

        private

        def table
          kept = Columns.fitting(cells, least_first: LEAST_FIRST, width: @style.width)
          rows = cells.map { |row| row.values_at(*kept) }
          Columns.new(rows, figures: (1..)).lines.map { |line| @style.cut(line) }.join("\n")
        end

        def row(study)
          counts = Repro::Judge::OUTCOMES.map do |outcome|
            study[:counts] ? study[:counts].fetch(outcome.to_sym).to_s : Numbers::NONE
          end
          [study[:name], study[:claims].to_s, *counts, Numbers.duration(study[:seconds])]
        end

        def errors
          remarks.map { |one| painted(:red, one.join(": ")) }.join("\n")
        end

        # Studies for which the budget had no time.
        def left_out
          rows = @document[:studies].select { |study| study[:left_out] }
          rows.map do |study|
            @style.wrap(Phrase.text("repro_left_out", name: study[:name], **study[:left_out]),
                        indent: 2)
          end.join("\n")
        end

        def below
          left_out, folder, size = @document.values_at(:left_out, :folder, :size)
          rest = "#{Numbers.counted(left_out, 'study', 'studies')} not begun; continue:"
          one = folder ? File.join(folder, "NAME") : "NAME"
          all = ["--all", *folder, *("--#{size}" if size)]
          named = [*([["stopped", rest, all]] if left_out.positive?),
                   ["one", "its table again:", [one]]]
          named.map do |name, text, words|
            @style.named_command(name, text, ["mohs", "repro", *words, "--resume"])
          end.join("\n")
        end
      end
    end
  end
end
