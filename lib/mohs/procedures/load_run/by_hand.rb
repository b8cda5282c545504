# frozen_string_literal: true

module Mohs
  class LoadRun
    # The command that loads a server which a user has started.
    module ByHand
      # With these amounts: `connections`, `rate`, `duration_s`, each of which may be nil.
      #: (**untyped) -> Report::Proposal
      def self.call(**amounts) = Report::Proposal.to("load", "URL", **amounts)
    end
  end
end
