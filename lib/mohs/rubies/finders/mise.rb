# frozen_string_literal: true

module Mohs
  module Rubies
    module Finders
      # mise: installs/ruby/ below its data folder, which is below XDG_DATA_HOME unless set
      # explicitly.
      class Mise < Base
        private

        def versions
          data = @env["XDG_DATA_HOME"] ? [@env["XDG_DATA_HOME"]] : at_home(".local", "share")
          roots("MISE_DATA_DIR", data.map { |folder| File.join(folder, "mise") })
            .map { |root| File.join(root, "installs", "ruby") }
        end
      end
    end
  end
end
