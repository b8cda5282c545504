# frozen_string_literal: true

module Mohs
  class CLI
    # What `mohs load` takes for right answers, learned from the server before it is loaded.
    class LoadAnswers
      #: (CLI::RequestOptions, CLI::LoadTarget) -> void
      def initialize(requests, server)
        @requests = requests
        @server = server
        place = server.to_h.slice(:host, :port, :unix).compact
        @learner = App::ResponseLearner.new(Http::Client.new(**place))
      end

      # An answer for each request that it does not refuse. Raises TrialError.
      #: () -> Array[App::Answer]
      def call = @learner.learn(@requests.to_a(path: @server.path))

      # What was left out, in a sentence; nil: nothing.
      #: () -> String?
      def left_out = @learner.left_out_summary

      # Of logs, what was taken and what was left out, as in docs/json.md.
      #: () -> Hash[Symbol, untyped]?
      def traffic
        return unless @requests.mix

        refused = @learner.left_out.map do |request, reason|
          { request: request.to_s, weight: request.weight, reason: }
        end
        { **@requests.mix.document, refused: }
      end
    end
  end
end
