# frozen_string_literal: true

module Mohs
  class CLI
    # An exception as the user sees it: one line that says what, where and what to do; a document if
    # one was requested; a backtrace only with --debug.
    class ErrorReport
      # Maximum characters of another library's message.
      LONGEST = 300
      # Errors of this machine, which are not bugs.
      HOST = {
        [Errno::ENOSPC, Errno::EDQUOT, Errno::EROFS, Errno::EACCES] =>
          "Free some space or fix the permissions there; TMPDIR, XDG_CACHE_HOME and " \
          "XDG_DATA_HOME name other folders.",
        [Errno::EMFILE, Errno::ENFILE] => "See ulimit -n.",
        [Errno::ENOMEM, NoMemoryError] => "Free some memory, or measure fewer variants at once.",
      }.freeze

      #: (Exception, argv: Array[String], context: CLI::Context) -> void
      def initialize(error, argv:, context:)
        @error = error
        @argv = argv
        @context = context
      end

      # Prints the report and returns the exit status.
      #: () -> Integer
      def report
        name = @context.style(@context.err).paint(:red, "mohs:")
        @context.err.puts("#{name} #{message.gsub("\n", "\n      ")}")
        @context.err.puts("#{@error.class} in", *@error.backtrace) if @argv.include?("--debug")
        @context.out.write(exporter.call(document)) if exporter
        status
      end

      # The exit status of the command.
      #: () -> Integer
      def status
        return @error.exit_status if ours?

        advice ? EnvironmentError.new.exit_status : 1
      end

      # The text that is printed, in one or more lines.
      #: () -> String
      def message
        return Report::Render.reason(@error.reason).to_s if @error.is_a?(TrialError)
        return @error.message if ours?
        return "#{@error.message.lines.first.to_s.strip[0, LONGEST]}. #{advice}" if advice

        "a fault of mohs itself: #{brief}. Please report it with the output of --debug."
      end

      private

      # Searches argv, since parsing the options may have caused the error.
      def exporter
        Exporters::Documents.options.find { |name, _| @argv.include?("--#{name}") }&.last&.new
      end

      def ours? = @error.is_a?(Mohs::Error)

      def advice
        _, advice = HOST.find { |errors, _| errors.any? { |error| error === @error } }
        advice
      end

      # Ruby's own messages may show the inside of an object, including the user's environment.
      def brief
        text = @error.message.lines.first.to_s.strip[0, LONGEST]
        text = "no #{@error.name} on #{@error.receiver.class}" if @error.is_a?(NoMethodError)
        "#{@error.class}: #{text}"
      end

      def document
        kind = @error.class.name.split("::").last
        Report::Document.envelope(command, error: { kind:, message:, exit_status: status })
      end

      def command = CLI::COMMANDS.include?(@argv.first) ? @argv.first : DEFAULT
    end
  end
end
