# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs export [RUN] -o FILE`: writes everything that the store has of a run into one file that
    # `mohs import` reads on another machine.
    class Export < Base
      SUMMARY = "Writes a whole run as one file, for another machine."
      USAGE = "mohs export [RUN] -o FILE"
      ARGUMENTS = (0..1)

      private

      def options(parser)
        parser.on("-o", "--output FILE", "the file to write, usually RUN.mohs") do |path|
          @path = path
        end
        parser.on("--quiet", "print nothing") { @quiet = true }
      end

      def execute
        check_path
        store = context.store.call
        run = Runner.result(store, arguments.first)
        raise UsageError, "run #{run.key} is being measured. Wait for it, or end it first." \
          if run.running?

        written = write_file(store, run)
        return answer("export", written) if exporter

        tell(text(written))
        0
      end

      def check_path
        raise UsageError, "which file? mohs export #{arguments.first || 'RUN'} -o FILE" unless @path
        raise UsageError, "-o -: binary data is not written to stdout. Name a file." if @path == "-"
      end

      # Writes the whole file or none.
      def write_file(store, run)
        path = File.expand_path(@path, context.dir)
        file = OutputFile.new(path)
        writer = Store::ArchiveWriter.new(file, redact: Secrets::Redaction.new(secrets(run)))
        store.export_run(run, writer, state: run.state)
        writer.finish
        file.finish
        { run: run.key, file: path, sha256: writer.sha256, trials: writer.counts[:trial],
          requests: writer.requests }
      ensure
        writer&.close
        file&.close
      end

      # The study has references instead of its secrets; but a server may have logged secrets of the
      # environment that it inherited.
      def secrets(run)
        [*Secrets.in_environment(context.env), *vault(run)]
      end

      def vault(run)
        Secrets::Vault.new(env: context.env).open(run.study).secrets
      rescue EnvironmentError
        [] # the run has ended, or somebody else began it
      end

      def text(written)
        trials = Report::Numbers.counted(written[:trials], "trial")
        requests = Report::Numbers.thousands(written[:requests])
        "run #{written[:run]} written to #{@path}: #{trials}, #{requests} requests. " \
          "Elsewhere: #{Report::Proposal.to('import', File.basename(@path))}"
      end
    end
  end
end
