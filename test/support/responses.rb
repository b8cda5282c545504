# frozen_string_literal: true

require "yaml"

module Mohs
  # One response of test/fixtures/responses and what is expected of it: `bytes` as they are sent;
  # what the server does then (`ending`: :keep, :fin or :rst); whether it responds to a HEAD
  # request; the error class of the request ("ok" if it is good), and the `type` or `text` that may
  # be required for that (`wants`, { text:, type: }); status (0: none was read); size of the body,
  # and the body if it is given; whether the connection carries another request.
  Response = Struct.new(:name, :bytes, :ending, :head, :error, :wants, :status, :size, :body,
                        :reused, keyword_init: true)

  # Reads test/fixtures/responses/responses.yml; the comment at its head explains the keys.
  class Responses
    FILE = File.expand_path("../fixtures/responses/responses.yml", __dir__)

    #: () -> Array[Response]
    def self.all
      YAML.safe_load_file(FILE, aliases: true).fetch("responses").map { |entry| read(entry) }
    end

    #: (Hash[String, untyped]) -> Response
    def self.read(entry)
      bytes = [*entry.fetch("send")].map { |part| repeated(part) }.join
      body = binary(entry.fetch("body", "").to_s)
      error = entry.fetch("error", "ok")
      ending = entry.fetch("end", "keep").to_sym
      Response.new(name: entry.fetch("name").to_s, bytes:, ending:, error:,
                   head: entry["method"] == "HEAD", status: entry.fetch("status", 200),
                   size: entry.fetch("bytes", body.bytesize), body: entry["bytes"] ? nil : body,
                   wants: entry.fetch("wants", {}).transform_keys(&:to_sym),
                   reused: reused?(entry, error)).freeze
    end

    # A complete response leaves its connection to the next request, even if it is not the expected
    # one.
    def self.reused?(entry, error)
      (error == "ok" || entry.key?("wants")) && entry.fetch("reused", true)
    end

    def self.repeated(part)
      part.is_a?(Array) ? binary(part.last) * part.first : binary(part)
    end

    # Each code point is a byte.
    def self.binary(text) = text.encode(Encoding::ISO_8859_1).b

    private_class_method :reused?, :repeated, :binary
  end
end
