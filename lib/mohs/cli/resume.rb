# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs resume [RUN]`: continues a run that was interrupted or killed; without a key, the newest
    # such run.
    class Resume < Measuring
      SUMMARY = "Continues a run that was interrupted or killed."
      USAGE = "mohs resume [RUN]"
      ARGUMENTS = (0..1)

      private

      def options(parser)
        reports(parser)
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      # Whether the run has variants or claims: every format that can write a run can write it.
      def document_kind = "run"

      def execute
        key = arguments.first || stopped
        measured { |on_event| experiment.resume(key, on_event:) }
      end

      # Whatever it was measured for.
      def document(run)
        procedure = run.stored.study.procedure
        path = procedure.writes
        @write = NewFile.new(path, contents: procedure.method(:contents), tell: method(:tell)) if
          path
        result(run)
      end

      def status(document, signals)
        @write&.write(document)
        super
      end

      def stopped
        store = context.store.call
        run = store.listed.reject(&:finished?).find { |one| !store.run(one.key).imported? }
        raise UsageError, "no run was interrupted (mohs list)." unless run

        tell("resuming #{run.key}")
        run.key
      end
    end
  end
end
