# frozen_string_literal: true

module Mohs
  module Repro
    # How a user asks for a reproduction again.
    module CommandLine
      module_function

      # The argument by which `mohs repro` finds a publication, from the path of its file: its name,
      # or its folder if the study is not mohs's own.
      #: (String) -> String
      def place(file)
        folder = ::File.dirname(file)
        ::File.dirname(folder) == Repro::Library::FOLDER ? ::File.basename(folder) : folder
      end

      # What `mohs show` needs to print this document of a run, and not the claims that it tests:
      # settings of a Report::Proposal.
      #: (Hash[Symbol, untyped]) -> Hash[Symbol, untyped]
      def shown(document) = document[:reproduces] ? { table: true } : {}

      # The command with these settings. order: as Order#to_h.
      #: (Hash[Symbol, untyped], **untyped) -> Report::Proposal
      def proposal(order, **settings)
        file, size, only = order.values_at(:file, :size, :only)
        Report::Proposal.to("repro", place(file), **sized(size), only:, **settings)
      end

      # The option of a size, as a setting of a Report::Proposal. size: nil: all of the study.
      #: (String?) -> Hash[Symbol, true]
      def sized(size) = size ? { size.to_sym => true } : {}
    end
  end
end
