# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs import FILE...`: imports a run that `mohs export` wrote into the store; compares and
    # prints results of other tools.
    class Import < Base
      SUMMARY = "Imports an exported run, or compares results of other tools."
      USAGE = "mohs import FILE... [options]"
      ARGUMENTS = (1..)

      # Maximum variants and benchmarks that are printed: more would not be readable.
      MOST_ROWS = 1000

      # A file as typed, and the variant that it belongs to (nil: the file names it).
      Typed = Struct.new(:file, :variant)

      private

      def options(parser)
        parser.on("--variant NAME", "the files that follow are runs of this variant; " \
                                    "repeatable (default: the file's name)") { @variant = _1 }
        parser.on("--baseline NAME", "the variant that the others are compared with " \
                                     "(default: the first)") { |name| @baseline = name }
        parser.on("--format NAME", "format of the files, if it is not recognized: " \
                                   "#{Importers.names.join(', ')}") { |name| @format = name }
      end

      # --variant applies to the files after it.
      def take(words)
        @typed = []
        rest = parser.order(words) { |word| @typed << Typed.new(word, @variant) }
        rest = [*@typed.map(&:file), *rest]
        rest.drop(@typed.size).each { |word| @typed << Typed.new(word, @variant) }
        rest
      end

      def execute
        archives, others = @typed.partition { |typed| archive?(typed) }
        return import_results(others) if archives.empty?

        raise UsageError, "#{archives.first.file} is a run: import it alone, without options." \
          if archives.size > 1 || others.any? || @variant || @baseline || @format

        import_run(Store::ArchiveReader.new(path(archives.first)))
      end

      def archive?(typed)
        file = path(typed)
        raise UsageError, "#{typed.file} is not a file." unless File.file?(file)

        Store::ArchiveReader.archive?(file)
      rescue SystemCallError => error
        raise UsageError.unreadable(typed.file, error)
      end

      def path(typed) = File.expand_path(typed.file, context.dir)

      # Rejects a run that can't be shown.
      def import_run(archive)
        store = context.store.call
        import = store.import_run(archive) do |run|
          @sentence = show(Analysis::Run.new(run), store)[:sentence]
        rescue *MALFORMED => error
          archive.wrong("its run can't be shown (#{error.class})")
        end
        store.answer_run(import.run.id, @sentence) if import.added
        key, there = import.run.key, import.key
        outcome = import.added ? "added" : "present"
        answer("import", { run: key, outcome:, exported_as: there }) { text(key, there, outcome) }
      end

      # The document that `mohs show` would print, from this store: no other has the run yet.
      def show(run, store)
        result_in(run) { store }
      rescue UsageError, StudyError
        context.document.call(run) # its study is missing here, or differs
      end

      def text(key, there, outcome)
        show = Report::Proposal.to("show", key)
        return "run #{there} is already in the store: #{show}\n" if outcome == "present"

        renamed = " as #{key} (here #{there} is another run)" unless key == there
        "run #{there} imported#{renamed}: #{show}\n"
      end

      def import_results(typed)
        names = file_names(typed.map(&:file))
        samples = typed.zip(names).flat_map { |one, name| samples(one, name) }
        imports = Analysis::Imports.new(samples, baseline: @baseline)
        raise UsageError, "#{imports.rows.size} variants and benchmarks are more than mohs " \
                          "prints (#{MOST_ROWS})." if imports.rows.size > MOST_ROWS
        document = Report::ImportModel.document(imports)
        answer("import", document) do
          Report::Terminal::ImportScreen.new(document, style: context.style(context.out)).to_s
        end
      end

      # The samples with the names of their variants: as typed, else from the file, else the file's
      # own name.
      def samples(typed, name)
        samples = Importers.read(path(typed), format: @format)
        several = samples.map(&:variant).uniq.size > 1
        samples.map do |sample|
          own = sample.variant || name
          variant = typed.variant && several ? "#{typed.variant}: #{own}" : typed.variant || own
          sample.with(variant:, file: typed.file)
        end
      end

      # Names of files without their extension; with their folders if names repeat.
      def file_names(files)
        short = files.map { |file| File.basename(file, ".*") }
        files.zip(short).map do |file, name|
          same = files.zip(short).select { |_, other| other == name }.map(&:first).uniq
          same.one? ? name : file.delete_suffix(File.extname(file))
        end
      end
    end
  end
end
