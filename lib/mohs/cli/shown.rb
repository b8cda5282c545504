# frozen_string_literal: true

module Mohs
  class CLI
    # A receiver of the laboratory's events that hands them on to a progress, which shows documents:
    # the analysis of a run, `run`, becomes one.
    class Shown
      # document: of CLI::Context.
      #: (Report::Terminal::Progress | Report::Terminal::NullProgress, document: Proc) -> void
      def initialize(progress, document:)
        @progress = progress
        @document = document
      end

      #: (Symbol, Hash[Symbol, untyped]) -> void
      def call(name, facts)
        run = facts[:run]
        facts = { **facts.except(:run), document: @document.call(run) } if run
        @progress.call(name, facts)
      end
    end
  end
end
