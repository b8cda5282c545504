# frozen_string_literal: true

module Mohs
  module Report
    # Builds the answer in one sentence that a manager can repeat, from a document. A subclass for
    # each kind of document decides the content; the templates are in Templates.
    class Headline
      # Most names that are listed; for more only their number is given.
      FEW = 3

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @document = document
      end

      private

      def say(code, **values) = Render.text(code, **values)

      # The text as a sentence that follows another one, with a capital and a full stop.
      def sentence(text) = " #{Wording.capital(text)}."

      # The shares of failed requests, as no speed is reported without them; "" if none failed.
      def errors(rows)
        failed = rows.select { |row| row && row[:errors][:total].positive? }
        return "" if failed.empty?

        shares = failed.map do |row|
          "#{Numbers.called(row[:variant])} #{Numbers.percent(row[:errors][:share])}"
        end
        say("failed", shares: shares.join(", "))
      end

      def verb(subjects) = subjects.one? ? "is" : "are"

      def list(names)
        names.size > FEW ? Wording.few(names, FEW) : Wording.all(names)
      end
    end
  end
end
