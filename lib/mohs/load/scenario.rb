# frozen_string_literal: true

module Mohs
  module Load
    # What the clients of a target do, in the place of a mix of requests (docs/scenarios.md): a
    # client is a connection, with cookies and values of its own. `variables`: { name =>
    # Scenario::Variable }, `steps` [Scenario::Request], `actions` [Scenario::Action] over these,
    # and `login` the Scenario::Action that each client does once, or nil.
    class Scenario < Struct.new(:variables, :steps, :actions, :login, keyword_init: true)
      include Value

      # For each step the request whose number its records carry, with what is right.
      #: () -> Array[Load::Request]
      def requests
        steps.map do |step|
          check = Check.new(statuses: step.expect)
          Load::Request.new(method: step.method, path: step.path, check:)
        end
      end

      # Of each step what reports tell: its action's name, its request, and whether it is a login's.
      #: () -> Array[Hash[Symbol, untyped]]
      def outline
        steps.each_with_index.map do |step, number|
          action = [login, *actions].compact.find { |candidate| candidate.steps.cover?(number) }
          { action: action.name, request: step.to_s, login: action.equal?(login) }
        end
      end

      # The core's tables (ext/mohs/scenario_binding.c) for a server known as `host`.
      #: (host: String, ?close: bool) -> Hash[Symbol, untyped]
      def packed(host:, close: false)
        numbers = variables.keys.each_with_index.to_h
        groups = variables.values.filter_map(&:group).uniq.each_with_index.to_h
        { variables: variables.values.map { |variable| variable.packed(groups) },
          steps: steps.map { |step| step.packed(numbers, host:, close:) },
          actions: actions.map { |action| packed_action(action, numbers) },
          login: login && packed_action(login, numbers), made_s: Time.now.to_i }
      end

      private

      def packed_action(action, numbers)
        named = steps[action.steps].flat_map(&:names).uniq
        drawn = named.reject { |name| variables.fetch(name).kind == :captured }
        { first: action.steps.begin, count: action.steps.size, weight: action.weight,
          variables: drawn.map { |name| numbers.fetch(name) } }
      end
    end
  end
end
