# frozen_string_literal: true

module Mohs
  class App
    # The expected response to one request, as learned: `request` as it has to be sent
    # (App::Request); `status`; `type` (nil if there is none, or if it varies); `length` of the body
    # in bytes (of the shortest body, if it varies); `body`; `kind`, which part of the body is
    # checked from now on (:body byte for byte, :length, or :status for the status only, plus that
    # the body isn't empty if it never was); `expect`, the text that the user requires, or nil;
    # `title`, of an HTML page, or nil; `note`, what the user should know, or nil.
    class Answer < Struct.new(:request, :status, :type, :length, :body, :kind, :expect, :title,
                              :note, keyword_init: true)
      include Value

      # The same with one more thing to know.
      #: (String) -> App::Answer
      def noted(text) = self.class.new(**to_h, note: [text, *note].join("; "))

      # Does the body vary too much between responses to have an expected length?
      #: () -> bool
      def varies? = kind == :status

      # Does the body vary, but was it never empty?
      #: () -> bool
      def never_empty? = varies? && length.positive?

      # The first difference between a reply and the checked parts of this response, nil if there is
      # none: { part: "status" | "type" | "length", right:, wrong: }; { part: "body", offset:,
      # right:, wrong: } with a few bytes around the first difference; or { part: "text", right: }
      # for required text that is missing. Everything that comes from the server is safe to print.
      #: (Http::Reply) -> Hash[Symbol, untyped]?
      def difference(reply)
        found = { status: reply.status, type: reply.type, length: reply.body.bytesize }
        part = checked.find { |key| found[key] != self[key] }
        part ||= :length if lacks_body?(reply)
        if part
          right, wrong = [self[part], found[part]].map { |value| shown(value, reply) }
          return { part: part.to_s, right:, wrong: }
        end
        return in_body(reply) if kind == :body && reply.body != body

        { part: "text", right: expect } unless reply.contains?(expect)
      end

      private

      def in_body(reply)
        offset = BodyDifference.offset(body, reply.body)
        texts = [body, reply.body].map do |bytes|
          printable(reply.part(*BodyDifference.shown(offset), bytes))
        end
        { part: "body", offset:, right: texts[0], wrong: texts[1] }
      end

      def shown(value, reply) = value.is_a?(String) ? printable(reply.quote(value)) : value

      def checked = [:status, (:type if type), (:length if kind == :length)].compact

      def lacks_body?(reply) = never_empty? && reply.body.empty?

      def printable(text) = text.gsub(/[^[:print:]]|\p{Cf}/, "·")
    end
  end
end
