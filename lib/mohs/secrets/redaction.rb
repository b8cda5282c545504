# frozen_string_literal: true

require "cgi/escape"
require "erb"
require "json"
require "uri"

module Mohs
  module Secrets
    # Masks the user's secrets in text from a server, which may quote a request in a wrong response
    # or log its environment. Call it before cutting a text: half a secret is not recognised.
    class Redaction
      # Shortest secret that is masked, in characters: "1" is in every line.
      LEAST = 4

      # What a header may contain besides its secret: "Bearer TOKEN", "a=SECRET; b=SECRET".
      SCHEME = /\A[\w-]+ +(\S+)\z/
      BASIC = /\ABasic +(\S+)\z/i
      COOKIE = /=([^;\s]+)/

      # How a value is written in a URL, in JSON and in Ruby, by the libraries that do so.
      WRITERS = [
        CGI.method(:escape), ERB::Util.method(:url_encode), URI::DEFAULT_PARSER.method(:escape),
        CGI.method(:escapeHTML),
        ->(text) { text.inspect[1..-2] }, ->(text) { text.dump[1..-2] },
        ->(text) { JSON.generate(text)[1..-2] },
        ->(text) { JSON.generate(text, ascii_only: true)[1..-2] },
        # Rails, whose JSON may be part of a page.
        ->(text) { JSON.generate(text)[1..-2].gsub(/[<>&]/) { |char| format('\u%04x', char.ord) } },
      ].freeze

      # Their hexadecimal digits, which may be small or capital.
      DIGITS = /(?<=%)\h\h|(?<=\\u)\h{4}|(?<=\\x)\h\h/

      # Number of characters of base64 that also depend on what precedes a text, by the number of
      # bytes that precede it in the group of three.
      BASE64_BEFORE = [0, 2, 3].freeze

      private_constant :WRITERS, :DIGITS, :BASE64_BEFORE

      #: (Array[String]) -> void
      def initialize(secrets)
        @forms = []
        add(secrets)
      end

      # Masks these from now on, too: a session that a server has opened, for example.
      #: (Array[String]) -> void
      def add(secrets)
        parts = secrets.flat_map { |secret| parts(secret) }
        forms = parts.flat_map { |part| forms(part) }.select { |form| form.length >= LEAST }
        @forms = [*@forms, *forms.map(&:b)].uniq.sort_by { |form| -form.bytesize }
        @longest = @forms.first.to_s.bytesize
      end

      # `length` bytes of the text, starting at byte `from`, or all of it. A secret that overlaps
      # either end is masked as a whole. cut: somebody else has cut off the text's end.
      #: (String, ?Integer, ?Integer, ?cut: bool) -> String
      def call(text, from = 0, length = text.bytesize, cut: false)
        bytes = text.b
        first = [from - @longest, 0].max
        to = [from + length, bytes.bytesize].min
        around = bytes.byteslice(first, to - first + @longest).to_s
        masked(around, from - first, to - first, cut:).force_encoding(text.encoding)
      end

      private

      def masked(bytes, from, to, cut:)
        shown = +"".b
        secrets(bytes, cut:) do |start, stop|
          next if stop <= from || start >= to

          shown << bytes.byteslice(from, start - from) if start > from
          shown << MASK
          from = stop
        end
        from < to ? shown << bytes.byteslice(from, to - from) : shown
      end

      # Yields the start and end of each secret.
      def secrets(bytes, cut:)
        there = @forms.select { |form| bytes.include?(form) }
        pattern = Regexp.union(there)
        at = 0
        while there.any? && (found = pattern.match(bytes, at))
          yield found.begin(0), at = found.end(0)
        end
        begun = cut ? begun(bytes.byteslice(at..)) : 0
        yield bytes.bytesize - begun, bytes.bytesize if begun.positive?
      end

      # Number of bytes at the text's end that are the beginning of a secret.
      def begun(bytes)
        @forms.map { |form|
          most = [form.bytesize - 1, bytes.bytesize].min
          most.downto(LEAST).find { |size| bytes.end_with?(form.byteslice(0, size)) } || 0
        }.max || 0
      end

      def parts(secret)
        login = secret[BASIC, 1]&.unpack1("m")&.force_encoding(Encoding::UTF_8)
        parts = [secret, secret[SCHEME, 1], *secret.scan(COOKIE).flatten,
                 login, login&.split(":", 2)&.last].compact
        parts.select(&:valid_encoding?)
      end

      # The forms of a secret: as sent, as a server has it after parsing, and as a page or log
      # prints it.
      def forms(part)
        whole = part.dup.force_encoding(Encoding::UTF_8) # a header read from a socket is binary
        return [part] unless whole.valid_encoding?

        sent = CGI.unescape(whole, Encoding::UTF_8)
        [whole, sent, json(whole)].uniq.select(&:valid_encoding?).flat_map do |text|
          written = WRITERS.map { |writer| writer.call(text) }
          cases = %i[upcase downcase].flat_map do |change|
            written.map { |form| form.gsub(DIGITS, &change) }
          end
          [text, *written, *cases, *base64(text)].uniq
        end
      end

      # In base64 a text has three forms, as it may follow any number of bytes: the name of a user.
      # Characters that also depend on what is around it are not part of them.
      def base64(text)
        BASE64_BEFORE.each_with_index.map do |depends, before|
          encoded = ["#{'-' * before}#{text}"].pack("m0")
          encoded[depends...((before + text.bytesize) * 8 / 6)].to_s
        end
      end

      def json(part)
        JSON.parse("[\"#{part}\"]").first
      rescue JSON::ParserError
        part
      end
    end
  end
end
