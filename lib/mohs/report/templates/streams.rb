# frozen_string_literal: true

module Mohs
  module Report
    module Templates
      # Words for streams, by what is timed of them (Study::Streams#timed).
      module Streams
        # What there is too little of for a percentile, what the rest of it did, and what has more.
        FEW = { "first-event" => ["streams", "had an event", "more --connections"],
                "echo" => ["messages", "came back", "a higher --rate or a longer --slice"],
                "fan-out" => ["messages", "reached 99 % of the connections",
                              "a higher --rate or a longer --slice"],
                "opening" => ["WebSockets", "were opened", "more --connections"] }.freeze

        # What the latencies of a run are.
        LATENCIES = {
          "latency_first-event" => "times from when a connection had to be opened to its first " \
                                   "event",
          "latency_echo" => "times from when a message was due to its echo, of " \
                            "%{per_s|number} messages per second over all WebSockets",
          "latency_fan-out" => "times from when a message was due until 99 % of the connections " \
                               "had it (half: half of them; all: all of them), of " \
                               "%{per_s|number} messages per second over all connections",
          "latency_opening" => "times from when a WebSocket had to be opened to the server's " \
                               "upgrade",
          "latency_joining" => "times from when a WebSocket had to be opened to the " \
                               "confirmation of its subscription",
        }.freeze

        # What is timed, as the templates tell it: a channel is joined when a WebSocket is open.
        #: (Study::Streams) -> String
        def self.timed(streams)
          streams.channel && !streams.messages? ? "joining" : streams.timed
        end
      end
    end
  end
end
