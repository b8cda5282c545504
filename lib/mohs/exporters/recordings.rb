# frozen_string_literal: true

module Mohs
  module Exporters
    # The forms in which recorded requests are written: see recordings/base.rb for the contract.
    module Recordings
      extend Family

      family "form of a recording", folder: File.join(__dir__, "recordings"),
                                    list: "docs/driver.md"
    end
  end
end
