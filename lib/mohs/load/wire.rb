# frozen_string_literal: true

module Mohs
  module Load
    # A request as sent over the wire, rendered once before the load. Adds only what HTTP/1.1
    # requires: Host, Content-Length if there is or might be a body, Connection: close on demand; a
    # header that the request already has takes precedence.
    module Wire
      TOKEN = /\A[!#$%&'*+\-.^_`|~0-9A-Za-z]+\z/ # RFC 9110 5.6.2
      TARGET = /\A[^\x00-\x20\x7f]+\z/n # RFC 9112 3.2: no blank, no control character
      VALUE = /\A[^\r\n\0]*\z/n
      WITH_BODY = %w[POST PUT PATCH].freeze # RFC 9110 8.6: they send a length of 0, too

      module_function

      # The bytes of `request` to a server known as `host` ("127.0.0.1:9292").
      #: (Request | App::Request, host: String, ?close: bool) -> String
      def render(request, host:, close: false)
        verify(request)
        body = request.body&.b
        length = body&.bytesize || (0 if WITH_BODY.include?(request.method))
        headers = with_defaults(request.headers, host:, close:, length:)
        lines = ["#{request.method} #{request.path} HTTP/1.1"]
        headers.each { |name, value| lines << "#{name}: #{value}" }
        "#{lines.join("\r\n")}\r\n\r\n".b << body.to_s
      end

      #: (Request | App::Request) -> void
      def verify(request)
        method = request.method
        path = request.path
        raise UsageError, "#{method.inspect} is not a valid HTTP method" unless method.match?(TOKEN)
        raise UsageError, "#{path.inspect} is not a valid path; write a space as %20" unless
          path.b.match?(TARGET)

        request.headers.each do |name, value|
          next if name.to_s.match?(TOKEN) && value.to_s.b.match?(VALUE)

          raise UsageError, "header #{name.inspect}: #{value.inspect} can't be sent: see RFC 9110"
        end
      end

      #: (Hash[String, String], host: String, close: bool, length: Integer?) -> Hash[String, String | Integer]
      def with_defaults(headers, host:, close:, length:)
        given = headers.map { |name, _| name.to_s.downcase }
        defaults = { "Host" => host }
        # RFC 9112 6.2: never together with Transfer-Encoding, which the body then already uses
        defaults["Content-Length"] = length if length && !given.include?("transfer-encoding")
        defaults["Connection"] = "close" if close
        defaults.reject { |name, _| given.include?(name.downcase) }.merge(headers)
      end
    end
  end
end
