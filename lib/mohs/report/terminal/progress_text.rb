# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What a procedure says of its run while it is measured (Procedure#progress_text); by itself
      # nothing beyond what Progress says of any run.
      class ProgressText
        # What a cohort is called.
        UNIT = "round"

        # plan, eta, round: nil if they are not known yet.
        #: (Plan?, style: Terminal::Style, eta: Plan::TimeLeft?, round: Integer?) -> void
        def initialize(plan, style:, eta:, round:)
          @plan = plan
          @style = style
          @eta = eta
          @round = round
        end

        # Takes another plan; returns what that means, as messages.
        #: (Plan) -> Array[String]
        def replan(plan)
          @plan = plan
          []
        end

        # A cohort begins; facts: of the event :cohort_started.
        #: (Hash[Symbol, untyped]) -> void
        def started(facts)
          @cohort, @round = planned(facts), facts[:round]
        end

        # A cohort has ended; facts: of the event :cohort_finished.
        #: (Hash[Symbol, untyped]) -> void
        def finished(facts)
          @document = facts[:document] || @document
        end

        # Is the time that the whole run takes announced?
        #: () -> bool
        def announced? = true

        # Are reasons for which trials ended printed at once?
        #: () -> bool
        def reasons? = true

        # The line for a cohort that begins, in place of the given one; nil: none. The cohort of
        # variants refused before the start boots nothing and has no news.
        #: (String) -> String?
        def at_start(line) = (line if @cohort.nil? || @cohort.baseline)

        # The lines for a cohort that has ended; facts as for `finished`.
        #: (Hash[Symbol, untyped]) -> Array[String]
        def at_end(_facts) = []

        # The table so far, as lines.
        #: (Hash[Symbol, untyped]) -> Array[String]
        def table(document) = Terminal.new(style: @style).so_far(document).lines(chomp: true)

        # The line below the table; nil: none.
        #: () -> String?
        def soon = nil

        # How far the run is, in place of the given parts of a line.
        #: (Array[String]) -> Array[String]
        def way(parts) = parts

        private

        def planned(facts)
          @plan&.cohorts&.find { |cohort| cohort.position == facts[:cohort] }
        end

        # A text of any length below the previous line.
        def below(text) = "  #{@style.wrap(text, indent: 4)}"
      end
    end
  end
end
