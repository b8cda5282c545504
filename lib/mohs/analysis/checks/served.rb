# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Every worker worked and every connection got responses; otherwise less was measured than
      # declared.
      class Served < Base
        IDLE = "%{idle|count} of %{declared|count} workers had nothing to do"
        STARVED = "%{starved|count} of %{connections|count} connections got no response"

        WORDS = {
          all: "workers: %{declared|count}, connections: %{connections|count}; all served",
          died: "%{declared|count} workers were declared, %{at_end|count} alive at the end",
          idle: IDLE,
          starved: STARVED,
          idle_and_starved: "#{IDLE}; #{STARVED}",
        }.freeze

        private

        def needs = %i[connections workers]

        def judge
          declared, at_end, served = facts[:workers].values_at(:declared, :at_end, :served)
          return bad(:died, declared:, at_end:) if at_end < declared

          connections, answered = facts[:connections].values_at(:asked, :served)
          idle = [declared - (served || declared), 0].max
          starved = [connections - answered, 0].max
          report(idle:, starved:, declared:, connections:)
        end

        def report(**values)
          kinds = values.slice(:idle, :starved).select { |_, count| count.positive? }.keys
          kinds.empty? ? pass(:all, **values) : warn(kinds.join("_and_"), **values)
        end
      end
    end
  end
end
