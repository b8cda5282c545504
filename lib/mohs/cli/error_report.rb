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

      #: (Exception, context: CLI::Context) -> void
      def initialize(error, context:)
        @error = error
        @context = context
      end

      # Prints the report of an error of this command, as these options say (CLI::Base#typed), and
      # returns the exit status.
      #: (String, Array[String]) -> Integer
      def report(command, options)
        name = @context.style(@context.err).paint(:red, "mohs:")
        @context.err.puts("#{name} #{message.gsub("\n", "\n      ")}")
        @context.err.puts("#{@error.class} in", *@error.backtrace) if options.include?("--debug")
        exporter = Exporters::Documents.options.find { |one, _| options.include?("--#{one}") }
        @context.out.write(exporter.last.new.call(document(command))) if exporter
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

      def document(command)
        kind = @error.class.name.split("::").last
        Report::Document.envelope(command, error: { kind:, message:, exit_status: status })
      end
    end
  end
end
