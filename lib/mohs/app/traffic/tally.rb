# frozen_string_literal: true

module Mohs
  class App
    class Traffic
      # Counts many different things in bounded memory (lossy counting: Manku and Motwani, VLDB
      # 2002): if there are too many, the least frequent ones are dropped. Up to `limit` different
      # ones every count is exact.
      class Tally
        # Some 50 MB of paths.
        LIMIT = 200_000

        # `total` counted; `short_by`, how much too low a count may be.
        attr_reader :total, :short_by

        #: (?limit: Integer) -> void
        def initialize(limit: LIMIT)
          @limit = limit
          @counts = Hash.new(0)
          @total = 0
          @short_by = 0
        end

        #: (Object) -> void
        def <<(thing)
          @total += 1
          @counts[thing] += 1
          let_go if @counts.size > @limit
        end

        # Different things; if `short_by` isn't 0, there were more.
        #: () -> Integer
        def distinct = @counts.size

        # [[thing, count]] of the `number` most frequent; among equals, the earliest first.
        #: (Integer) -> Array[[Object, Integer]]
        def top(number)
          @counts.each_with_index.max_by(number) { |(_, count), index| [count, -index] }
                 .map(&:first)
        end

        private

        def let_go
          least = @counts.values.sort[@counts.size / 2]
          @counts.delete_if { |_, count| count <= least }
          @short_by += least
        end
      end
    end
  end
end
