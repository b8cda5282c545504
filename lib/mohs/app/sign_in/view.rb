# frozen_string_literal: true

module Mohs
  class App
    class SignIn
      # What a person sees of a response, to compare those of a guest with those of a user: status,
      # where it redirects to, and the words of its page. Pure.
      module View
        # A page's scripts and tags have tokens that differ each time, and so do long words and
        # numbers (times, counts).
        SCRIPT = /<(?=(?:script|style)\b)/i
        SCRIPTED = %r{\A(?:script|style)\b.*?</(?:script|style)\s{0,9}>}mi
        TAG = /<[^<>]*>/
        TOKEN = %r{[\w+/=-]{20,}|\d+}

        module_function

        #: (Http::Reply) -> [Integer, String?, String]
        def of(reply)
          [reply.status, reply.location&.slice(/\A[^?]*/), words(reply.text)]
        end

        def words(text)
          shown = text.split(SCRIPT).map { |part| part.sub(SCRIPTED, " ") }.join
          shown.gsub(TAG, " ").gsub(TOKEN, "0").split.join(" ")
        end
        private_class_method :words
      end
    end
  end
end
