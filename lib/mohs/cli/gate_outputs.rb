# frozen_string_literal: true

module Mohs
  class CLI
    # Where the document of `mohs gate` goes beside the screen: a comment in a file, and on GitHub
    # annotations and the summary of the job.
    class GateOutputs
      # comment: path of the file; nil: none. gates: that of the study file; nil: none.
      #: (CLI::Context, tell: ^(String) -> void, ?comment: String?, ?gates: String?) -> void
      def initialize(context, tell:, comment: nil, gates: nil)
        @context = context
        @tell = tell
        @comment = comment
        @gates = gates
        # That it can be written is known beforehand.
        OutputFile.new(@comment).close if @comment
      end

      #: (Hash[Symbol, untyped]) -> void
      def call(document)
        comment = Report::Markdown::GateComment.new(document).to_s
        OutputFile.write(@comment, comment) if @comment
        annotate(document) if @context.env["GITHUB_ACTIONS"] == "true"
        summarize(comment)
      end

      private

      def annotate(document)
        Report::GithubAnnotation.of(document, file:).each { |one| @context.err.annotate(one) }
      end

      # As the runner knows it: below the folder that it has checked out.
      def file
        top = "#{@context.env['GITHUB_WORKSPACE']}/"
        @gates.delete_prefix(top) if @gates && top != "/" && @gates.start_with?(top)
      end

      # What was measured counts without it.
      def summarize(comment)
        path = @context.env["GITHUB_STEP_SUMMARY"].to_s
        File.write(path, "#{comment}\n", mode: "a") unless path.empty?
      rescue SystemCallError => error
        @tell.call("the summary of the job can't be written: #{error.message}")
      end
    end
  end
end
