# frozen_string_literal: true


module Mohs
  # The command line: finds the command, runs it, and turns errors into one line and an exit status.
  # Commands only talk to the user.
  class CLI
    # In the order of the help. Each is a class of the same name in cli/, except commands that share
    # their name with a module of mohs (LoadCommand, ReportCommand).
    COMMANDS = %w[run compare gate tune bisect track history load jobs doctor rubies servers list
                  show report web explain resume repro export import gc fleet worker hosts
                  docs help].freeze

    # Commands that programs type.
    UNLISTED = %w[run-cohort agent].freeze

    # The command if none is typed: measures the folder.
    DEFAULT = "run"

    #: (CLI::Context) -> void
    def initialize(context)
      @context = context
    end

    # Runs the command that `argv` names; without one, measures the folder. Returns the exit status.
    #: (Array[String]) -> Integer
    def call(argv)
      # Whatever the locale says.
      words = argv.map { |word| word.dup.force_encoding(Encoding::UTF_8) }
      name, arguments = split(words)
      command = Help.new(@context, arguments) # has only the options of every command
      verify(words)
      command = command(name, arguments).new(@context, arguments, name:)
      status = command.call
      @context.out.flush # while a full disk can still be reported
      status
    rescue SignalException => signal
      @context.err.puts("mohs: stopped")
      128 + signal.signo
    rescue Errno::EPIPE
      status || 0 # whoever read our output (head, less) has seen enough
    rescue StandardError, ScriptError, NoMemoryError => error
      shown = COMMANDS.include?(name) ? name : DEFAULT
      ErrorReport.new(error, context: @context).report(shown, command.typed)
    end

    # The class of the command `name` (nil: none was typed). Raises UsageError with the nearest
    # spelling if there is no such command.
    #: (String?) -> Class
    def self.command(name)
      return Run if name.nil?
      return Version if name == "version"
      return LoadCommand if name == "load"
      return ReportCommand if name == "report"
      return RunCohort if name == "run-cohort"
      return const_get(name.capitalize) if [*COMMANDS, *UNLISTED].include?(name)

      topic = Topics::ALL.key?(name) ? name : Suggest.nearest(name, Topics::ALL.keys)
      others = topic ? "Did you mean mohs help #{topic}?" : "Commands: #{COMMANDS.join(', ')}."
      hint = Suggest.hint(name, COMMANDS, otherwise: others) { |near| "mohs #{near}" }
      raise UsageError, "unknown command #{name.inspect}. #{hint}"
    end

    #: (String) -> bool
    def self.command?(name) = [*COMMANDS, "version", *UNLISTED].include?(name)

    # The commands with this option.
    #: (String, CLI::Context) -> Array[String]
    def self.having(option, context)
      COMMANDS.select { |name| described(name, context).known_options.include?(option) }
    end

    # The command `name`, only to be asked for its options.
    #: (String?, CLI::Context) -> CLI::Base
    def self.described(name, context) = command(name).new(context, [], name:)

    private

    # The class of the command that was typed; raises UsageError with the command that was probably
    # meant.
    def command(name, arguments)
      return self.class.command(name) if name.nil? || self.class.command?(name)

      guess = CommandGuess.new([name, *arguments], @context)
      line = guess.command or return self.class.command(name)
      raise UsageError, "#{name.inspect} is not a command. Did you mean #{line}?"
    end

    def verify(words)
      wrong = words.find { |word| !word.valid_encoding? } or return

      raise UsageError, "#{wrong.inspect} is not valid UTF-8."
    end

    # The command is the first argument, unless that is an option.
    def split(argv)
      return ["help", argv.drop(1)] if %w[-h --help].include?(argv.first)
      return ["version", argv.drop(1)] if %w[-V --version].include?(argv.first)
      return [nil, argv] if argv.empty? || argv.first.start_with?("-")

      [argv.first, argv.drop(1)]
    end
  end
end
