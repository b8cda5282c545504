# frozen_string_literal: true

module Mohs
  module Report
    # Builds the answer in one sentence that a manager can repeat, from a document: a subclass for
    # each kind of document decides its content, Words::Sentences has the templates.
    class Sentence
      # Names in a row; of more only their number is given.
      FEW = 3

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        @document = document
      end

      private

      def say(code, **values) = Phrase.text(code, **values)

      # With a capital and its full stop, behind another sentence.
      def sentence(text) = " #{text[0].upcase}#{text[1..].delete_suffix('.')}."

      # The shares of failed requests, so that no speed stands without them; empty if none failed.
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
        return names.first if names.one?
        return Wording.few(names, FEW) if names.size > FEW

        "#{names[0...-1].join(', ')} and #{names.last}"
      end
    end
  end
end
