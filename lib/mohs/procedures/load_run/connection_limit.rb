# frozen_string_literal: true

module Mohs
  class LoadRun
    # A limit that long-lived connections have to keep: "fan-out p99 < 200ms". what: one of WHATS,
    # as Study::Streams#timed; limit: a Load::Limit, of a quantile.
    class ConnectionLimit < Struct.new(:what, :limit, keyword_init: true)
      include Value

      # What may be limited, and the load that has it.
      WHATS = { "first-event" => "--stream", "opening" => "--stream, --websocket and --cable",
                "echo" => "--websocket and --cable, with --rate and without --fan-out",
                "fan-out" => "--fan-out and --publish" }.freeze
      # How they are written.
      TITLES = { **WHATS.to_h { |what, _| [what, what] }, "first-event" => "first event" }.freeze
      FORM = /\A\s*(?<what>#{TITLES.values.join('|')})\s+(?<rest>\S.*)\z/i

      # As typed. Raises UsageError.
      #: (String) -> LoadRun::ConnectionLimit
      def self.parse(text)
        match = FORM.match(text) or raise UsageError, wrong(text)
        limit = Load::Limit.parse(match[:rest])
        raise UsageError, "#{text}: a connection that fails has no time, so the mean can't be " \
                          "limited. Use p50, p90, p95, p99 or p99.9." unless limit.share

        new(what: TITLES.key(match[:what].downcase), limit:)
      end

      def self.wrong(text)
        "#{text.inspect} is not a valid limit of connections; use \"fan-out p99 < 200ms\": one " \
          "of #{TITLES.values.join(', ')}, then as in --find-rate."
      end
      private_class_method :wrong

      #: () -> Float
      def share = limit.share

      # "first event".
      #: () -> String
      def title = TITLES.fetch(what)

      # "fan-out p99".
      #: () -> String
      def figure = "#{title} #{limit.figure}"

      #: () -> String
      def to_s = "#{title} #{limit}"
    end
  end
end
