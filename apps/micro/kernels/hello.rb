# frozen_string_literal: true

module Micro
  # What apps/hello serves: nearly all of the time is the server's.
  class Hello
    BODY = "Hello, world\n"

    def type
      "text/plain"
    end

    def call
      BODY
    end
  end
end
