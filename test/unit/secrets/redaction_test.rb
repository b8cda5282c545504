# frozen_string_literal: true

require "erb"
require "test_helper"

module Mohs
  module Secrets
    class RedactionTest < TestCase
      def redact(text, *range, secrets: ["Bearer s3cr3t-t0ken"], **options)
        Redaction.new(secrets).call(text, *range, **options)
      end

      # Secret, as it was sent => what a server says of it.
      QUOTED = {
        "Bearer s3cr3t-t0ken" => "Authorization: Bearer s3cr3t-t0ken",
        "Token s3cr3t-t0ken" => "unknown key s3cr3t-t0ken",
        "Basic #{['bob:hunter2!'].pack('m0')}" => "bob has no password hunter2!",
        "_shop=abc%3D123; theme=dark" => "no session abc=123",
        "a b&c<d" => "in a page: a b&amp;c&lt;d",
        "p%20q%26r" => "decoded: p q&r",
        "tab\\tand \\\"quotes\\\"" => "of JSON: tab\tand \"quotes\"",
        "geheimnis-ä-ß" => "bytes: geheimnis-ä-ß".b,
      }.freeze

      QUOTED.each do |secret, text|
        test "#{secret.inspect} is masked where a server says #{text.inspect}" do
          shown = redact(text, secrets: [secret])

          assert_match(/\A[^:]+:? ?.*\[secret\]\z/, shown.b)
          refute_match(/s3cr3t|hunter2|abc.123|a b|p q|quotes|geheimnis/n, shown.b)
          assert_equal text.encoding, shown.encoding
        end
      end

      test "a secret may be binary, as a header that was read from a socket is" do
        ["sid=gr\u00fc\u00dfe-1234".b, "sid=\xff\xfe1234".b].each do |secret|
          assert_equal "bad [secret]", redact("bad #{secret[4..]}".b, secrets: [secret])
        end
      end

      # The forms that programs print a password in, in any case of their hexadecimal digits.
      ODD = "p&w s\"e<c>r\u00e9t+\u00f1"
      FORMS = {
        "a form" => URI.encode_www_form(x: ODD), "a path" => ERB::Util.url_encode(ODD),
        "a lenient URL" => URI::DEFAULT_PARSER.escape(ODD),
        "small digits" => ERB::Util.url_encode(ODD).gsub(/%../, &:downcase),
        "JSON" => JSON.generate([ODD]),
        "JSON of Rails" => JSON.generate([ODD]).gsub(/[<>&]/) { |c| format('\u%04x', c.ord) },
        "ASCII JSON" => JSON.generate([ODD], ascii_only: true),
        "dump" => ODD.dump, "inspect" => ODD.inspect, "HTML" => CGI.escapeHTML(ODD),
      }.freeze

      FORMS.each do |name, text|
        test "a password is masked as #{name} has it" do
          shown = redact("says #{text}!", secrets: [ODD])

          assert_match(/\Asays (?:x=)?\W{0,2}\[secret\]\W{0,2}!\z/, shown)
        end
      end

      test "a password is masked in base64, alone and behind the name of its user" do
        %w[hunter2hunter2 hunter2hunter22 hunter2hunter222].each do |password|
          ["", "a:", "an:", "ann:"].each do |user|
            shown = redact("Basic #{["#{user}#{password}"].pack('m0')}.", secrets: [password])

            assert_match(/\ABasic [\w+]{0,6}\[secret\][\w+=]{0,4}\.\z/, shown)
          end
        end
      end

      test "a secret that is learned later is masked, too, in everything that has the redaction" do
        redaction = Redaction.new(["s3cr3t-t0ken"])
        redaction.add(["_one=abcdef012345", "_two=1"])

        assert_equal "[secret], [secret] and 1", redaction.call("s3cr3t-t0ken, abcdef012345 and 1")
      end

      test "the rest stays to the byte, however broken; words of three letters are no secrets" do
        assert_equal "\xFFa [secret]\xC3".b, redact("\xFFa s3cr3t-t0ken\xC3".b)
        assert_equal "abc", redact("abc", secrets: ["abc"])
        assert_equal "anything", redact("anything", secrets: [])
      end

      test "the longer of two secrets is masked, where one holds the other" do
        assert_equal "[secret] [secret]", redact("abcdef abcd", secrets: %w[abcd abcdef])
      end

      test "a secret at an end of a part is masked as a whole" do
        text = "0123 s3cr3t-t0ken 9876"

        assert_equal "3 [secret]", redact(text, 3, 5)
        assert_equal "[secret] 98", redact(text, 8, 12)
        assert_equal "[secret]", redact(text, 8, 3)
        assert_equal "0123", redact(text, 0, 4)
        assert_equal "76", redact(text, 20, 40)
        assert_equal "", redact(text, 40, 4)
      end

      test "one that was cut with the text is masked, too" do
        assert_equal "0123 [secret]", redact("0123 s3cr3t-", cut: true)
        assert_equal "0123 s3cr3t-", redact("0123 s3cr3t-")
        assert_equal "[secret], [secret]", redact("s3cr3t-t0ken, Bearer s3", cut: true)
      end
    end
  end
end
