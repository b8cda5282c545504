# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs bisect GOOD BAD`: finds which commit, or which version of a gem, made the application
    # slower.
    class Bisect < Base
      SUMMARY = "Finds the commit or gem version that made an application slower."
      USAGE = "mohs bisect GOOD BAD [options]"
      ARGUMENTS = (2..2)

      private

      def options(parser)
        @measurement = MeasurementOptions.new(context, tell: method(:tell))
        @measurement.define(parser, variants: false)
        @comparison = ComparisonOptions.new
        @comparison.define(parser, alone: false)
        parser.about("variants") { points(parser) }
        parser.about("output") do
          reports(parser)
          parser.on("--quiet", "no progress") { @quiet = true }
        end
      end

      def points(parser)
        parser.on("--gem NAME", "between two versions of this gem, not two commits") do |name|
          @gem = name
        end
        parser.on("--on V", "the variant to measure on: \"3.4.5 --yjit, puma:2x5\"") do |text|
          @on = text
        end
      end

      def execute
        declaration = { app: context.dir, **@measurement.declaration }
        app = App::Folder.load(declaration.fetch(:app))
        points = line(app).points(*arguments)
        signals = StopSignals.new
        signals.during do
          result = search(points, declaration)
          document = Mohs::Bisect::Document.document(result, invocation:, study: @pair.study)
          print_result(document)
          status(document, signals)
        end
      end

      # The commits or versions to search.
      def line(app)
        on = on()
        return Mohs::Bisect::Commits.new(App::Repository.new(app.dir), on:) unless @gem

        Mohs::Bisect::Versions.new(@gem, app:, on:, cache_dir: Folders.cache(context.env))
      end

      def on
        notation = @on ? Study::Notation.parse(@on, servers: context.servers) : Study::Notation.new
        taken = @gem ? notation.gemfile : notation.revision
        return notation unless taken || notation.url

        raise UsageError, "--on #{@on.inspect}: #{notation.url || taken} can't be bisected."
      end

      def search(points, declaration)
        progress = progress()
        @pair = Mohs::Bisect::Measurement.new(experiment:, invocation:,
                                              declaration: declaration.except(:budget_s),
                                              on_event: context.shown_by(progress))
        Mohs::Bisect::Bisection.new(points:, measure: @pair, rules: @comparison.to_h,
                                    on_event: progress, budget_s: declaration[:budget_s]).call
      ensure
        progress&.close
      end

      def progress = super.extend(Mohs::Bisect::StepProgress)

      def print_result(document)
        write(document, context.out) { screen.call(document) }
        to_reader { context.out.flush }
      end

      def status(document, signals)
        return signals.status if document[:outcome] == "interrupted"

        STATUSES.fetch(Mohs::Bisect::Document.outcome(document))
      end
    end
  end
end
