# frozen_string_literal: true

module Mohs
  module Analysis
    module Checks
      # Whether the server was as the study holds it (Study::Hold): a server with more threads or
      # memory than the others would win by what it was not supposed to have.
      class Held < Base
        WORDS = {
          nothing: "the study holds nothing equal but cores",
          unattested: "its processes and threads are not attested",
          equal: "as the study holds it",
          concurrency: "it worked on %{slots|count} requests at a time, and the study holds " \
                       "%{held|count}",
          memory: "it needed %{megabytes|number} MB of memory at rest, and the study holds " \
                  "%{held|number} MB",
        }.freeze

        MEGABYTE = 1e6

        private

        def needs = %i[attested memory_bytes]

        def judge
          held = facts[:held].to_h.compact
          return unknown(:nothing) if held.empty?

          misfit_of_concurrency(held[:concurrency]) || misfit_of_memory(held[:memory_bytes]) ||
            pass(:equal)
        end

        def misfit_of_concurrency(held)
          return if held.nil?

          slots = ConnectionsExceedThreads.slots(facts[:attested])
          return unknown(:unattested) unless slots

          bad(:concurrency, slots:, held:) unless slots == held
        end

        def misfit_of_memory(held)
          bytes = facts[:memory_bytes]
          return if held.nil? || bytes <= held

          bad(:memory, megabytes: bytes / MEGABYTE, held: held / MEGABYTE)
        end
      end
    end
  end
end
