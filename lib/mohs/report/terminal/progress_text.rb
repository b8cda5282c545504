# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # What a procedure says of its run while it is measured (Procedure#progress_text); by itself
      # nothing beyond what Progress says of any run.
      class ProgressText
        # What a cohort is called.
        UNIT = "round"
        # What is done in the last load of each server (Loading#last_load); nil: there is none.
        LAST_LOAD = nil

        # study, plan, eta: nil before there is a plan. open: is its time announced later?
        #: (Study?, Plan?, style: Terminal::Style, eta: Plan::TimeLeft?, ?open: bool) -> void
        def initialize(study, plan, style:, eta:, open: false)
          @style = style
          take(study, plan, eta:, open:)
        end

        # Takes the study and its plan without what could not be installed; returns what that means,
        # as messages.
        #: (Study, Plan, eta: Plan::TimeLeft, open: bool) -> Array[String]
        def replanned(study, plan, eta:, open:)
          take(study, plan, eta:, open:)
          []
        end

        # The plan has changed while it is measured; facts: of the event :plan_changed. Returns what
        # that means, as messages.
        #: (Hash[Symbol, untyped]) -> Array[String]
        def changed(facts)
          @plan = facts[:plan]
          []
        end

        # A cohort begins; facts: of the event :cohort_started.
        #: (Hash[Symbol, untyped]) -> void
        def started(facts)
          @cohort, @round = planned(facts), facts[:round]
        end

        # The servers of a cohort are warm, so that it is known how long their measurement takes;
        # facts: of the event :trial, stage :outlook. Returns what that means, as messages.
        #: (Hash[Symbol, untyped]) -> Array[String]
        def outlook(_facts) = []

        # A cohort has ended; facts: of the event :cohort_finished.
        #: (Hash[Symbol, untyped]) -> void
        def finished(facts)
          @document = facts[:document] || @document
        end

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

        # What is measured now, as a part of the run.
        #: () -> String
        def place = "#{self.class::UNIT} #{@round}"

        # What stands for the time of the run until it is known; nil: it is known.
        #: () -> String?
        def pending = nil

        # How far the run is, in place of the given parts of a line.
        #: (Array[String]) -> Array[String]
        def way(parts) = parts

        private

        def take(study, plan, eta:, open:)
          @study = study
          @plan = plan
          @eta = eta
          @open = open
        end

        def planned(facts)
          @plan&.cohorts&.find { |cohort| cohort.position == facts[:cohort] }
        end

        # A text of any length below the previous line.
        def below(text) = "  #{@style.wrap(text, indent: 4)}"
      end
    end
  end
end
