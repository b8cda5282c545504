# frozen_string_literal: true

module Mohs
  module Fleet
    # What starts `mohs run-cohort` on a host. A new one is a new file in launchers/.
    module Launchers
      extend Family

      family "launcher", folder: File.join(__dir__, "launchers"), list: "mohs help fleet"
    end
  end
end
