# frozen_string_literal: true

module Mohs
  class App
    # One request that the user wants measured: `method` ("GET"); `path` with its query; `headers`
    # {name => value} (a Host among them replaces ours); `body`, text or nil; `weight`, its share in
    # a mix; `expect`, text that every correct response contains, or nil if the response is to be
    # learned; `optional`, whether the mix leaves the request out if the server refuses it (a logged
    # request may be for a page that no longer exists); `confidential`, the names of headers whose
    # values are secrets, whatever they look like. Frozen data that survives JSON.
    class Request < Struct.new(:method, :path, :headers, :body, :weight, :expect, :optional,
                               :confidential, keyword_init: true)
      # Supported methods; the options and the keys in files have the same names.
      METHODS = %w[GET POST PUT PATCH DELETE HEAD OPTIONS].freeze

      # The characters of a header's name (RFC 9110, 5.6.2).
      TOKEN = /\A[!#$%&'*+.^_`|~0-9A-Za-z-]+\z/

      # mohs frames requests itself; these headers would contradict it.
      FRAMING = %w[content-length transfer-encoding connection].freeze
      # What to do instead of the last of these.
      CLOSING = "close in a variant, or --close, closes connections"
      private_constant :CLOSING

      # A checked request. Raises UsageError if it can't be sent. A body without a Content-Type is
      # declared as JSON if it looks like JSON, else as a form, like curl does.
      #: (path: String, ?method: String, ?headers: Hash[String, String], ?body: String?, ?weight: Integer, ?expect: String?, ?optional: bool, ?confidential: Array[String]) -> App::Request
      def self.build(path:, method: "GET", headers: {}, body: nil, weight: 1, **rest)
        method = method.to_s.upcase
        unless METHODS.include?(method)
          fail_with("#{method} is not a supported method (#{METHODS.join(', ')})")
        end
        unless weight.is_a?(Integer) && weight.positive?
          fail_with("weight #{weight.inspect}: must be a positive integer")
        end
        headers = headers.to_h { |name, value| checked_header(name.to_s, value.to_s) }
        body = checked_body(body) if body
        headers = typed(headers, body) if body
        new(method:, path: checked_path(path.to_s), headers:, body:, weight:, **rest)
      end

      # Parses "Name: value", the format of --header.
      #: (String) -> [String, String]
      def self.parse_header(text)
        name, value = text.split(":", 2)
        fail_with("header #{text.inspect}: write it as \"Name: value\"") unless value

        checked_header(name.strip, value.strip)
      end

      # A path, possibly after an address.
      ADDRESSED = %r{\A(?:\w+://[^/]*|[\w.-]+:\d+)?/?(?<path>.*)\z}m
      private_constant :ADDRESSED

      def self.checked_path(path)
        meant = "Did you mean /#{path[ADDRESSED, :path]}?"
        fail_with("#{path} is a URL: give only its path. #{meant}") if path.match?(%r{\A\w+://})
        fail_with("path #{path.inspect}: must begin with a slash. #{meant}") unless
          path.start_with?("/")

        fail_with("path #{path.inspect}: write spaces as %20, without #") if path.match?(/[\s\0#]/)

        path
      end

      def self.checked_header(name, value)
        fail_with("#{name.inspect} is not a valid header name") unless name.match?(TOKEN)
        fail_with("header #{name}: the value must be a single line") if value.match?(/[\r\n\0]/)
        close = " (#{CLOSING})" if name.casecmp?("connection")
        fail_with("header #{name}: mohs sets it itself#{close}") if FRAMING.include?(name.downcase)

        [name, value]
      end

      def self.checked_body(body)
        text = body.dup.force_encoding(Encoding::UTF_8)
        fail_with("the body is not valid UTF-8 text") unless text.valid_encoding?

        text.freeze
      end

      def self.typed(headers, body)
        return headers if headers.any? { |name, _| name.casecmp?("content-type") }

        json = body.match?(/\A\s*[\[{]/)
        { **headers, "Content-Type" => "application/#{json ? 'json' : 'x-www-form-urlencoded'}" }
      end

      def self.fail_with(message) = raise(UsageError, message)

      private_class_method :checked_path, :checked_header, :checked_body, :typed, :fail_with

      #: (method: String, path: String, ?headers: Hash[String, String], ?body: String?, ?weight: Integer, ?expect: String?, ?optional: bool, ?confidential: Array[String]) -> void
      def initialize(method:, path:, headers: {}, body: nil, weight: 1, expect: nil,
                     optional: false, confidential: [])
        super
        freeze
      end

      # The value of a header, whose name is compared case-insensitively.
      #: (String) -> String?
      def header(name) = headers.find { |key, _| key.casecmp?(name) }&.last

      # The same request with other headers, which take precedence.
      #: (Hash[String, String]) -> App::Request
      def with_headers(others) = self.class.new(**to_h, headers: headers.merge(others))

      # The same request by a user who has signed in: with these headers, whose Cookie is added to
      # its own.
      #: (Hash[String, String]) -> App::Request
      def signed(others)
        cookies = [header("Cookie"), others["Cookie"]].compact
        all = without_header("Cookie").headers.merge(others, "Cookie" => cookies.join("; "))
        self.class.new(**to_h, headers: all, confidential: [*confidential, "Cookie"].uniq)
      end

      # The same request without this header.
      #: (String) -> App::Request
      def without_header(name)
        self.class.new(**to_h, headers: headers.reject { |own, _| own.casecmp?(name) })
      end

      # The same request, with each header, path and body replaced by the block's result: (name,
      # value, kind) -> value. The kind is :value, :secret, :path or :body.
      #: () { (String, String, Symbol) -> String } -> App::Request
      def map_values
        others = headers.to_h { |name, value| [name, yield(name, value, kind(name))] }
        self.class.new(**to_h, headers: others, path: yield("the path", path, :path),
                               body: body && yield("the body", body, :body))
      end

      # The kind of a header's value, as for `map_values`.
      #: (String) -> Symbol
      def kind(header) = confidential.include?(header) ? :secret : :value

      # The parts of the request that only the server may read.
      #: () -> Array[String]
      def secrets
        found = []
        map_values do |name, value, kind|
          Secrets.replace_in(kind, name, value) { |secret| secret.tap { found << secret } }
        end
        found
      end

      # "GET /products", with the secrets of its query masked.
      #: () -> String
      def to_s = "#{method} #{Secrets.mask_path(path)}"
    end
  end
end
