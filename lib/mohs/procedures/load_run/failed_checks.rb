# frozen_string_literal: true

module Mohs
  class LoadRun
    # A view's remarks on the self-checks of a load.
    module FailedChecks
      private

      # Those that did not pass.
      def failed_checks
        failed = @document[:checks].reject { |check| check[:ok] }
        failed.map { |check| remark(check[:name].tr("_", " "), check[:detail], code: :check) }
      end
    end
  end
end
