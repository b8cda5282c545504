# frozen_string_literal: true

require "delegate"

module Mohs
  class CLI
    # A stream of mohs, and the one door between text of others and a terminal: whatever a screen, a
    # message or a line of progress contains, only Printable text and the colours of
    # Report::Terminal::Style come out, and no order to a CI runner that reads it.
    class SafeOutput < SimpleDelegator
      PAINT = /(\e\[(?:#{[0, *Report::Terminal::Style::CODES.values].join('|')})m)/

      # colour: does the stream show colours? Without them not even ours come out.
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

      # Moves the cursor or clears: a sequence of mohs itself, without any text of others.
      #: (String) -> void
      def control(sequence)
        __getobj__.print(sequence)
      end

      # An order of mohs itself to a CI runner, which has escaped the text of others.
      #: (Report::GithubAnnotation) -> void
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
