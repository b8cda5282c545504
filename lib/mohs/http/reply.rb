# frozen_string_literal: true

module Mohs
  module Http
    # One response: `status`, `reason` ("Not Found"), `headers` {lower-case name => [values]},
    # `body` bytes. Its text may quote the request: `redact` masks the user's secrets
    # (Secrets::Redaction) in everything that is meant to be shown.
    class Reply < Struct.new(:status, :reason, :headers, :body, :redact, keyword_init: true)
      # Bytes of a body that are examined as text: a page identifies itself at its beginning.
      TEXT_BYTES = 64 * 1024

      TITLE = %r{<(title|h1)\b[^<>]{0,500}>(.{0,1000}?)</\1>}mi

      # The longest type: two names of at most 127 characters (RFC 6838, 4.2).
      LONGEST_TYPE = 255

      # For requests without secrets.
      PLAIN = ->(text, from = 0, length = text.bytesize) { text.byteslice(from, length) }

      #: (**untyped) -> void
      def initialize(redact: PLAIN, **)
        super
      end

      #: (String) -> String?
      def header(name) = headers[name.downcase]&.first

      # Content-Type without its parameters; nil if there is none, or if it is longer than any valid
      # type.
      #: () -> String?
      def type
        found = header("content-type")&.split(";")&.first&.strip
        found unless found && found.size > LONGEST_TYPE
      end

      #: () -> String?
      def location = header("location")

      # The beginning of the body as text, whatever it contains, without the user's secrets.
      #: () -> String
      def text = utf8(redact.call(body, 0, TEXT_BYTES)).scrub

      # The same for a part of it, or of another body for the same request.
      #: (Integer, Integer, ?String) -> String
      def part(from, length, body = self.body) = utf8(redact.call(body, from, length)).scrub("?")

      # The value of one of its headers, fit to be quoted in a sentence.
      #: (String) -> String
      def quote(text) = Printable.cut(utf8(redact.call(text)).scrub("?"))

      #: (String?) -> bool
      def contains?(expected) = expected.nil? || body.include?(expected.b)

      # The title of a page, else its first heading; nil if there is neither.
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
