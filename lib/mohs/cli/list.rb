# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs list`: the runs in the store.
    class List < Base
      SUMMARY = "Lists the runs so far, the newest first."
      USAGE = "mohs list [options]"
      # Runs listed on a screen.
      NEWEST = 30
      # Variants shown for each run.
      SHOWN = 3

      private

      def options(parser)
        parser.on("--limit N", Integer, "the newest N (#{NEWEST}; with --json: all)") do |limit|
          raise UsageError, "--limit #{limit}: list 1 run or more." unless limit.positive?

          @limit = limit
        end
        parser.on("--all", "all of them") { @all = true }
        parser.on("--app NAME", "only this application: its folder, or that one's name") do |name|
          @app = name
        end
      end

      def execute
        raise UsageError, "--limit and --all can't be combined." if @limit && @all

        apps = @app && Apps.new(store.apps, dir: context.dir).named(@app)
        runs = store.listed(limit:, apps:).map { |run| document(run) }
        more = limit ? store.count_runs(apps:) - runs.size : 0
        answer("list", runs:, more:) { text(runs, more) }
      end

      def store = @store ||= context.store.call

      # Programs get all runs: they would not notice what was left out.
      def limit = @limit || (NEWEST unless @all || exporter)

      def document(run)
        { run: run.key, label: run.label, state: state(run), created_ms: run.created_ms,
          finished_ms: run.finished_ms, app: run.app, variants: run.variants, answer: run.answer }
      end

      def state(run) = run.running? ? Runner.state(run, store.cohorts(run.id)) : run.state

      def text(runs, more)
        return "No runs yet. In the folder of an application, type: mohs\n" if runs.empty?

        named = runs.any? { |run| run[:label] }
        head = ["run", *("name" if named), *%w[started state app variants]]
        table = Report::Terminal::Columns.new([head, *rows(runs, named)])
        more.positive? ? "#{table}#{Wording.thousands(more)} more: #{complete}\n" : table.to_s
      end

      # named: does any of the runs have a name (mohs web)?
      def rows(runs, named)
        runs.map do |run|
          started = Report::Numbers.minute(run[:created_ms])
          [run[:run], *(run[:label].to_s if named), started, run[:state],
           File.basename(run[:app].to_s), variants(run[:variants])]
        end
      end

      def complete
        Report::Proposal.to("list", all: true, app: @app).to_s
      end

      def variants(names) = Wording.few(names, SHOWN, separator: " · ")
    end
  end
end
