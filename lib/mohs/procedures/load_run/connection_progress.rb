# frozen_string_literal: true

module Mohs
  class LoadRun
    # A search for a number of connections under way, as one for a rate: on a terminal one line with
    # the range so far and the current load; elsewhere a line for each load.
    class ConnectionProgress < RateProgress
      # name: :load, :loaded, with the facts of LoadRun::ConnectionFinder's events.
      #: (Symbol, Hash[Symbol, untyped]) -> void
      def call(name, facts)
        case name
        when :load then begin_load(**facts)
        when :loaded then loaded(**facts)
        end
      end

      private

      def begin_load(connections:, number:)
        count = Report::Numbers.counted(connections, "connection")
        @line&.draw([format("%5.1f s", seconds), @known, "load #{number}: #{count}"].compact
                                                                                   .join("  "))
      end

      def loaded(loaded:, kept:, missed:)
        @known = known(kept, missed)
        text = ConnectionView.load(ConnectionDocument.shown(loaded), @limit.figure)
        text = [text, *@known].join("; ")
        @out.puts(@style.plain(format("%6.1f s  %s", seconds, text))) unless @line
      end

      def known(kept, missed)
        low, high = [kept, missed].map { |count| Report::Numbers.whole(count) if count }
        parts = [*("with #{low}" if low), *("not with #{high}" if high)]
        "#{@limit} #{parts.join(', ')}" if parts.any?
      end
    end
  end
end
