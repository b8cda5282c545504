# frozen_string_literal: true

module Mohs
  module Gate
    # Compares two revisions of an application page by page, within one budget, each page until its
    # gates pass or fail, so strictly that false alarms stay as rare as promised
    # (Gate::FalseAlarms).
    class Gating
      # Seconds for all pages, unless the user gives a budget.
      BUDGET_S = 600

      # Metrics that every server has.
      DECIDING = %w[throughput cpu].freeze

      # A page that was compared: its Study::GatedPage, its Analysis::Run (nil if there was no time
      # for it), the seconds that it took, and the total number of pages.
      Measured = Struct.new(:page, :run, :seconds, :of, keyword_init: true) do
        #: () -> Gate::PageGates
        def gates = @gates ||= PageGates.new(page.limits, run, pages: of)
      end

      # The result: `state`, finished or interrupted; `pages` [Measured]; `alarms`, the
      # Gate::FalseAlarms that were promised.
      Result = Struct.new(:state, :pages, :alarms, :budget_s, :seconds, keyword_init: true) do
        #: () -> String
        def outcome = PageGates.worst(pages.map { |page| page.gates.outcome })
      end

      # The pages and the budget as given, and the Gate::FalseAlarms that are promised.
      attr_reader :pages, :budget_s, :alarms

      # pages: each with its limits. measure: called with a page, the values of Compare::Rules
      # and the seconds that it may take; returns the Analysis::Run that compared it. pushes: per
      # month. on_event: called with :page and :page_done.
      #: (pages: Array[Study::GatedPage], measure: Proc?, ?pushes: Integer, ?budget_s: Numeric, ?on_event: Proc, ?clock: Module) -> void
      def initialize(pages:, measure:, pushes: FalseAlarms::PUSHES, budget_s: BUDGET_S,
                     on_event: ->(*) {}, clock: Clock)
        @pages = pages
        @measure = measure
        @budget_s = budget_s
        @on_event = on_event
        @clock = clock
        @alarms = FalseAlarms.new(gates: pages.sum { |page| page.limits.size }, pushes:)
        @measured = []
      end

      # Also returns after Ctrl-C.
      #: () -> Gate::Gating::Result
      def call
        started = @clock.mono_ns
        @pages.each do |page|
          compare(page)
          return result("interrupted", started) if @measured.last.run.state == "interrupted"
        end
        result("finished", started)
      rescue SignalException
        result("interrupted", started)
      end

      private

      def compare(page)
        number = @measured.size + 1
        @on_event.call(:page, { page:, number:, of: @pages.size, budget_s: share_s })
        started = @clock.mono_ns
        run = @measure.call(page, rules(page), share_s)
        @measured << Measured.new(page:, run:, seconds: since(started), of: @pages.size)
        @on_event.call(:page_done, { measured: @measured.last })
      end

      # The remaining pages share the time that earlier pages left over.
      def share_s
        left = @budget_s - @measured.sum { |one| one.run.result.spent_s }
        [left / (@pages.size - @measured.size), 1].max
      end

      # A comparison has one deciding metric: slices are adjusted for core speed by it, and there is
      # no verdict without it. The gates end the comparison.
      def rules(page)
        named = page.limits.map { |limit| limit.metric.name }
        { metric: (named & DECIDING).first || DECIDING.first, gates: page.limits,
          question: Question.new(**@alarms.levels) }
      end

      def since(started_ns) = (@clock.mono_ns - started_ns) / 1e9

      def result(state, started)
        left = @pages.drop(@measured.size).map do |page|
          Measured.new(page:, run: nil, seconds: 0.0, of: @pages.size)
        end
        Result.new(state:, pages: @measured + left, alarms: @alarms, budget_s: @budget_s,
                   seconds: since(started)).freeze
      end
    end
  end
end
