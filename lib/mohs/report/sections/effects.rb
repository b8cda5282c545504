# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Every variant of a run relative to the baseline, with its interval and the band of
      # differences that don't matter.
      class Effects < Base
        KEY = "effects"
        TITLE = "Against the baseline"
        HOW = "Each mark is a variant's rate relative to the baseline, the line its interval. An " \
              "interval that leaves out the baseline's line is a difference beyond chance; one " \
              "within the shaded margin is too small to matter. Hollow marks are undecided."

        private

        def any? = judged.any?

        def parts
          [Parts::Intervals.new(key: "plot", title: "Effect of each variant",
                                text: judged.map { |row| words(row) }.join("; "),
                                points: judged.map { |row| point(row) },
                                margin: @document[:margin])]
        end

        def judged = @judged ||= measured.select { |row| row.dig(:verdict, :effect) }

        def point(row)
          verdict = row[:verdict]
          { name: row[:variant], text: verdict[:text], tone: Tone::VERDICTS[verdict[:outcome]],
            value: verdict[:effect], ends: ends(verdict) }
        end

        # The interval of an invalid verdict shows nothing.
        def ends(verdict)
          return if verdict[:outcome] == "invalid"

          verdict[:equal_interval] || verdict[:interval]
        end

        def words(row) = "#{row[:variant]}: #{row.dig(:verdict, :text)}"
      end
    end
  end
end
