# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Progress under --quiet: hears the laboratory's events and says nothing.
      class NullProgress
        #: (Symbol, Hash[Symbol, untyped]) -> void
        def call(_name, _facts); end

        #: () -> void
        def close; end
      end
    end
  end
end
