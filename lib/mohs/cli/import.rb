# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs import FILE`: puts a run that `mohs export` wrote into the store.
    class Import < Base
      SUMMARY = "Reads a run of another mohs."
      USAGE = "mohs import FILE"
      ARGUMENTS = (1..1)

      private

      def options(parser) = parser.on("--quiet", "print nothing") { @quiet = true }

      def execute
        path = File.expand_path(arguments.first, context.dir)
        raise UsageError, "#{arguments.first} is not a file." unless File.file?(path)
        raise UsageError, "#{arguments.first} was not written by mohs export." \
          unless Store::ArchiveReader.archive?(path)

        run(Store::ArchiveReader.new(path))
      end

      # A run that can't be shown is not imported.
      def run(archive)
        import = context.store.call.import_run(archive) do |run|
          context.document.call(Analysis::Run.new(run))
        rescue *Store::Archive::UNREADABLE => error
          archive.wrong("its run can't be shown (#{error.class})")
        end
        key, there = import.run.key, import.key
        outcome = import.added ? "added" : "present"
        answer("import", { run: key, outcome:, exported_as: there }) { text(key, there, outcome) }
      end

      def text(key, there, outcome)
        return "run #{there} is here already: mohs show #{key}\n" if outcome == "present"

        other = ", since #{there} is another run here" unless key == there
        "run #{there} imported#{" as #{key}" if other}#{other}: mohs show #{key}\n"
      end
    end
  end
end
