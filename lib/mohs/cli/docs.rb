# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs docs`: the manual of study.yml, with an annotated example for each section.
    class Docs < Base
      SUMMARY = "Prints a section of the manual; without one, lists them."
      USAGE = "mohs docs [SECTION]"
      ARGUMENTS = (0..1)

      private

      def execute
        names = arguments.any? ? arguments : Study::Sections::ALL
        sections = names.map { |name| { name:, title: Study::Sections.title(name), text: Study::Sections.text(name) } }
        answer("docs", sections:) { arguments.any? ? sections.first[:text] : list(sections) }
      end

      def list(sections)
        rows = sections.map { |section| ["mohs docs #{section[:name]}", section[:title]] }
        of_study, others = rows.partition.with_index { |_, index| index < Study::Sections::NAMES.size }
        "Sections of study.yml; all of them together are a whole study file.\n\n" \
          "#{Report::Terminal::Columns.new(of_study)}\nSeparate files:\n\n#{Report::Terminal::Columns.new(others)}"
      end
    end
  end
end
