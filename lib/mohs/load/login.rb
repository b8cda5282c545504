# frozen_string_literal: true

module Mohs
  module Load
    # The logins of a scenario's clients, before anything is measured.
    class Login
      SHOWN = 200 # characters of a wrong response

      # redact: for what a response may quote. target: the index of the clients' target.
      #: (Drivers::Base, Load::Scenario, redact: Secrets::Redaction, ?target: Integer) -> void
      def initialize(driver, scenario, redact:, target: 0)
        @driver = driver
        @scenario = scenario
        @redact = redact
        @target = target
      end

      # Returns the result of the logins. Raises TrialError if any client could not log in: the rest
      # of the load would be measured as an anonymous client sees it.
      #: () -> Load::StepResult
      def call
        clients = @driver.targets[@target].connections
        result = @driver.run([Step.login(clients, targets: [@target])]).first
        return result if result && result.finished == result.actions

        failed, of = result.actions - result.finished, result.actions
        raise TrialError.new(trouble(failed, of), code: "logins_failed", values: { failed:, of: },
                                                  state: :refused)
      end

      private

      def trouble(failed, of)
        ["#{failed} of #{of} clients could not log in (#{steps.join('; ')}).", first_wrong,
         "Nothing was loaded."].compact.join(" ")
      end

      # "POST /login: wrong_status 2"
      def steps
        recording = @driver.recording(@target)
        @scenario.login.steps.filter_map do |number|
          errors = recording.of_request(number).errors.map { |name, count| "#{name} #{count}" }
          "#{@scenario.steps[number]}: #{errors.join(', ')}" if errors.any?
        end
      end

      def first_wrong
        failed = @driver.first_failed(@target) or return
        text = failed.redacted(@redact).force_encoding(Encoding::UTF_8).scrub("?").split.join(" ")
        body = ": #{text[0, SHOWN]}" unless text.empty?
        "The first failed response had status #{failed.status}#{body}."
      end
    end
  end
end
