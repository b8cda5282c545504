# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      # A request as it is in a log, unchecked: `method` and `target` (path and query), nil if they
      # aren't valid, `status` of the response; `whole` if the log has `headers` and `body` too,
      # with `dropped`, the names of headers that are not sent again. `fault`: why it can't be
      # repeated. `line`: what could not be read (then nothing else is known).
      class Entry < Struct.new(:method, :target, :status, :whole, :headers, :body, :dropped, :fault,
                               :line, keyword_init: true)
        NONE = {}.freeze

        # A line that should be a request but isn't.
        #: (String) -> Traffic::Entry
        def self.unreadable(line) = new(line:)

        #: (?method: String?, ?target: String?, ?status: Integer?, ?whole: bool?, ?headers: Hash[String, String], ?body: String?, ?dropped: Array[String], ?fault: String?, ?line: String?) -> void
        def initialize(headers: NONE, dropped: [].freeze, **)
          super
          freeze
        end
      end
    end
  end
end
