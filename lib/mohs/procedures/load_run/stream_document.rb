# frozen_string_literal: true

module Mohs
  class LoadRun
    # Turns a load of event streams into the document of docs/json.md, `load --stream`.
    class StreamDocument
      #: (Load::Streams::Result, declared: LoadRun::Declaration, ?redact: Secrets::Redaction) -> void
      def initialize(result, declared:, redact: Secrets::Redaction.new([]))
        @result = result
        @declared = declared
        @redact = redact
        @figures = Analysis::StreamFigures.new(result)
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { server: @declared.server.to_s, requested: @declared.requests.map(&:to_s),
          connections: @declared.connections, open_per_s: @declared.open_per_s, streams:,
          events: { count: @result.events, bytes: @result.bytes },
          events_per_s: @figures.events_per_s, opening_ms: @figures.opening_ms,
          first_event_ms: @figures.first_event_ms, gap_ms: @figures.gap_ms, errors:,
          duration_s: @figures.duration_s, driver_cores: @figures.driver_cores, checks:,
          host: { fingerprint: Probes::Host.fingerprint.to_h },
          provenance: { argv: @declared.argv.to_a,
                        versions: { mohs: VERSION, ruby: RUBY_DESCRIPTION } } }
      end

      private

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
