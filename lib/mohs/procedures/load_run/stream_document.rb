# frozen_string_literal: true

module Mohs
  class LoadRun
    # Turns a load of event streams or WebSockets into the document of docs/json.md,
    # `load --stream`.
    class StreamDocument
      # As of any document (Report::Model.outcome): ok if every stream was opened and lasted, an
      # event came, every message came back (or to all), and every connection was back that a storm
      # dropped.
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document)
        opened, dropped = document[:streams].values_at(:opened, :dropped)
        missing = document[:messages]&.values_at(:lost, :unsent)&.sum || 0
        due, came = document[:fan_out]&.values_at(:due, :came)
        missing += [due - came, 0].max if due
        missing += document[:storm]&.fetch(:failed) || 0
        silent = document[:events] && document[:events][:count].zero?
        opened == document[:connections] && (dropped + missing).zero? && !silent ? :ok : :failed
      end

      #: (Load::Streams::Result, declared: LoadRun::Declaration, ?redact: Secrets::Redaction) -> void
      def initialize(result, declared:, redact: Secrets::Redaction.new([]))
        @result = result
        @declared = declared
        @redact = redact
        @figures = StreamResult.new(result)
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { server: @declared.server.to_s, requested: @declared.requests.map(&:to_s),
          connections: @declared.connections, open_per_s: @declared.open_per_s, streams:,
          protocol: websocket? ? "websocket" : "sse", channel: @declared.cable&.identifier,
          opening_ms: @figures.opening_ms, **events,
          **echoes, **fan_out, publish:, publish_ms:, storm:, errors:,
          duration_s: @figures.duration_s, driver_cores: @figures.driver_cores, checks:,
          host: { fingerprint: Probes::Host.fingerprint.to_h },
          provenance:, again: Report::Document.again(invocation) }
      end

      private

      def provenance
        { argv: @declared.argv.to_a, invocation:,
          versions: { mohs: VERSION, ruby: RUBY_DESCRIPTION } }
      end

      def invocation = @declared.invocation&.to_h

      def websocket? = !@result.messages.nil? && @declared.publish.nil?

      # Of event streams. When events come to which mohs itself publishes says nothing of their own.
      def events
        none = { events: nil, events_per_s: nil, first_event_ms: nil, gap_ms: nil,
                 silent_at_end: nil }
        return none if websocket?

        counts = { events: { count: @result.events, bytes: @result.bytes },
                   events_per_s: @figures.events_per_s }
        return { **none, **counts } if @result.messages

        { **none, **counts, silent_at_end: @result.gaps.errors.fetch(Load::IN_FLIGHT, 0),
          first_event_ms: @figures.first_event_ms, gap_ms: @figures.gap_ms }
      end

      # Messages that never fell due have no times, and none comes back to who has posted it.
      def echoes
        names = %i[echo_ms echo_service_ms send_lag_ms]
        times = names.to_h { |name| [name, (@figures.public_send(name) if due&.positive?)] }
        times = { **times, echo_ms: nil, echo_service_ms: nil } if @declared.publish
        { messages: @result.messages && messages, **times }
      end

      # What became of the POSTs.
      def publish
        path = @declared.masked_publish or return
        { path:, by_class: @result.echoes.errors,
          first_refused: @result.first_refused&.summary(@redact) }
      end

      def publish_ms = (@figures.publish_ms if @declared.publish && due.positive?)

      def fan_out
        counts = @result.fan_out&.to_h&.slice(:due, :came)
        times = due&.positive? ? @figures.fan_out_ms : {}
        { fan_out: counts, half_ms: nil, most_ms: nil, all_ms: nil, **times }
      end

      def storm
        found = @result.storm or return
        { **found.to_h.slice(:share, :dropped, :back, :failed, :cut), by_class: found.errors,
          **@figures.storm_ms }
      end

      def due = @result.messages&.values_at(:sent, :unsent)&.sum

      def messages
        sent, received = @result.messages.values_at(:sent, :received)
        { due:, **@result.messages, lost: sent - received }
      end

      def streams
        { **@result.to_h.slice(:asked, :opened, :dropped, :speaking), dropped_by: @result.ends }
      end

      def errors
        { total: @result.failed, by_class: @result.errors,
          first_wrong: @result.first_failed&.summary(@redact) }
      end

      def checks = @figures.checks.map { |finding| Report::Render.check(finding) }
    end
  end
end
