# frozen_string_literal: true

module Mohs
  module Report
    # The document of a load by a scenario's clients: that of any load, and each of its steps. Pure.
    class ScenarioModel < LoadModel
      # `scenario`: { file: its name, steps: Load::Scenario#outline }; `login`: what the clients'
      # logins gave, or nil.
      #: (Load::StepResult, Load::Recording, scenario: Hash[Symbol, untyped], login: Load::StepResult?, **untyped) -> void
      def initialize(step, recording, scenario:, login:, **rest)
        super(step, recording, answers: [], **rest)
        @scenario = scenario
        @login = login
      end

      #: () -> Hash[Symbol, untyped]
      def document
        super.merge(connections:,
                    scenario: { file: @scenario[:file], actions:, logins: @login&.finished,
                                steps: })
      end

      private

      # What was asked for are actions.
      def requests = super.merge(asked: nil)

      def actions = { asked: @asked[:count], begun: @step.actions, finished: @step.finished }

      def steps = @scenario[:steps].each_with_index.map { |step, number| row(step, number) }

      def row(step, number)
        own = @recording.of_request(number)
        times = self.class.times_ms(own, kind, %i[p50 p99])
        by_class = own.errors
        { **step, sent: own.size, good: own.size - by_class.values.sum, p50_ms: times[:p50],
          p99_ms: times[:p99], errors: { total: by_class.values.sum, by_class: } }
      end

      # The logins opened theirs.
      def connections
        opened, lost = %i[opened lost].map do |key|
          [@login, @step].compact.sum { |result| result.connections[key] }
        end
        @step.connections.merge(opened:, lost:)
      end

      # Actions fall due, and what is recorded are their steps.
      def dispersion = nil

      # Little's law is of connections that are always busy: here some think, and the last actions
      # end at different times.
      def checks = super.reject { |check| check[:name] == "little_law" }

      # The logins are in the recording too.
      def slices = [@login&.to_h&.merge(warm_up: true), *super].compact
    end
  end
end
