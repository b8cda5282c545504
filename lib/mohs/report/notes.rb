# frozen_string_literal: true

module Mohs
  module Report
    # Notes on the figures of a run, one line each, printed under the table. Each has a code, by
    # which notes are left out or selected, its name on the screen, and a text. One about findings
    # of variants (checks, verdicts) also has the code of the finding and the variants' names, so
    # that no program has to read the text.
    class Notes
      # Names by code. A note on the application has the code of its finding.
      NAMES = {
        "baseline" => "baseline", "ended_early" => "rounds", "jit" => "JIT",
        "latency" => "latency", "crowding" => "latency", "scenario" => "scenario",
        "answers" => "answers", "wrong_answers" => "answers", "attested" => "attested",
        "gems" => "gems", "front" => "front", "services" => "services", "errors" => "errors",
        "checks" => "checks", "verdicts" => "checks", "trials" => "trials",
        "disturbed" => "warm-up", "fleet" => "fleet", "over_hosts" => "hosts", "host" => "host",
        "waited" => "waited", "cores" => "cores", "held" => "held", "load_from" => "load",
        "shield" => "shield", "profile" => "profile", "files" => "files",
      }.freeze
      APP = "app"

      # Facts that every variant has to attest, and their labels.
      ALWAYS = { interpreter: "interpreter", jit: "JIT" }.freeze

      # The check whose figure is printed by itself.
      OTHERS = "other_processes"

      # Findings of a verdict that are also about the row's own figures.
      SPOILED = ["not_steady", "silent", Analysis::Unwarmed::CODE].freeze

      # Where `mohs resume` measured what a fleet began: somebody else may read this elsewhere.
      OUTSIDE = "a machine outside the fleet"

      # Types of responses that go without saying; nil: none, or it varies.
      USUAL_TYPES = [nil, "text/html", "text/plain", "application/json"].freeze

      # Most requests of a mix that are listed one by one.
      FEW = 3

      # With so many others, a line about all of them does not name each.
      MANY = 4

      # without: codes of the notes to leave out; OTHERS: of what other processes took, which is a
      # part of a note.
      #: (Analysis::Run, ?without: Array[String]) -> void
      def initialize(run, without: [])
        @run = run
        @without = without
        @measured = run.measured_rows
      end

      #: () -> Array[{ code: String, name: String, text: String, finding: String?, variants: Array[String] }]
      def to_a
        [*of_run, *app, *of_rows, *of_host].reject { |code, _| @without.include?(code) }
                                           .flat_map { |code, texts| notes(code, texts) }
      end

      private

      def notes(code, texts)
        lines = [*texts].map { |one| one.is_a?(String) ? line(one) : one }
        lines.map { |one| { code:, name: NAMES.fetch(code, APP), **one } }
      end

      def line(text, finding: nil, variants: []) = { text:, finding: finding&.code, variants: }

      # What was measured, and what all servers have in common: texts or lines by code.
      def of_run
        { "baseline" => baseline, "ended_early" => ended_early, "jit" => jit,
          "latency" => latency, "crowding" => crowding, "scenario" => scenario,
          "answers" => answers, "wrong_answers" => wrong_answers, "attested" => attested,
          "gems" => gems, "front" => fronts, "services" => services }
      end

      def app = @run.notes.map { |finding| [finding.code, Render.call(finding)] }

      # What speaks against figures.
      def of_rows
        { "errors" => errors, "checks" => checks, "verdicts" => verdicts, "trials" => failures,
          "disturbed" => disturbed }
      end

      # Where it was measured, and how.
      def of_host
        { "fleet" => fleet, "over_hosts" => over_hosts, "host" => host, "waited" => waited,
          "cores" => cores, "held" => held, "load_from" => load_from, "shield" => shield,
          "profile" => profile, "files" => files }
      end

      def baseline
        finding = @run.baseline_missing or return
        "#{Render.call(finding)}; compared with #{@run.baseline}"
      end

      def ended_early
        return unless @run.state == "finished"

        failure = @run.shared_failure
        finding = failure && failure.values[:rounds] > 1 ? failure : @run.result.enough
        Render.call(finding) if finding
      end

      # What the JIT of the application is worth.
      def jit
        worth = (JitWorth.of(@run) unless @run.stored.study.jobs) or return
        JitWorth.text(worth, verb: "serves", unit: "requests")
      end

      def disturbed = @run.disturbed && Render.call(@run.disturbed)

      def fleet
        counts = { **@run.hosts, OUTSIDE => @run.cohorts_outside_fleet }
        hosts = counts.select { |_, count| count.positive? }.map do |name, count|
          "#{name} (#{Numbers.counted(count, 'cohort')})"
        end
        measured = "measured on #{Numbers.list(hosts)}" if hosts.any?
        pack = @run.stored.study.pack
        parts = [*measured, *(Render.call(@run.parked) if @run.parked),
                 *(Render.text("packed", **pack) if pack)]
        parts.join("; ") if parts.any?
      end

      # For each variant, the combined result of a fleet's hosts.
      def over_hosts
        @measured.filter_map do |row|
          found = @run.over_hosts(row) or next
          Render.text("over_hosts", variant: row.name, over: found)
        end
      end

      def latency
        return if @measured.empty?

        streams = @run.stored.study.streams
        return Render.text("latency_#{Templates::Streams.timed(streams)}",
                           per_s: streams.messages_per_s) if streams

        rated, closed = @measured.partition(&:given_rate)
        return Render.text("latency_rated") if closed.empty?

        [closed_loop(closed.first), *(Render.text("latency_rated_too") if rated.any?)].join("; ")
      end

      def closed_loop(row)
        connections = @run.connections
        [Render.text("latency_#{row.latency.kind}"),
         connections && Numbers.counted(connections, "connection")].compact.join(", ")
      end

      def scenario
        file = @run.stored.study.scenario&.name
        Render.text("scenario", file:) if file && @measured.any?
      end

      def crowding = @run.crowding && Render.call(@run.crowding)

      def answers
        learned = @run.answers
        return if learned.empty? || @run.stored.study.streams # whose bodies have no end

        text = learned.size > FEW ? summary(learned) : each_of(learned)
        return text if learned.size <= FEW && learned.all? { |answer| only_status?(answer) }

        "#{text} (checked on all #{Numbers.number(@measured.sum(&:requests))})"
      end

      def wrong_answers = @run.wrong_answers && Render.call(@run.wrong_answers)

      def each_of(learned) = learned.map { |answer| answer_text(answer, learned.one?) }.join("; ")

      def answer_text(answer, only)
        parts = [answer.status, *answer.title&.inspect, length(answer), repeats(answer.kind)]
        parts = ["#{answer.status}; #{Render.text('status_only')}"] if only_status?(answer)
        text = [*parts, *expected(answer), answer.note].compact.join(", ")
        only ? text : "#{answer.request}: #{text}"
      end

      # Without a header Accept, an application may serve its API where browsers get a page.
      def length(answer)
        bytes = "#{Numbers.number(answer.length)} bytes"
        USUAL_TYPES.include?(answer.type) ? bytes : "#{bytes} of #{answer.type}"
      end

      def only_status?(answer) = answer.kind == :status && answer.expect.nil?

      def expected(answer)
        Render.text("expected_text", text: answer.expect) if answer.expect
      end

      def summary(learned)
        kinds = learned.map(&:kind).tally.map { |kind, count| "#{count} #{repeats(kind)}" }
        "#{learned.size} requests: #{kinds.join(', ')}"
      end

      def repeats(kind) = Render.text("repeats_#{kind}")

      def attested
        facts = @measured.map(&:attested)
        return if facts.all?(&:empty?)

        everywhere = ALWAYS.select { |key, _| facts.all? { |fact| fact[key] } }.values
        known = [*everywhere, shape(facts), malloc(facts)].compact
        missing = facts.flat_map { |fact| fact[:unattested].to_a }.uniq
        missing = "not attested: #{missing.join(', ')}" if missing.any?
        [known.join(", "), *missing].join(" · ")
      end

      # "1 process x 5 threads" if all have the same; else each: "processes x threads 1x5, 2x5". nil
      # if it isn't known for all.
      def shape(facts)
        shapes = facts.map { |fact| fact.values_at(:workers, :threads) }.uniq
        shapes.sort_by! { |each| each.map(&:to_i) }
        workers, threads = shapes.transpose
        return if workers.include?(nil)
        return same_shape(*shapes.first) if shapes.one?
        return "processes x threads #{shapes.map { |each| each.join('x') }.join(', ')}" \
          unless threads.include?(nil)

        workers.uniq!
        workers.one? ? same_shape(workers.first, nil) : "processes #{workers.join(', ')}"
      end

      def same_shape(workers, threads)
        processes = Numbers.counted(workers, "process", "processes")
        threads ? "#{processes} x #{Numbers.counted(threads, 'thread')}" : processes
      end

      def malloc(facts)
        kinds = facts.filter_map { |fact| fact[:malloc] }.uniq
        "#{kinds.join('/')} malloc" if kinds.any?
      end

      def gems = @run.gem_versions && Render.call(@run.gem_versions)

      # One note for each front, whatever servers it stands before; for several variants, with the
      # lowest and the highest cost.
      def fronts
        costs = @measured.filter_map do |row|
          front = row.front
          { variant: row.name, **front } if front && front[:cpu_share] # else its time is unknown
        end
        costs.group_by { |cost| cost[:name] }.map { |name, each| front(name, each) }
      end

      def front(name, costs)
        least, most = costs.map { |cost| cost[:cpu_us_per_request][:value] }.minmax
        shares = costs.map { |cost| cost[:cpu_share] }.minmax
        return Render.text("front_costs", front: name, least:, most:, variants: costs.size,
                                          share: shares.first, highest: shares.last) if costs[1]

        bytes = costs.first[:memory_bytes][:value]
        Render.text("front_cost", front: name, cpu_us: most, share: shares.last,
                                  variant: costs.first[:variant],
                                  megabytes: bytes / Numbers::MEGABYTE)
      end

      # One line for each service, with its own cost for each variant.
      def services
        have = @measured.flat_map { |row| row.services.map { |one| [row.name, one] } }
        have.group_by { |_, one| one.slice(:service, :version, :address) }.map do |what, rows|
          costs = rows.map do |name, one|
            { variant: name, **%i[cpu_us_per_request memory_bytes].to_h { |key|
              [key, one[key][:value]]
            } }
          end
          Render.text("services", **what, jdbc: @run.jdbc?, costs:,
                                  each: @run.stored.study.streams&.item || "request")
        end
      end

      def errors = @run.error_findings.map { |finding| Render.call(finding) }

      # One line for each failed check.
      def checks
        Analysis::FailedCheck.of(@measured).map do |one|
          of_variants([one.name, *one.others], Render.worst(one.worst), one.worst.finding)
        end
      end

      # One line for each finding of the verdicts that is also about figures.
      # A finding with a subject names it in its text: the subject may be the baseline, which is in
      # the verdicts of all others.
      def verdicts
        found = @measured.flat_map do |row|
          spoiled = @run.verdict(row).findings.select { |one| SPOILED.include?(one.code) }
          spoiled.map { |finding| [row.name, finding] }
        end
        named, others = found.partition { |_, finding| finding.subject }
        shared = others.group_by { |_, finding| finding.code }.values.map do |same|
          finding = same.first.last
          of_variants(same.map(&:first), Render.call(finding), finding)
        end
        [*named.map(&:last).uniq.map { |finding| of_subject(finding) }, *shared]
      end

      def of_subject(finding)
        line(Render.call(finding), finding:, variants: [finding.subject])
      end

      # A text about the first variant that applies to the others as well, with other figures.
      def of_variants(names, text, finding)
        first, *others = names
        all = others.size >= MANY && names.size == @measured.size
        also = " (also #{all ? 'all others' : Wording.names(others)})" if others.any?
        line("#{first}#{also}: #{text}", finding:, variants: names)
      end

      # Trials that ended because mohs ended are not the server's fault.
      def failures
        @measured.filter_map do |row|
          failures = row.failures.reject { |failure| failure.state == "lost" }
          next if failures.empty?

          tried = row.trials[:started] - (row.failures.size - failures.size)
          reasons = failures.uniq(&:cause).map { |one| Render.failure(one).summary }
          share = "#{failures.size} of #{tried} trials failed"
          "#{row.name}: #{share}: #{reasons.join('; ')}"
        end
      end

      # Seconds that one would miss in the time that was announced.
      def waited
        seconds = @run.waiting_s
        Render.text("waited", seconds:) if seconds >= 1
      end

      def host
        share = @run.noise[:foreign_cpu_share] or return
        others = @run.against.reject { |check| check[:name] == OTHERS }
        labels = others.map { |check| check[:label] }.join(", ")
        share = nil if @without.include?(OTHERS)
        texts = [("other processes took #{Numbers.percent(share)} of the CPU" if share),
                 ("problems: #{labels} (mohs doctor)" unless labels.empty?)].compact
        texts.join(" · ") if texts.any?
      end

      def cores
        cores = @run.cores or return
        each = cores[:each] == 1 ? "one core" : "#{cores[:each]} cores"
        driver = { true => "driver_apart", false => "driver_shares" }[cores[:apart]]
        driver = "driver_far" if @run.load_from
        placed = ["#{each} for each server", *driver && Render.text(driver)].join(", ")
        [placed, *turns(cores[:each])].join(". ")
      end

      # Variants whose processes have less than a core each.
      def turns(cores)
        names = @measured.map(&:name)
                         .select { |name| @run.stored.study.variant(name).busy_processes > cores }
        Render.text("processes_take_turns", names:) if names.any?
      end

      def held
        hold = @run.stored.study.hold or return
        parts = hold.to_h.compact.map { |name, value| Render.text("held_#{name}", value:) }
        "#{parts.join(', ')}: the same for all"
      end

      def files
        changes, paths = @run.written, @run.outside
        texts = [(Render.text("files_changed", changes:) if changes.any?),
                 (Render.text("files_outside", paths:) if paths.any?)].compact
        texts.join("; ") if texts.any?
      end

      def load_from = @run.load_from && Render.text("load_from", **@run.load_from)

      def profile = (Render.text("profiled") if @run.stored.study.profile && @measured.any?)

      def shield = @run.shield && Render.text("shield", **@run.shield.to_h)
    end
  end
end
