# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs list`: the runs in the store.
    class List < Base
      SUMMARY = "Lists the runs so far, the newest first."
      USAGE = "mohs list"
      # Variants of a run.
      SHOWN = 3

      private

      def execute
        store = context.store.call
        runs = store.runs.sort_by { |run| -run.created_ms }
        documents = runs.map { |run| document(run, state(run, store)) }
        answer("list", runs: documents) { text(documents) }
      end

      def state(run, store) = run.running? ? Runner.state(run, store.cohorts(run.id)) : run.state

      def document(run, state)
        { run: run.key, state:, created_ms: run.created_ms, finished_ms: run.finished_ms,
          app: run.study.app, variants: run.study.variants.map(&:name) }
      end

      def text(runs)
        return "No runs yet. In the folder of an application, type: mohs\n" if runs.empty?

        rows = runs.map do |run|
          started = Time.at(run[:created_ms] / 1000).strftime("%Y-%m-%d %H:%M")
          [run[:run], started, run[:state], File.basename(run[:app].to_s), variants(run[:variants])]
        end
        Report::Terminal::Columns.new([%w[run started state app variants], *rows]).to_s
      end

      def variants(names) = Wording.few(names, SHOWN, separator: " · ")
    end
  end
end
