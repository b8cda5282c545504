# frozen_string_literal: true

module Mohs
  class App
    # A POST whose body the application sends as an event to all who listen.
    module Publication
      # A message of ours, with the number of none: the core writes the others in its place.
      MESSAGE = "mohs #{'f' * 16}".freeze
      # Headers that ask for a stream, and no POST has.
      LISTENING = %w[accept cache-control last-event-id].freeze

      # To `path`, as the user who listens with this request. Raises UsageError if it is no path.
      #: (App::Request | Load::Request, String) -> App::Request
      def self.post(request, path)
        own = request.headers.reject { |name, _| LISTENING.include?(name.downcase) }
        typed = own.any? { |name, _| name.casecmp?("content-type") }
        Request.build(method: "POST", path:, body: MESSAGE,
                      headers: typed ? own : { **own, "Content-Type" => "text/plain" })
      end
    end
  end
end
