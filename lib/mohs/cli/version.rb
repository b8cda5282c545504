# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs --version` with further options; without any, exe/mohs answers without loading mohs.
    class Version < Base
      SUMMARY = "Prints the version of mohs."
      USAGE = "mohs --version [--json]"

      private

      def execute = answer("version", {}) { "mohs #{VERSION}\n" }
    end
  end
end
