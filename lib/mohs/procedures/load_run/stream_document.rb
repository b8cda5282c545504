# frozen_string_literal: true

module Mohs
  class LoadRun
    # Turns a load of event streams or WebSockets into the document of docs/json.md,
    # `load --stream`.
    class StreamDocument
      # As of any document (Report::Model.outcome): ok if every stream was opened and lasted, an
      # event came, and every message came back.
      # And if every connection was back that a storm dropped.
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document)
        opened, dropped = document[:streams].values_at(:opened, :dropped)
        missing = document[:messages]&.values_at(:lost, :unsent)&.sum || 0
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
          **echoes, **fan_out, storm:, errors:,
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

      def websocket? = !@result.messages.nil?

      # Of event streams.
      def events
        names = %i[events events_per_s first_event_ms gap_ms silent_at_end]
        return names.to_h { |name| [name, nil] } if websocket?

        { events: { count: @result.events, bytes: @result.bytes },
          silent_at_end: @result.gaps.errors.fetch("in_flight_at_end", 0),
          **(names - %i[events silent_at_end]).to_h { |name| [name, @figures.public_send(name)] } }
      end

      # Of WebSockets; messages that never fell due have no times.
      def echoes
        names = %i[echo_ms echo_service_ms send_lag_ms]
        times = names.to_h { |name| [name, (@figures.public_send(name) if due&.positive?)] }
        { messages: websocket? ? messages : nil, **times }
      end

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
