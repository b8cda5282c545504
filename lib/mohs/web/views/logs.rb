# frozen_string_literal: true

module Mohs
  class Web
    module Views
      # The last lines of failed servers' logs. document: { trials: [{ variant:, round:, state:,
      # reason:, log: }] }.
      class Logs < View
        ID = "logs"
        TITLE = "Servers that failed"
        HOW = "mohs keeps the end of the log of each."
        # LINES: last lines of a log that are shown. MOST: logs on the page.
        LINES = 500
        MOST = 50

        #: () -> untyped
        def content
          trials = @document[:trials]
          return element(:p, "No server of this run has failed.") if trials.empty?

          more = trials.size - MOST
          [trials.first(MOST).map { |trial| log(trial) },
           (element(:p, "#{more} more are not shown.") if more.positive?)]
        end

        private

        def how = @document[:trials].empty? ? nil : HOW

        def log(trial)
          lines = Printable.call(trial[:log].to_s).lines.last(LINES)
          [element(:h3, "#{trial[:variant]}, round #{trial[:round]}: #{trial[:state]}"),
           (element(:p, trial[:reason]) if trial[:reason]),
           element(:pre, lines.empty? ? "(nothing)" : lines, tabindex: "0")]
        end
      end
    end
  end
end
