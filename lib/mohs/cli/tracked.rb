# frozen_string_literal: true

module Mohs
  class CLI
    # A comparison that is a point of a history (mohs track), measured at once or resumed: the
    # document with the history, its last line, and the exit status of --check. For others it
    # changes nothing.
    module Tracked
      private

      # The comparison's document, with what the history shows now.
      def with_history(document, track, metric)
        points = context.store.call.points(track.name)
        history = Mohs::Track::Result.new(points, metric:)
        shown = Mohs::Track::Document.document(track.name, history)
        document.merge(history: { **shown.slice(:track, :now, :changes, :sentence),
                                  newest: points.last&.run, check: track.check })
      end

      def print_document(document, out = context.out)
        return super unless document[:history]

        write(document, out) do
          style = context.style(out)
          [screen(out).call(document),
           "#{style.named('history', document[:history][:sentence])}\n"].join
        end
        0
      end

      # An interrupted comparison has added no point; one that is resumed after others is not the
      # point that reveals a fresh change.
      def status(document, signals)
        history = document[:history]
        return super if document[:state] == "interrupted" || !history&.fetch(:check) ||
                        history[:newest] != document[:run]

        worse = history[:changes].any? { |one| one[:fresh] && one[:outcome] == "worse" }
        worse ? Measuring::REGRESSION : super
      end
    end
  end
end
