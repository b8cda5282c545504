# frozen_string_literal: true

module Mohs
  module Http
    # One response: `status`, `reason` ("Not Found"), `headers` {lower-case name => [values]},
    # `body` bytes. What it has in words may quote the request: `redact` masks the person's secrets
    # (Secrets::Redaction) in all that is made to be shown.
    class Reply < Struct.new(:status, :reason, :headers, :body, :redact, keyword_init: true)
      # Of a body that is looked at as text: what a page is shows at its beginning.
      TEXT_BYTES = 64 * 1024

      TITLE = %r{<(title|h1)\b[^<>]{0,500}>(.{0,1000}?)</\1>}mi

      # RFC 6838, 4.2: two names of 127 characters at most.
      LONGEST_TYPE = 255

      # For a request without secrets.
      PLAIN = ->(text, from = 0, length = text.bytesize) { text.byteslice(from, length) }

      #: (**untyped) -> void
      def initialize(redact: PLAIN, **)
        super
      end

      #: (String) -> String?
      def header(name) = headers[name.downcase]&.first

      # Content-Type without its parameters; nil if there is none, or one longer than any is.
      #: () -> String?
      def type
        found = header("content-type")&.split(";")&.first&.strip
        found unless found && found.size > LONGEST_TYPE
      end

      #: () -> String?
      def location = header("location")

      # The beginning of the body as text, whatever it is, without the person's secrets.
      #: () -> String
      def text = utf8(redact.call(body, 0, TEXT_BYTES)).scrub

      # The same of a part of it, or of another body for the same request.
      #: (Integer, Integer, ?String) -> String
      def part(from, length, body = self.body) = utf8(redact.call(body, from, length)).scrub("?")

      # What one of its headers says, as a sentence may quote it.
      #: (String) -> String
      def quote(text) = Printable.cut(utf8(redact.call(text)).scrub("?"))

      #: (String?) -> bool
      def contains?(expected) = expected.nil? || body.include?(expected.b)

      # The title of a page, else its first heading; nil if it is not a page.
      #: () -> String?
      def title
        found = text[TITLE, 2]&.gsub(/<[^>]+>|\s+/, " ")&.squeeze(" ")&.strip
        Printable.cut(found) unless found.to_s.empty?
      end

      private

      def utf8(text) = text.dup.force_encoding(Encoding::UTF_8)
    end
  end
end
