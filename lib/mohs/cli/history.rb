# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs history [NAME]`: where a history (mohs track) changed; without a name, the histories.
    class History < Base
      SUMMARY = "Shows where a history changed, and by how much."
      USAGE = "mohs history [NAME] [options]"
      ARGUMENTS = (0..1)

      private

      def options(parser)
        names = Mohs::Track::Result::METRICS.map(&:name).join(", ")
        parser.on("--metric NAME", "the metric to show: #{names}",
                  "(default: the first of these that its points have)") do |name|
          @metric = Mohs::Track::Result.named(name)
        end
        reports(parser)
      end

      def execute
        return show(arguments.first) if arguments.any?
        raise UsageError, "--report needs the name of a history: mohs history NAME --report FILE" if
          @reports.any?

        list
      end

      def store = @store ||= context.store.call

      def list
        tracks = store.tracks.map { |name, points| { name:, points: } }
        answer("history", tracks:) do
          next "No histories yet. The first point: #{Mohs::Track::History.first_point}\n" if
            tracks.empty?

          rows = tracks.map { |one| [one[:name], one[:points].to_s] }
          Report::Terminal::Columns.new([%w[history points], *rows], figures: (1..)).to_s
        end
      end

      def show(name)
        points = Mohs::Track::Point.all(store.points(name))
        raise UsageError, unknown(name) if points.empty?

        history = Mohs::Track::Result.new(points, metric: @metric || Mohs::Track::Result.usual(points))
        print_history(Mohs::Track::Document.document(name, history))
      end

      def print_history(document)
        write(document, context.out) { screen.call(document) }
        0
      end

      def unknown(name)
        known = store.tracks.keys
        hint = Suggest.hint(name, known, otherwise: "Known: #{known.join(', ')}.") if known.any?
        first = Mohs::Track::History.first_point(name)
        "no history is called #{name.inspect}. #{hint || "The first point: #{first}"}"
      end
    end
  end
end
