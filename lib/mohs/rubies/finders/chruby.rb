# frozen_string_literal: true

module Mohs
  module Rubies
    module Finders
      # The folders that ruby-install fills and chruby reads; PREFIX is chruby's variable for
      # another root.
      class Chruby < Base
        private

        def versions
          [File.join(@env["PREFIX"].to_s, "/opt/rubies"), "/opt/rubies", *at_home(".rubies")]
        end
      end
    end
  end
end
