# frozen_string_literal: true

require "delegate"

module Mohs
  class CLI
    # A stream of mohs, and the only way for text from elsewhere to reach a terminal: whatever a
    # screen, a message or a line of progress contains, only Printable text and the colours of
    # Report::Terminal::Style are written, and no command to a CI runner that reads the stream.
    class SafeOutput < SimpleDelegator
      PAINT = /(\e\[(?:#{[0, *Report::Terminal::Style::CODES.values].join('|')})m)/

      # colour: does the stream show colours? If not, even mohs's own are removed.
      #: (IO, colour: bool) -> void
      def initialize(stream, colour:)
        super(stream)
        @colour = colour
      end

      #: (*untyped) -> nil
      def puts(*texts) = super(*texts.flatten.map { |text| safe(text) })

      #: (*untyped) -> nil
      def print(*texts) = super(*texts.map { |text| safe(text) })

      #: (*untyped) -> Integer?
      def write(*texts) = super(*texts.map { |text| safe(text) })

      #: (untyped) -> CLI::SafeOutput
      def <<(text) = tap { write(text) }

      # Moves the cursor or clears: a sequence of mohs itself, without any text from elsewhere.
      #: (String) -> void
      def control(sequence)
        __getobj__.print(sequence)
      end

      # A command of mohs itself to a CI runner; text from elsewhere in it is escaped.
      #: (Mohs::Gate::GithubAnnotation) -> void
      def annotate(annotation)
        __getobj__.puts(annotation.to_s)
      end

      private

      # Every second part is a colour.
      def safe(text)
        text = text.to_s
        return plain(text) unless @colour && text.include?("\e")

        parts = text.b.split(PAINT).each_with_index
        parts.map { |part, at| at.odd? ? part : plain(part) }.join
      end

      def plain(text) = Printable.inert(Printable.call(text))
    end
  end
end
