# frozen_string_literal: true

module Mohs
  module Rounds
    # For a page that was refused because its cookie was made with another secret than the temporary
    # one: the same command line with an option that gives the application the right one.
    module CookieSecret
      NAME = "SECRET_KEY_BASE"
      private_constant :NAME

      module_function

      # The reason with the command in its remedy; the reason itself if it has another cause, or the
      # command was not `mohs run`.
      #: (Reason, provenance: Hash[Symbol, untyped], ?file: String?) -> Reason
      def remedy(reason, provenance:, file: nil)
        cookie = reason.values[:cookie]
        return reason unless cookie && cookie[:temporary]

        typed = Report::Proposal.typed_for(provenance, command: "run") or return reason
        words = file ? ["run", file] : [nil]
        again = typed.to(*words).with_secret(NAME)
        Report::Render.reason(Reason.new(code: reason.code,
                                         values: { **reason.values, cookie: { **cookie, again: } }))
      end
    end
  end
end
