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
          crowded: "a worker has %{most|count} of %{connections|count} connections, and " \
                   "%{threads|count} threads: some wait there, while threads of another worker " \
                   "have none",
          all: "workers: %{declared|count}, connections: %{connections|count}; all served",
          repeated: "workers: %{declared|count}, connections: %{connections|count}; all served " \
                    "(%{repeated|count} of %{slices|count} slices repeated, as a worker had no " \
                    "connection)",
          replaced: "%{replaced|count} of %{declared|count} workers began after the warm-up, in " \
                    "place of others: they were not warm",
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

          replaced = facts[:workers][:replaced].to_i
          return warn(:replaced, declared:, replaced:) if replaced.positive?

          connections, answered = facts[:connections].values_at(:asked, :served)
          found = { idle: [declared - (served || declared), 0].max,
                    starved: [connections - answered, 0].max, uneven: 0 }
          found.update(uneven: uneven) unless found[:idle].positive? # which says more
          report(found, declared:, connections:, repeated: slices[1], slices: slices.sum)
        end

        # [measured, repeated]
        def slices = facts[:workers].values_at(:slices, :repeated).map(&:to_i)

        # With those that were repeated, if they were many.
        def uneven
          measured, repeated = slices
          left = facts[:workers][:uneven].to_i
          left.positive? || repeated > OFTEN * (measured + repeated) ? left + repeated : 0
        end

        # nil if no worker has more connections than threads, or if that is unknown.
        def crowd
          most = facts[:workers][:most_connections]
          threads = facts.dig(:attested, :threads)
          { most:, threads: } if most && threads && most > threads
        end

        def report(found, **values)
          kinds = found.select { |_, count| count.positive? }.keys
          return warn(kinds.join("_and_"), **found, **values) if kinds.any?
          return warn(:crowded, **crowd, connections: values[:connections]) if crowd

          pass(values[:repeated].positive? ? :repeated : :all, **found, **values)
        end
      end
    end
  end
end
