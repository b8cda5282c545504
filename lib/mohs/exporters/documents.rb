# frozen_string_literal: true

module Mohs
  module Exporters
    # The forms in which a command prints its document: see Base for the contract.
    module Documents
      extend Family

      family "exporter", folder: File.join(__dir__, "documents"), list: "docs/json.md"

      # Those that write the documents of this command, by name.
      #: (String) -> Hash[String, singleton(Exporters::Documents::Base)]
      def self.of(command)
        members = names.to_h { |name| [name, fetch(name)] }
        members.select { |_, member| member::COMMANDS.nil? || member::COMMANDS.include?(command) }
      end

      # An exporter writes the document of a command, whose keys are the contract of docs/json.md,
      # in another form. Each command whose documents it can write has the option --NAME. A member
      # has:
      #
      #   HELP       what the option does, in a few words
      #   COMMANDS   names of the commands whose documents it writes (%w[run show]); nil: of all
      #   #call(document) -> String   the text, with its last line end; pure
      class Base
        COMMANDS = nil

        #: (Hash[Symbol, untyped]) -> String
        def call(_document) = raise(NotImplementedError, "#{self.class}#call")
      end
    end
  end
end
