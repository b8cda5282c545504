# frozen_string_literal: true

module Mohs
  class CLI
    # Outputs of `mohs gate` besides the screen: a comment in a file, and on GitHub annotations and
    # the summary of the job.
    class GateOutputs
      # comment: path of the file; nil: none. gates: path of the study file; nil: none.
      #: (CLI::Context, tell: ^(String) -> void, ?comment: String?, ?gates: String?) -> void
      def initialize(context, tell:, comment: nil, gates: nil)
        @context = context
        @tell = tell
        @comment = comment
        @gates = gates
        # Raises beforehand if the file can't be written.
        OutputFile.new(@comment).close if @comment
      end

      #: (Hash[Symbol, untyped]) -> void
      def call(document)
        comment = Mohs::Gate::Comment.new(document).to_s
        OutputFile.write(@comment, comment) if @comment
        annotate(document) if @context.env["GITHUB_ACTIONS"] == "true"
        summarize(comment)
      end

      private

      def annotate(document)
        Mohs::Gate::GithubAnnotation.of(document, file:).each { |one| @context.err.annotate(one) }
      end

      # The study file as the runner knows it: relative to the folder that it has checked out.
      def file
        top = "#{@context.env['GITHUB_WORKSPACE']}/"
        @gates.delete_prefix(top) if @gates && top != "/" && @gates.start_with?(top)
      end

      # The result counts even if the summary can't be written.
      def summarize(comment)
        path = @context.env["GITHUB_STEP_SUMMARY"].to_s
        File.write(path, "#{comment}\n", mode: "a") unless path.empty?
      rescue SystemCallError => error
        @tell.call("the summary of the job can't be written to #{path}: #{Error.system(error)}")
      end
    end
  end
end
