# frozen_string_literal: true

module Mohs
  class LoadRun
    # The document of docs/json.md, command `load`, for a load by any driver. Pure.
    class Document
      # The driver of mohs, in the document.
      OWN = "native"
      private_constant :OWN

      #: (Load::Result) -> Hash[Symbol, untyped]
      def self.document(result) = new(result).document

      # As of any document (Report::Model.outcome). Other tools may not know how many requests they
      # sent: they are judged by their errors.
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document)
        sent, good = document[:requests].values_at(:sent, :good)
        return good == sent ? :ok : :failed if document[:driver] == OWN

        good&.positive? && document[:errors][:total].zero? ? :ok : :failed
      end

      # The learned response that all others were compared with. kind: which part of it was checked.
      #: (App::Answer, ?kind: Symbol | String) -> Hash[Symbol, untyped]
      def self.shown(answer, kind: answer.kind)
        { request: answer.request.to_s, status: answer.status, length: answer.length,
          type: answer.type, expect: answer.expect, title: answer.title,
          kind: kind.to_s, weight: answer.request.weight, note: answer.note }
      end

      #: (Load::Result) -> void
      def initialize(result)
        @result = result
        @load = Result.of(result)
      end

      #: () -> Hash[Symbol, untyped]
      def document
        { server: @result.server, requested:, driver: tool || OWN, requests:,
          rate_per_s: @load.rate_per_s,
          offered_per_s: @load.offered_per_s, latency_ms: @load.latency_ms,
          service_ms: @load.service_ms, errors:, connections: @load.connections,
          starved: @load.starved, outage: @load.outage,
          duration_s: @load.duration_s, drain_s: @load.drain_s, drained: @load.drained,
          plain_per_s: @load.plain_per_s,
          finished_ms:, cpu_us_per_request: nil,
          send_lag_ms: @load.send_lag_ms, open_loop: @load.open_loop,
          batches: @load.batches, batch_figures: @load.batch_figures, steps: @load.steps,
          driver_cores: @load.driver_cores, pulse:, threads: @load.threads, keep_alive:,
          answers:, traffic:, scenario:, slow:, tls:, histogram: @load.histogram, checks:,
          host: { fingerprint: @result.host.to_h },
          provenance:, again: Report::Document.again(@result.invocation) }
      end

      private

      def step = @result.step

      def provenance
        { argv: @result.argv.to_a, invocation: @result.invocation,
          versions: @result.versions.to_h }
      end

      # nil for another tool, which doesn't report when its requests were sent.
      def finished_ms
        epoch_ns = @result.epoch_real_ns
        epoch_ns && ((epoch_ns + step.started_ns + step.wall_ns) / 1_000_000)
      end

      # Each request once; a scenario has its requests in its steps.
      def requested
        @result.scenario ? [] : @result.answers.map { |answer| answer.request.to_s }.uniq
      end

      def tool = @result.tool&.fetch(:name)

      # The amounts given for a scenario are numbers of actions.
      def requests
        { asked: @result.scenario ? nil : @result.asked[:count], sent: step.sent,
          completed: step.completed, good: step.good }
      end

      def errors
        { total: step.errors.values.sum, by_class: step.errors, first_wrong: @result.specimen }
      end

      def keep_alive = @result.asked.fetch(:keep_alive, :on).to_s

      # The driver's measurements of itself; nil if it has none, or for a figure that it can't
      # measure.
      def pulse
        facts = step.thread_stats or return
        { **facts.slice(:spins, :windows, :busy, :full, :wakeups, :events, :events_max, :preempted),
          event_age_ms: @load.event_age_ms, **stalls(facts), waited_s: facts[:waited_ns]&./(1e9),
          steal_share: facts[:steal_share], empty_per_s: @result.empty_per_s }
      end

      def stalls(facts)
        { stalls: facts[:stalls], stalled_s: facts[:stalled_ns]&./(1e9),
          gap_max_ms: facts[:gap_max_ns]&./(1e6) }
      end

      # Tools check statuses, but not bodies.
      def answers
        @result.answers.map do |answer|
          self.class.shown(answer, kind: tool ? "unchecked" : answer.kind)
        end
      end

      # The caveat on a tool's figures is a text of its own.
      def checks
        known = @load.checks.map { |finding| Report::Render.check(finding) }
        tool ? [*known, caveat] : known
      end

      def caveat
        { name: "peer", ok: false, level: "warn", code: "peer.caveat", values: { driver: tool },
          detail: @result.tool[:caveat] }
      end

      def traffic
        traffic = @result.traffic or return
        refused = traffic[:refused].map do |one|
          { **one, reason: Report::Render.reason(one[:reason]).to_s }
        end
        { **traffic, refused: }
      end

      # Of the slow clients beside the load, and the load before without them.
      def slow
        slow = @result.slow or return
        before = Result.of(slow[:without])
        { **slow[:asked].to_h, **slow[:clients].to_h.except(:driver_cpu_ns),
          part: slow[:asked].part.to_s,
          driver_cores: slow[:clients].driver_cpu_ns.fdiv(step.wall_ns),
          without: { rate_per_s: before.rate_per_s, latency_ms: before.latency_ms,
                     errors: slow[:without].step.errors } }
      end

      # Handshakes, which are part of no request's service time.
      def tls
        facts = @result.tls or return
        { handshakes: facts[:done], failed: facts[:failed], p50_ms: facts[:p50_ns]&./(1e6) }
      end

      def scenario
        return unless @result.scenario

        actions = { asked: @result.asked[:count], begun: step.actions, finished: step.finished }
        { file: @result.scenario[:file], actions:, logins: @result.login&.finished,
          steps: @load.requests }
      end
    end
  end
end
