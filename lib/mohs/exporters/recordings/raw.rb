# frozen_string_literal: true

module Mohs
  module Exporters
    module Recordings
      # The whole recording, which mohs can read again: see RecordingFile.
      class Raw < Base
        HELP = "the recording itself, for mohs show FILE"

        #: () -> bool
        def self.text? = false

        #: (Load::Result) -> void
        def write(result) = RecordingFile.write(result, @out)
      end
    end
  end
end
