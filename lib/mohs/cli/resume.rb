# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs resume RUN`: continues a run that was interrupted or killed.
    class Resume < Measuring
      SUMMARY = "Continues a run that was interrupted or killed."
      USAGE = "mohs resume RUN"
      ARGUMENTS = (1..1)

      private

      def options(parser) = parser.on("--quiet", "no progress") { @quiet = true }

      def execute
        measured { |on_event| laboratory.resume(arguments.first, on_event:) }
      end
    end
  end
end
