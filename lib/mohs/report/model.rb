# frozen_string_literal: true

module Mohs
  module Report
    # What the documents of all procedures that measure a run share (docs/json.md), from its
    # analysis: a hash with symbol keys, ready for JSON. Pure; also for a run that is under way or
    # was interrupted. A subclass has the COMMAND and defines `sentence`.
    class Model
      MISSING = { few: "not enough requests",
                  unanswered: "requests without a correct response",
                  cut: "waits for a thread are longer than a slice" }.freeze

      # When the memory of a process tree is read (before the load, after the warm-up, after the
      # load), and which figures.
      MEMORY_POINTS = %i[after_boot after_warm_up at_end].freeze
      MEMORY = %i[rss_bytes pss_bytes private_bytes shared_bytes peak_rss_bytes tree_bytes
                  pss_complete heap].to_h { |name| [name, nil] }.merge(processes: []).freeze

      #: (Analysis::Run) -> Hash[Symbol, untyped]
      def self.build(run)
        run.stored.study.procedure.document.new(run).document
      end

      # The class that built a document.
      #: (Hash[Symbol, untyped]) -> singleton(Report::Model)
      def self.kind(document)
        own = Procedure.parts("document").select { |one| one < self }
        own.find { |one| one::COMMAND == document[:command] } || self
      end

      # What a document means for the exit status of its command: :ok, :failed, :regression or
      # :inconclusive. A refused variant (a Ruby that doesn't start here) is reported but is not a
      # failure, unless it is the baseline or no variant was measured.
      #: (Hash[Symbol, untyped]) -> Symbol
      def self.outcome(document)
        rows = document[:rows]
        broken = rows.any? { |row| %w[failed invalid].include?(row[:state]) }
        baseline = rows.find { |row| row[:baseline] }
        broken || baseline.nil? || baseline[:state] != "measured" ? :failed : :ok
      end

      #: (Analysis::Run) -> void
      def initialize(run)
        @run = run
        @stored = run.stored
        @plan = @stored.plan
      end

      #: () -> Hash[Symbol, untyped]
      def document
        document = frame.merge(subject, rows:, groups:, dropped:)
        sentence = sentence(document)
        document.merge(sentence: [sentence.to_s, *without_jit].join(" "),
                       sentence_covers: sentence.covered, notes:,
                       reasons: reasons(sentence.covered), next: suggestions(document))
      end

      private

      def frame
        Document.envelope(self.class::COMMAND, **of_run)
      end

      # What every command's document has about the run.
      def of_run
        { run: @stored.key, seconds: @stored.seconds, finished_ms: @stored.finished_ms, host:,
          provenance:, again: }
      end

      # The command that measures the study again; nil: unknown.
      def again = Document.again(@stored.provenance[:invocation])

      def subject
        { state: @run.state, app: @stored.app && File.basename(@stored.app),
          requested: Subject.requested(@stored.study), reproduces: procedure.repeats,
          baseline: @run.baseline, baseline_reason:, margin: Analysis::Verdict::MARGIN,
          connections: @run.connections, rounds: @run.rounds, cores: @run.cores,
          unmet: (@run.unmet.variant if @run.ended_by_setting?), held: @stored.study.hold&.to_h,
          jobs: @stored.study.jobs&.to_h, streams: @stored.study.streams&.to_h, shield:,
          written: @run.written, outside: @run.outside, inference: @run.inference&.to_h,
          jit_worth:,
          cold_start: ColdStarts.levels(@run.cold_start) }
      end

      def procedure = @stored.study.procedure

      def host
        { fingerprint: @stored.fingerprint, noise: @run.noise, load_from:,
          against: @run.against.map { |check| DoctorModel.against(check) } }
      end

      def provenance
        given = @stored.provenance
        { seed: given[:seed] || @plan.seed, argv: given[:argv].to_a,
          invocation: given[:invocation], versions: given[:versions] || {} }
      end

      def baseline_reason
        finding = @run.baseline_missing
        finding ? Render.call(finding) : @stored.study.baseline_reason
      end

      def shield
        found = @run.shield or return
        { given: found.given, threads: found.threads, shielded: found.shielded,
          ended: found.endings.size, text: Render.text("shield", **found.to_h) }
      end

      def load_from
        found = @run.load_from or return
        trip = found[:round_trip]&.transform_values { |ns| ns / 1e6 }
        { host: found[:host], name: found[:name], cpu: found[:cpu], cores: found[:cores],
          listen: found[:listen],
          round_trip_ms: trip && { p50: trip[:p50_ns], p99: trip[:p99_ns] },
          foreign_cpu_share: found[:foreign_cpu_share],
          text: Render.text("load_from", **found) }
      end

      # The answer, a Headline of the document so far.
      def sentence(_document) = raise(NotImplementedError, "#{self.class}#sentence")

      # Nobody's production runs so: the answer says it.
      def without_jit
        found = @run.own_jit or return
        with = @run.measured_rows.map(&:name) - found.values[:off]
        Render.text("all_without_jit", jit: found.values[:jit].upcase) if with.empty?
      end

      def notes = Notes.new(@run, without: unsaid).to_a

      # Codes of the notes that the document has elsewhere.
      def unsaid = jit_worth ? %w[jit] : []

      # What the sentence says of the JIT in place of a verdict; nil: nothing.
      def jit_worth = nil

      def suggestions(document) = suggestion.of(document, @stored.study, unmet: @run.unmet)

      # The class that finds what to measure next.
      def suggestion = Suggestion

      def rows = @run.rows.map { |row| row(row).merge(judgement(row)) }

      def row(row)
        { variant: row.name, state: row.state, **reason(row), log_tail: row.log_tail,
          failures: row.failures.map { |failure| failure(failure) },
          trials: row.trials, attested: row.attested, front: row.front, requests: row.requests,
          errors: errors(row), **row.estimates,
          peak_memory_bytes: row.peak_memory_bytes, memory: memory(row.memory),
          latency_ms: latency(row), streams: streams(row), services: row.services,
          checks: row.checks.map { |check| check(check) } }
      end

      # nil if responses were measured.
      def streams(row)
        found = row.streams or return
        { **found.counts, held_share: found.held_share, dropped_by: found.dropped_by,
          **events(row, found),
          **messages(row, found), **fan_out(found),
          memory_per_connection_bytes: found.memory_per_connection_bytes }
      end

      # Of event streams. When events come to which mohs itself publishes says nothing of their own.
      def events(row, found)
        streams = @stored.study.streams
        events = found.events unless streams.websocket?
        return { events:, first_event_ms: nil, gap_ms: nil } if streams.timed != "first-event"

        { events:, first_event_ms: times(row), gap_ms: found.gap_ms }
      end

      # Of messages, except for openings. Where no message is sent, these are what is timed.
      def messages(row, found)
        timed = @stored.study.streams.timed
        { opening_ms: timed == "opening" ? times(row) : found.opening_ms,
          messages: found.messages, echo_ms: (times(row) if timed == "echo"),
          send_lag_ms: (found.send_lag_ms if found.messages) }
      end

      # Of messages to all. What is timed of them is the time until 99 % of the connections have
      # one.
      def fan_out(found)
        counts = found.fan_out
        return { fan_out: nil, half_ms: nil, most_ms: nil, all_ms: nil } unless counts

        { fan_out: counts, half_ms: found.half_ms, most_ms: found.most_ms, all_ms: found.all_ms }
      end

      def times(row) = row.latency.quantiles.slice(:p50, :p99)

      # A point has only what the kernel and the server told; the document has all keys.
      def memory(points)
        return if points.nil?

        MEMORY_POINTS.to_h { |point| [point, points[point] && MEMORY.merge(points[point])] }
      end

      def reason(row)
        reason = why(row)
        { reason: reason&.to_s, summary: reason&.summary, remedy: reason&.remedy }
      end

      def why(row)
        return if row.measured?

        row.worst ? remedied(Render.failure(row.worst)) : row.refusal
      end

      # A reason for a failure with what the command itself could do about it.
      def remedied(reason) = reason

      # One reason for all variants with the same cause, in the words of the first variant;
      # `covered` if the sentence already gives it for one of them.
      def reasons(covered)
        @run.rows.select(&:cause).group_by(&:cause).values.map do |rows|
          variants, reason = rows.map(&:name), why(rows.first)
          { variants:, reason: reason.to_s, remedy: reason.remedy, code: reason.code,
            covered: variants.intersect?(covered) }
        end
      end

      def errors(row)
        rate = @run.errors(row)
        { total: rate.total, by_class: row.errors, share: rate.share, p: rate.p,
          differs: rate.differs?, outcome: rate.outcome }
      end

      def latency(row)
        latency = row.latency
        { kind: latency.kind, **latency.quantiles, max: latency.max,
          missing: latency.missing.transform_values { |why| MISSING.fetch(why) },
          missing_codes: latency.missing.transform_values(&:to_s),
          missing_values: shortages(row),
          more_than: latency.more_than }
      end

      # With `comparison`: what would load a server for so long. Batches of jobs and streams have
      # only the numbers: a user can't ask for such a load.
      def shortages(row)
        few, study = row.latency.shortages, @stored.study
        return few.transform_values { |one| one.slice(:had, :needed) } if
          study.jobs || study.streams

        rate = study.variant(row.name)&.rate
        few.to_h do |name, one|
          comparison = Procedure.for_tail(@stored, one, name: row.name) if name == :p99
          [name, { **one, rate:, comparison: }]
        end
      end

      def failure(failure)
        { round: failure.round, state: failure.state, reason: Render.failure(failure).to_s }
      end

      def check(worst) = { **Render.check(worst.finding), detail: Render.worst(worst) }

      def judgement(row)
        { baseline: row.name == @run.baseline, group: @run.marks[row.name],
          memory_difference_bytes: @run.memory_difference_bytes(row),
          verdict: Render.verdict(@run.verdict(row)),
          why: Templates::Causes.sentence(@run.why(row)), over_hosts: over_hosts(row) }
      end

      def over_hosts(row)
        found = @run.over_hosts(row) or return
        hosts = found.hosts.map do |host|
          { host: host.name, cohorts: host.cohorts, **ratio(host.interval),
            outcome: host.outcome.to_s }
        end
        { **ratio(found.interval), hosts:, apart: found.apart }
      end

      def ratio(interval)
        { effect: interval.value, interval: interval.low && [interval.low, interval.high] }
      end

      def groups = @run.groups.zip("a".."zz").map { |variants, mark| { mark:, variants: } }

      def dropped = Render.dropped(@plan, procedure)
    end
  end
end
