# frozen_string_literal: true

module Mohs
  module Rubies
    module Finders
      # asdf: installs/ruby/ below its data folder.
      class Asdf < Base
        private

        def versions
          roots("ASDF_DATA_DIR", at_home(".asdf")).map do |root|
            File.join(root, "installs", "ruby")
          end
        end
      end
    end
  end
end
