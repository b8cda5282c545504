# frozen_string_literal: true

module Mohs
  class App
    # Assets that a Rails application takes for compiled, and nobody has compiled.
    module Uncompiled
      TASK = "assets:precompile"
      PREPARE = "bin/rails db:prepare"
      # Even so, it may need what a package manager installs.
      FAILED = "--prepare ran #{TASK}, which did not make it: run before it what the " \
               "application's README says, such as npm install."
      private_constant :FAILED

      module_function

      # The reason; if it is that an asset is missing, its remedy is what compiles it beside what
      # already prepares the databases. prepare: the user's command for that, nil if there is none;
      # databases: whether private ones are prepared at all.
      #: (Reason?, prepare: String?, databases: bool) -> Reason?
      def complete(reason, prepare:, databases:)
        return reason unless reason&.code == "asset_missing" && databases

        remedy = "--prepare #{Shell.quoted(command(prepare))}"
        remedy = FAILED if prepare&.include?(TASK)
        Reason.new(**reason.to_h, remedy:)
      end

      # One boot of Rails where that is enough.
      def command(prepare)
        return "#{PREPARE} #{TASK}" if prepare.nil? || prepare == PREPARE

        "#{prepare} && bin/rails #{TASK}"
      end

      private_class_method :command
    end
  end
end
