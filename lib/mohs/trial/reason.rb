# frozen_string_literal: true

module Mohs
  class Trial
    # Why a life ended, in a sentence: pure.
    module Reason
      module_function

      # Why it did not boot: what is known of such a log, else its own words. The last words of one
      # that lives are not its last.
      #: (String, log: String, alive: bool?) -> String
      def unbooted(message, log:, alive:)
        known = App::Troubles.explain(log:)
        return "#{message}. #{known[0].upcase}#{known[1..]}" if known

        said = App::LastWords.reason(log) unless alive
        [message, said].compact.join(": ")
      end

      # "no right answer any more: 3 wrong body, 1 timeout", of steps of load.
      #: (Array[Load::StepResult]) -> String
      def unanswered(results)
        counts = results.flat_map { |result| result.errors.to_a }.group_by(&:first)
        told = counts.map { |name, each| "#{each.sum(&:last)} #{name.tr('_', ' ')}" }
        "no right answer any more: #{told.any? ? told.join(', ') : 'the server is silent'}"
      end
    end
  end
end
