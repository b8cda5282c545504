# frozen_string_literal: true

module Mohs
  module Rounds
    # The document of `mohs` itself.
    class Document < Report::Model
      COMMAND = "run"

      private

      # Without a study file `run` is left out: it would read the study.yml of a folder that has
      # one, which plain `mohs` does not.
      def again
        typed = @stored.provenance[:invocation]
        plain = typed && typed[:command] == COMMAND && !@stored.study.file
        Report::Document.again(plain ? typed.merge(command: nil) : typed)
      end

      def sentence(document) = Headline.new(document)

      def jit_worth = Report::JitWorth.answer(@run)

      def suggestion = Suggestion

      def remedied(reason)
        CookieSecret.remedy(reason, provenance:, file: @stored.study.file)
      end
    end
  end
end
