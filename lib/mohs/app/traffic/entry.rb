# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      # A request as a log tells it, unchecked: `method` and `target` (path and query) or nil where
      # they are none, `status` that it was answered with; `whole` where the log has `headers` and
      # `body` too, with `dropped`, the names of headers that are not sent again. `fault`: why it
      # can't be repeated. `line`: what could not be read (then nothing else is known).
      class Entry < Struct.new(:method, :target, :status, :whole, :headers, :body, :dropped, :fault,
                               :line, keyword_init: true)
        NONE = {}.freeze

        # A line that should be a request and is none.
        #: (String) -> Traffic::Entry
        def self.unreadable(line) = new(line:)

        #: (**untyped) -> void
        def initialize(headers: NONE, dropped: [].freeze, **)
          super
          freeze
        end
      end
    end
  end
end
