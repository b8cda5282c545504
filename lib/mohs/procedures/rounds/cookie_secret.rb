# frozen_string_literal: true

module Mohs
  module Rounds
    # For a page that was refused because its cookie was made with another secret than the temporary
    # one: the same command line with an option that gives the application the right one.
    module CookieSecret
      NAME = "SECRET_KEY_BASE"
      COMMANDS = %w[run].freeze
      private_constant :NAME, :COMMANDS

      module_function

      # The reason with the command in its remedy; the reason itself if it has another cause, or the
      # command was not `mohs run`.
      #: (Reason, provenance: Hash[Symbol, untyped], ?file: String?) -> Reason
      def remedy(reason, provenance:, file: nil)
        cookie = reason.values[:cookie]
        return reason unless cookie && cookie[:temporary]

        options = Report::GivenOptions.of(provenance, COMMANDS, &:itself) or return reason
        again = again(options.with_secret(NAME), file)
        Report::Render.reason(Reason.new(code: reason.code,
                                         values: { **reason.values, cookie: { **cookie, again: } }))
      end

      def again(options, file)
        words = ["mohs", *(["run", file] if file), *options.words]
        { command: Report::Shell.command(words), hint: options.hint }
      end
      private_class_method :again
    end
  end
end
