# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # Self-checks, and all remarks: no other section of the page has them.
      class Remarks < Checks
        private

        def remarks = @remarks ||= others
      end
    end
  end
end
