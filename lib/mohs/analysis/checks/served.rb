# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Every worker worked, in each slice, and every connection got responses; otherwise less was
      # measured than declared.
      class Served < Base
        IDLE = "%{idle|count} of %{declared|count} workers had nothing to do"
        STARVED = "%{starved|count} of %{connections|count} connections got no response"

        UNEVEN = "in %{uneven} of %{slices|count} slices a worker had less than half of its share"

        WORDS = {
          all: "workers: %{declared|count}, connections: %{connections|count}; all served",
          died: "%{declared|count} workers were declared, %{at_end|count} alive at the end",
          idle: IDLE,
          starved: STARVED,
          idle_and_starved: "#{IDLE}; #{STARVED}",
          uneven: UNEVEN,
          starved_and_uneven: "#{STARVED}; #{UNEVEN}",
        }.freeze

        # Of a server of two processes, one slice in forty leaves one of them without connections.
        # If more than this share are repeated, there is another reason.
        OFTEN = 0.1

        private

        def needs = %i[connections workers]

        def judge
          declared, at_end, served = facts[:workers].values_at(:declared, :at_end, :served)
          return bad(:died, declared:, at_end:) if at_end < declared

          connections, answered = facts[:connections].values_at(:asked, :served)
          idle = [declared - (served || declared), 0].max
          starved = [connections - answered, 0].max
          uneven, slices = idle.positive? ? [0, 0] : uneven() # which says less
          report(idle:, starved:, uneven:, declared:, connections:, slices:)
        end

        # [uneven slices, all], with those that were repeated if they were many.
        def uneven
          counts = facts[:workers].values_at(:uneven, :repeated, :slices)
          left, repeated, slices = counts.map(&:to_i)
          many = repeated > OFTEN * (slices + repeated)
          left.positive? || many ? [left + repeated, slices + repeated] : [0, slices]
        end

        def report(**values)
          kinds = values.slice(:idle, :starved, :uneven).select { |_, count| count.positive? }.keys
          kinds.empty? ? pass(:all, **values) : warn(kinds.join("_and_"), **values)
        end
      end
    end
  end
end
