# frozen_string_literal: true

module Mohs
  module Report
    # For a page that was refused because its cookie was made with another secret than the temporary
    # one: the same command line with an option that gives the application the right one.
    module CookieSecret
      NAME = "SECRET_KEY_BASE"
      OPTIONS = { **Suggestion::KEPT, **Suggestion::DROPPED }.freeze
      private_constant :NAME, :OPTIONS

      module_function

      # The reason with the command in its remedy; the reason itself if it has another cause, or the
      # command line is not that of a run.
      #: (Reason, argv: Array[String], ?file: String?) -> Reason
      def remedy(reason, argv:, file: nil)
        cookie = reason.values[:cookie]
        return reason unless cookie && cookie[:temporary]

        options = Suggestion.options(argv, kept: OPTIONS, dropped: {}, file:) or return reason
        again = again(options.with_secret(NAME), file)
        Phrase.reason(Reason.new(code: reason.code,
                                 values: { **reason.values, cookie: { **cookie, again: } }))
      end

      def again(options, file)
        words = ["mohs", *(["run", file] if file), *options.words]
        { command: Shell.command(words), hint: options.hint }
      end
      private_class_method :again
    end
  end
end
