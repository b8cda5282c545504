# frozen_string_literal: true

module Mohs
  module Analysis
    # A load by a scenario's clients: that of any load, and each request of its actions.
    class ScenarioLoad < Load
      OF_A_REQUEST = %i[p50 p99].freeze

      # The figures of each request, in the order of Load::Scenario#outline.
      #: () -> Array[Hash[Symbol, untyped]]
      def requests
        @result.scenario[:steps].each_with_index.map do |outline, number|
          own = recording.of_request(number)
          p50_ms, p99_ms = self.class.times_ms(own, kind, OF_A_REQUEST).values
          by_class = own.errors
          total = by_class.values.sum
          { **outline, sent: own.size, good: own.size - total, p50_ms:, p99_ms:,
            errors: { total:, by_class: } }
        end
      end

      # The logins opened theirs.
      #: () -> Hash[Symbol, Integer?]
      def connections
        opened, lost = %i[opened lost].map do |key|
          [@result.login, step].compact.sum { |result| result.connections[key] }
        end
        step.connections.merge(opened:, lost:)
      end

      private

      # Actions fall due, and what is recorded are their requests.
      def dispersion = nil

      # Little's law is of connections that are always busy: here some think, and the last actions
      # end at different times.
      def names_of_checks = super - %w[little_law]

      # The logins are in the recording too.
      def slices = [@result.login&.to_h&.merge(warm_up: true), *super].compact
    end
  end
end
