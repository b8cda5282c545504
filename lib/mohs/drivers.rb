# frozen_string_literal: true

module Mohs
  # Load generators: see drivers/base.rb for the contract.
  module Drivers
    extend Family

    family "driver", folder: File.join(__dir__, "drivers"), list: "docs/driver.md"
  end
end
