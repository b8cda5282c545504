# frozen_string_literal: true

module Mohs
  class App
    # What an application's checks.yml requires of a response before anything is measured: `status`;
    # `type`, the Content-Type without parameters; `body`, the whole body (nil for type or body:
    # anything). The request's own `expect` is required too.
    class Check < Struct.new(:request, :status, :type, :body, keyword_init: true)
      # The same of another request.
      #: (App::Request) -> App::Check
      def with_request(request) = self.class.new(**to_h, request:)

      # What is wrong with a response; nil if nothing is.
      #: (Http::Reply) -> String?
      def complaint(reply)
        return "status #{reply.status} instead of #{status}" unless reply.status == status
        return "type #{reply.type || '(none)'} instead of #{type}" if type && reply.type != type
        return "#{shown(reply.text)} instead of #{shown(body)}" if body && reply.body != body.b
        return if reply.contains?(request.expect)

        "#{shown(reply.text)}, which does not contain #{request.expect.inspect}"
      end

      private

      # Enough of a body to recognise it by.
      def shown(text) = text.size > 80 ? "#{text[0, 77].inspect}..." : text.inspect
    end
  end
end
