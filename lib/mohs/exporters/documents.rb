# frozen_string_literal: true

module Mohs
  module Exporters
    # The forms in which a command prints its document: see Base for the contract.
    module Documents
      extend Family

      family "exporter", folder: File.join(__dir__, "documents"), list: "docs/json.md"

      # An exporter writes the document of a command, whose keys are the contract of docs/json.md,
      # in another form. Every command has the option --NAME for each member. A member has:
      #
      #   HELP   what the option does, in a few words
      #   #call(document) -> String   the text, with its last line end; pure
      class Base
        #: (Hash[Symbol, untyped]) -> String
        def call(_document) = raise(NotImplementedError, "#{self.class}#call")
      end
    end
  end
end
