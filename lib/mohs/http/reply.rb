# frozen_string_literal: true

module Mohs
  module Http
    # One response: `status`, `reason` ("Not Found"), `headers` {lower-case name => [values]},
    # `body` bytes.
    class Reply < Struct.new(:status, :reason, :headers, :body, keyword_init: true)
      TITLE = %r{<(title|h1)[^>]*>\s*(.*?)\s*</\1>}mi

      #: (String) -> String?
      def header(name) = headers[name.downcase]&.first

      # Content-Type without its parameters.
      #: () -> String?
      def type = header("content-type")&.split(";")&.first&.strip

      #: () -> String?
      def location = header("location")

      # The body as text, whatever it is.
      #: () -> String
      def text = body.dup.force_encoding(Encoding::UTF_8).scrub

      #: (String?) -> bool
      def contains?(expected) = expected.nil? || body.include?(expected.b)

      # The title of a page, else its first heading; nil if it is not a page.
      #: () -> String?
      def title
        found = text[TITLE, 2]&.gsub(/<[^>]+>|\s+/, " ")&.squeeze(" ")&.strip
        found unless found.to_s.empty?
      end
    end
  end
end
