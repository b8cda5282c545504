# frozen_string_literal: true

module Mohs
  module Rounds
    # The document of `mohs` itself.
    class Document < Report::Model
      COMMAND = "run"

      private

      def sentence(document) = Headline.new(document)

      def suggestion = Suggestion

      def remedied(reason)
        CookieSecret.remedy(reason, provenance:, file: @stored.study.file)
      end
    end
  end
end
