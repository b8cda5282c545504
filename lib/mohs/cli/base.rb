# frozen_string_literal: true

module Mohs
  class CLI
    # The base of a command: a class with SUMMARY (one line of the help) and USAGE (how it is
    # typed), whose `options(parser)` declares its options and whose `execute` does the work and
    # returns the exit status. `arguments` is what is left besides the options. Every command has
    # --debug, --help and the exporters of its document that are options (--json).
    class Base
      # Different names of one option, in commands of mohs and in other tools.
      SAME = [%w[-c --concurrency --connections], %w[-d --time --duration --budget],
              %w[--path --url --uri --get]].freeze

      # How many commands are named that have an option.
      SHOWN = 4
      private_constant :SHOWN

      # Number of arguments besides options.
      ARGUMENTS = (0..0)

      # Exit statuses by the outcome of a document, which its procedure decides (docs/cli.md).
      STATUSES = { ok: 0, failed: 1, regression: 10, inconclusive: 11 }.freeze

      #: (CLI::Context, Array[String], ?name: String?) -> void
      def initialize(context, argv, name: nil)
        @context = context
        @argv = argv
        @name = name
      end

      #: () -> Integer
      def call
        @arguments = parse
        return help if @help

        check_arguments
        @reports ? reporting { execute } : execute
      end

      # The options as they are declared.
      #: () -> CLI::Options
      def parser
        @parser ||= Options.new(banner, 26, "  ") do |parser|
          options(parser)
          parser.about("output") { general(parser) }
        end
      end

      # The names of the options that were typed, including those after one that can't be parsed.
      #: () -> Array[String]
      def typed = parser.names(@argv)

      # Its options, by all of their names.
      #: () -> Array[String]
      def known_options
        parser.top.list.grep(OptionParser::Switch).flat_map { |switch| switch.long + switch.short }
      end

      # The manual of the command.
      #: () -> String
      def manual = "#{self.class::SUMMARY}\n\n#{parser.help}"

      private

      attr_reader :context, :arguments

      # The exporter of the document; nil if the document is shown as a screen.
      attr_reader :exporter

      def options(_parser); end

      # Declares --report, for a command that measures and so has a document_kind.
      def reports(parser)
        @reports = ReportOptions.new(context)
        @reports.define(parser)
      end

      # Runs the block while the files of --report are open.
      def reporting(&)
        raise UsageError, "--dry-run has nothing to report: leave out --report." if
          @dry_run && @reports.any?

        @reports.open(document_kind, &)
      end

      # The kind of document that the command prints: one of Exporters::Documents.kinds.
      def document_kind = @name || CLI::DEFAULT

      # The text above the options.
      def banner = "Usage: #{self.class::USAGE}"

      def general(parser)
        Exporters::Documents.options.each do |name, member|
          parser.on("--#{name}", member::OPTION) { @exporter = member.new }
        end
        # What it does is up to ErrorReport.
        parser.on("--debug", "print a backtrace on internal errors") { nil }
        parser.on("-h", "--help", "print this help") { @help = true }
      end

      def parse
        take(@argv)
      rescue OptionParser::InvalidOption => error
        raise UsageError, unknown(error.args.first)
      rescue OptionParser::ParseError => error
        raise UsageError, "#{error.message} (#{help_hint})"
      end

      # Parses the options among the words and returns the other words.
      def take(words) = parser.permute(words)

      def unknown(typed)
        option = typed[/\A[^=]+/]
        part = CommandGuess.new(@argv, context).option(option, @name)
        return "#{part} (mohs help variants)" if part

        here, others = called_here(option), CLI.having(option, context)
        return "unknown option #{option}: #{elsewhere(others)} (#{help_hint})" if
          here.nil? && others.any?

        here ||= command_meant(option) || Suggest.nearest(option, [*known_options, *of_mohs])
        hint = here ? "Did you mean #{here}?" : ""
        ["unknown option #{option}.", hint, "(#{help_hint})"].reject(&:empty?).join(" ")
      end

      # What mohs itself has, if no command was typed.
      def of_mohs = @name ? [] : ["--version"]

      # "mohs compare", if its name was typed as an option.
      def command_meant(option)
        name = option.delete_prefix("--")
        "mohs #{name}" if @name.nil? && CLI::COMMANDS.include?(name)
      end

      # Which commands have an option that this one lacks.
      def elsewhere(names)
        commands = names.map { |name| "mohs #{name}" }
        all = commands.size <= SHOWN
        listed = all ? Wording.all(commands) : Wording.few(commands, SHOWN)
        "#{listed} #{commands.one? ? 'has' : 'have'} it"
      end

      # This command's name for the option; nil if it has none.
      def called_here(option)
        same = SAME.find { |names| names.include?(option) }.to_a
        (same & known_options).last
      end

      def help_hint = ["mohs help", @name].compact.join(" ")

      def check_arguments
        return if self.class::ARGUMENTS.cover?(arguments.size)

        extra = arguments.drop(self.class::ARGUMENTS.end || arguments.size).map(&:inspect)
        raise UsageError, missing if extra.empty?

        raise UsageError, "unexpected argument#{'s' unless extra.one?}: #{extra.join(' ')}. " \
                          "Usage: #{self.class::USAGE}"
      end

      def missing = "an argument is missing. Usage: #{self.class::USAGE}"

      def help
        context.out.write(manual)
        0
      end

      # Prints progress, or notes beforehand, in one or several lines, unless --quiet.
      def tell(lines)
        style = context.style(context.err)
        [*lines].each { |line| context.err.puts(style.plain(line)) } unless @quiet
      end

      # What measures with this user's store on this machine.
      def experiment
        tell_place
        context.experiment.call
      end

      # Prints where temporary files go, if not where the user wants them.
      def tell_place = tell(Mohs::Process::ScratchFolder.place.drop(1).compact)

      # The progress of a run, in the form that stderr can show.
      def progress
        return Report::Terminal::NullProgress.new if @quiet

        live = context.live?(context.err)
        kind = live ? Report::Terminal::LiveProgress : Report::Terminal::LineProgress
        kind.new(context.err, style: context.style(context.err), again:)
      end

      # What was typed, as values.
      def invocation
        Invocation.new(command: @name || CLI::DEFAULT, arguments:,
                       options: parser.given.map(&:masked), argv: @argv)
      end

      # The command line, without its secrets.
      def again
        Report::Proposal.new(command: @name, **invocation.to_h.slice(:arguments),
                             options: invocation.options).line
      end

      # Prints the document if --json or the like is given, else the block's text. (No keywords:
      # `fields` is one Hash, with or without braces.)
      def answer(command, fields, out = context.out)
        document = Report::Document.envelope(command, fields)
        write(document, out) { yield(document) }
        0
      end

      # What a run was measured for, as a document.
      def result(run)
        result_in(run) { context.store.call }
      rescue UsageError, StudyError => error
        tell("only its figures, since the study can't be read: #{error.message}")
        context.document.call(run)
      end

      # The same for a run that is in the block's store. Raises UsageError or StudyError if what it
      # takes can't be read.
      def result_in(run, &)
        Experiment::Answer.own(run, servers: context.servers, &) || context.document.call(run)
      end

      # Prints a run's document, as it is or rendered.
      def print_document(document, out = context.out)
        write(document, out) { screen(out).call(document) }
        0
      end

      def write(document, out)
        text = exporter ? exporter.call(document) : context.style(out).plain(yield)
        to_reader { out.write(text) }
        written = @reports ? @reports.write(document) { with_curves(document) } : []
        tell("written: #{written.join(', ')}") if written.any?
      end

      # Ignores a closed pipe: whoever reads the table (head) may have seen enough. Results are
      # still written to files, and the exit status is that of the measurement.
      def to_reader
        yield
      rescue Errno::EPIPE
        nil
      end

      # Adds what pictures are drawn from, if the run is in the store.
      def with_curves(document)
        return document unless document[:run]

        store = context.store.call
        stored = Runner.result(store, document[:run])
        Report::Html.with_curves(document, Analysis::Run.new(stored), store)
      end

      def screen(out = context.out) = Report::Terminal.new(style: context.style(out))

      # Prints the table of a load, or its document.
      def print_load(document, out)
        answer("load", document, out) { |whole| screen(out).call(whole) }
      end
    end
  end
end
