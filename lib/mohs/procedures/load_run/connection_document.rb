# frozen_string_literal: true

module Mohs
  class LoadRun
    # Turns a search for a number of connections into the document of docs/json.md, `load
    # --find-connections`. Pure.
    class ConnectionDocument
      # As of any document (Report::Model.outcome).
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document) = %w[found at_least].include?(document[:outcome]) ? :ok : :failed

      # One load, as a row of the document.
      #: (LoadRun::ConnectionFinder::Loaded) -> Hash[Symbol, untyped]
      def self.shown(load)
        figure = load.figure
        ms = figure && (figure.ns / 1e6)
        { **load.to_h.slice(:connections, :seconds, :outcome, :opened, :dropped, :errors,
                            :unposted),
          figure_ms: (ms unless figure&.more), more_than_ms: (ms if figure&.more),
          reason: load.reason && Report::Render.call(load.reason) }
      end

      #: (LoadRun::ConnectionFinder::Result, declared: LoadRun::Declaration) -> void
      def initialize(result, declared:)
        @result = result
        @declared = declared
        @limit = declared.connection_limit
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { server: @declared.server.to_s, requested: @declared.requests.map(&:to_s),
          protocol: @declared.websocket ? "websocket" : "sse",
          channel: @declared.cable&.identifier, outcome: @result.outcome, sentence:,
          limit: { what: @limit.title, figure: @limit.limit.figure,
                   below_ms: @limit.limit.ns / 1e6 },
          **@result.to_h.slice(:kept, :missed, :precise, :seconds),
          open_per_s: @declared.open_per_s, messages_per_s:, fan_out: @declared.fan_out == true,
          publish: @declared.masked_publish, first_refused:,
          budget_s: @declared.duration_s,
          loads: @result.loads.map { |load| self.class.shown(load) },
          checks: @result.checks.map { |finding| Report::Render.check(finding) },
          again: Report::Document.again(@declared.invocation&.to_h) }
      end

      # What the search found.
      #: () -> String
      def sentence
        values = { figure: @limit.figure, time: @limit.limit.time, kept: @result.kept,
                   missed: @result.missed, loads: @result.loads.size }
        case @result.outcome
        when "at_least" then values[:why_clause] = why
        when "unpublished"
          values[:path] = @declared.masked_publish
          values[:classes] = classes(unposted)
        when "spoiled" then values[:reason] = Report::Render.call(last.reason)
        when "gone" then values[:count] = last.connections
                         values[:classes] = classes(last.errors)
        end
        Report::Render.text("connections_#{@result.outcome}", **values)
      end

      private

      def first_refused
        @result.first_refused&.summary(Secrets::Redaction.new(@declared.secrets))
      end

      def unposted
        @result.loads.map(&:unposted).reduce do |all, one|
          all.merge(one) { |_, some, more| some + more }
        end
      end

      def last = @result.loads.last

      def classes(errors)
        errors.map { |name, count| "#{name} #{Report::Numbers.whole(count)}" }.join(", ")
      end

      def messages_per_s = @declared.arrivals.first&.rate_per_s

      def why
        Report::Render.text("connections_#{@result.most && @result.precise ? 'most' : 'no_time'}")
      end
    end
  end
end
