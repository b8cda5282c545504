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

        private

        def any? = course?(batches)

        def parts = [course(batches), figures, compiled]

        def batches
          @document[:cold_start].to_a.map do |level|
            { name: level[:name], values: level.dig(:curves, :per_s).to_a,
              warm: level[:warm_after] }
          end
        end

        def figures
          table = view.table(Views::ColdStart::KEY)
          noted(table, "Means and medians over boots, and the batches until it was warm")
        end

        def compiled
          tables = view.tables.select { |table| table.key == Views::Compiled::KEY }
          return if tables.empty?

          folded("What the JIT had compiled by when",
                 tables.map { |table| noted(table, table.caption) })
        end

        def noted(table, caption)
          [shown(table, caption), *(remarked(table.remarks) if table.remarks.any?)]
        end
      end
    end
  end
end
