# frozen_string_literal: true

module Mohs
  module Exporters
    # The forms in which a command prints its document: see documents/base.rb for the contract.
    module Documents
      extend Family

      family "exporter", folder: File.join(__dir__, "documents"), list: "docs/json.md"
    end
  end
end
