# frozen_string_literal: true

module Mohs
  module Rubies
    module Finders
      # rbenv: versions/ below its root.
      class Rbenv < Base
        private

        def versions
          roots("RBENV_ROOT", at_home(".rbenv")).map { |root| File.join(root, "versions") }
        end
      end
    end
  end
end
