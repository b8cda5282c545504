# frozen_string_literal: true

module Mohs
  module Repro
    # The list of published studies for people: what --quick takes and can test, and the subject.
    class ListScreen < Report::Terminal::Screen
      include StudyEstimates

      HEAD = ["study", "--quick", "claims", "subject (source)"].freeze

      #: () -> String
      def to_s
        paragraphs(table, named(remarks), "Reproduce one: mohs repro NAME --quick")
      end

      # Every study.
      #: () -> Array[Array[String]]
      def cells = [HEAD, *@document[:studies].map { |study| row(study) }]

      #: () -> Array[[String, String]]
      def remarks
        quick = @document[:studies].filter_map { |study| study[:quick] }
        [["--quick", meaning(quick)], ["claims", "those that --quick can test here, of all"],
         *missing]
      end

      private

      def missing
        found = @document[:missing].to_h
        return [] if found[:rubies].to_a.empty?

        [["missing", Report::Render.text("repro_missing", **found)]]
      end

      def row(study)
        source, quick = study.values_at(:source, :quick)
        testable = (quick || study)[:testable]
        [study[:name], duration(quick&.fetch(:estimate_s)), "#{testable} of #{study[:claims]}",
         "#{study[:title]} (#{source[:authors].first} #{source[:year]})"]
      end
    end
  end
end
