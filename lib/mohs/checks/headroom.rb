# frozen_string_literal: true

module Mohs
  module Checks
    # A server is measured while the driver could send much more than it takes.
    class Headroom < Base
      # What a server that does nothing answered, over what this one did: below it a good part of
      # each request is the driver's own.
      BOUND = 3

      private

      def needs = %i[slices empty_per_s]

      def judge
        return unknown("nothing was measured") if measured.empty? || total(:good).zero?

        times = @facts[:empty_per_s] / (total(:good) * 1e9 / total(:wall_ns))
        return pass("#{short(times)}x") if times >= BOUND

        warn("the driver could send #{short(times)} times as much and no more, to a server that " \
             "does nothing: a part of these times is its own. Give it more threads, where there " \
             "are cores")
      end

      def short(times) = format(times < 10 ? "%.1f" : "%.0f", times)
    end
  end
end
