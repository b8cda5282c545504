# frozen_string_literal: true

module Mohs
  module Rubies
    module Finders
      # RVM: rubies/ below its root, for a single user or system-wide.
      class Rvm < Base
        private

        def versions
          roots("rvm_path", at_home(".rvm"), "/usr/local/rvm", "/usr/share/rvm").map do |root|
            File.join(root, "rubies")
          end
        end
      end
    end
  end
end
