# frozen_string_literal: true

module Mohs
  module Exporters
    # Formats in which recorded requests can be exported; Base has the contract.
    module Recordings
      extend Family

      family "form of a recording", folder: File.join(__dir__, "recordings"),
                                    list: "docs/driver.md"

      # An exporter writes recorded requests to an IO. `mohs load` has the option --NAME FILE for
      # each member, `mohs show` for each text member. A member has:
      #
      #   HELP             what the option writes, in a few words
      #   .text?           whether it may be written to a terminal
      #   .rows?           whether each request is independent, so that those of several servers can
      #                    be written one after the other. Such a member also has
      #                      .new(out, origin: [names of columns for where a request comes from])
      #                      #add(recording, *values of these columns)
      #   #write(result)   writes a Load::Result
      class Base
        #: () -> bool
        def self.text? = true

        #: () -> bool
        def self.rows? = false

        #: (_Sink) -> void
        def initialize(out)
          @out = out
        end

        #: (Load::Result) -> void
        def write(_result) = raise(NotImplementedError, "#{self.class}#write")
      end
    end
  end
end
