# frozen_string_literal: true

module Mohs
  module Load
    # A reconnect storm: after `after_s` seconds a load drops a share of its open connections at
    # once, and opens them again at its own rate.
    class Storm < Struct.new(:share, :after_s, keyword_init: true)
      include Value

      # What came of it. Times are in ns from when it began; nil: not reached.
      #   share     as asked
      #   began_ns  from the epoch of the load; nil: the load ended before
      #   dropped   connections, of which so many came `back` or `failed` to, by `errors`; an event
      #             stream is back with its first event, a WebSocket when it is open
      #   half_ns, most_ns, all_ns  until half of them, 99 % and all were back
      #   cut       messages under way from dropped connections, which count nowhere
      #   returns   Load::Recording, a record for each: from when it had to be opened again
      #   before, during  the same of gaps between events, of echoes or, with messages to all, of
      #             the times until all had them: before the storm, and of the other connections
      #             from its begin until the last was back or had failed
      Result = Struct.new(:share, :began_ns, :dropped, :back, :failed, :errors, :half_ns, :most_ns,
                          :all_ns, :cut, :returns, :before, :during, keyword_init: true) do
        include Value
      end

      # So that the last connection has as long to come back, from when it has to be opened again,
      # as all were open before; nil if there is no such time.
      #: (Float, connections: Integer, duration_s: Numeric, open_per_s: Numeric) -> Load::Storm?
      def self.within(share, connections:, duration_s:, open_per_s:)
        opening_s = connections / open_per_s.to_f
        calm_s = (duration_s - ((1 + share) * opening_s)) / 2
        new(share:, after_s: opening_s + calm_s) if calm_s.positive?
      end

      # For Core::Streams.
      #: () -> [Float, Integer]
      def packed = [Float(share), Clock.span_ns(after_s)]
    end
  end
end
