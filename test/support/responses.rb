# frozen_string_literal: true

require "yaml"

module Mohs
  # One answer of test/fixtures/responses and what it has to be: `bytes` as they are sent; what the
  # server does then (`ending`: :keep, :fin or :rst); whether it answers a HEAD request; the class
  # of the request ("ok" where it is good), where it may have to be of a `type` or contain a `text`
  # (`wants`, { text:, type: }); status (0: none was read); size of the body, and the
  # body where it is written down; whether the connection carries another request.
  Response = Struct.new(:name, :bytes, :ending, :head, :error, :wants, :status, :size, :body,
                        :reused, keyword_init: true)

  # Reads test/fixtures/responses/responses.yml, at whose head its keys are explained.
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

    # A whole answer leaves its connection to the next request, even if it is not the wanted one.
    def self.reused?(entry, error)
      (error == "ok" || entry.key?("wants")) && entry.fetch("reused", true)
    end

    def self.repeated(part)
      part.is_a?(Array) ? binary(part.last) * part.first : binary(part)
    end

    # A code point is a byte.
    def self.binary(text) = text.encode(Encoding::ISO_8859_1).b

    private_class_method :reused?, :repeated, :binary
  end
end
