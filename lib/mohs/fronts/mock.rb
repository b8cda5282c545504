# frozen_string_literal: true

require "rbconfig"

module Mohs
  module Fronts
    # A front for tests: needs no gem, starts in milliseconds and runs under mohs' own Ruby. It
    # forwards bytes as they arrive, and responds 502 if there is no server (see
    # inside/mock_front.rb).
    class Mock < Base
      PROGRAMS = [RbConfig.ruby].freeze
      STOP_SIGNAL = "TERM"
      FOR_TESTS = true
      SCRIPT = File.expand_path("../inside/mock_front.rb", __dir__)

      #: (String) -> String
      def self.version(_program) = RUBY_VERSION

      #: () -> Launch
      def launch
        Launch.new(executable: self.class.program, args: [SCRIPT, address, upstream])
      end
    end
  end
end
