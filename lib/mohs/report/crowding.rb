# frozen_string_literal: true

module Mohs
  module Report
    # What more connections than threads do to the figures, in words: before the start, and below
    # the table.
    module Crowding
      module_function

      # slots: { variant's name => requests that it works on at the same time, nil: unknown or
      # without limit }. nil where every connection has a thread. (Puma's wait: method, section 2;
      # its issues 2625, 3443 and 3487.)
      #: (Integer?, Hash[String, Integer?]) -> String?
      def text(connections, slots)
        crowded = slots.select { |_, count| count && connections && count < connections }
        return if crowded.empty?

        "#{connections} connections on #{threads(crowded.values.minmax.uniq)}" \
          "#{" (#{crowded.keys.join(', ')})" if crowded.size < slots.size}: answers wait for a " \
          "thread, and latency has that wait in it; Puma lets a quiet connection wait for 200 ms"
      end

      def threads(counts) = "#{counts.join(' to ')} thread#{'s' unless counts == [1]}"

      private_class_method :threads
    end
  end
end
