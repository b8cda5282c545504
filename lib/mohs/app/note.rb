# frozen_string_literal: true

module Mohs
  class App
    # Something the user should know about the application: `code` and `values`, plain data that
    # survives JSON and becomes an Analysis::Finding of its trials.
    class Note < Struct.new(:code, :values, keyword_init: true)
      include Value

      #: (String, **untyped) -> App::Note
      def self.of(code, **values) = new(code:, values:)
    end
  end
end
