# frozen_string_literal: true

module Mohs
  module Report
    module Sections
      # The speed of each batch, from a cold start on.
      class ColdStart < Base
        include Course

        KEY = "warm-up"
        TITLE = "From a cold start"
        HOW = "Each point is a batch of requests, from the server's first one on; a line that " \
              "has become level is a server that is warm, and the large mark is the batch from " \
              "which on it counts as warm. Without one it did not get warm in time."
        TITLES = ["variant", "warm after", "average/s", "last/s", "p50 ms", "p99 ms", "boot ms",
                  ""].freeze
        UNITS = { code_bytes: 1000 }.freeze
        JIT = { methods: "methods", pieces: "pieces of code", code_bytes: "code kB",
                compile_ms: "ms compiling", invalidations: "thrown away", exits: "exits" }.freeze

        private

        def any? = course?(batches)

        def parts = [course(batches), figures, *levels.map { |level| jit(level) }]

        def levels = @document[:cold_start].to_a

        def batches
          levels.map do |level|
            { name: level[:name], values: level.dig(:curves, :per_s).to_a,
              warm: level[:warm_after] }
          end
        end

        def figures
          rows = levels.map do |level|
            [level[:name], level[:warm_after] || "not in time",
             *level.values_at(:average_per_s, :last_per_s, :p50_ms, :p99_ms, :boot_ms)
                   .map { |value| figure(value) },
             level[:excluded] ? "varies more than the others: compared with nothing" : ""]
          end
          listed("Batches until it was warm, then means and medians over boots", TITLES, rows,
                 figures: 1..6)
        end

        def jit(level)
          moments = level[:timeline] or return
          known = JIT.select { |key, _| moments.any? { |one| one[key] } }
          rows = moments.map do |one|
            [Numbers.whole(one[:requests]), Numbers.figure(one[:per_s]),
             *known.keys.map { |key| Numbers.figure(one[key]&.fdiv(UNITS.fetch(key, 1))) }]
          end
          folded("What the JIT had compiled by when: #{level[:name]}",
                 listed("#{level[:name]}, after so many requests",
                        ["requests", "requests/s", *known.values], rows))
        end
      end
    end
  end
end
