# frozen_string_literal: true

module Mohs
  module Rounds
    # A run of rounds: a table of its variants.
    class View < Report::Views::OfRows
      KIND = "run"
      PLANNED = true
      SECTIONS = Report::Sections::OF_RUNS
      # Title of CPU time if each request is a batch of jobs; latencies are of whole batches.
      CPU_OF_JOB = "CPU µs/job"
      # Latencies that may be missing with a reason.
      LATENCIES = %i[p50 p99 max].freeze
      # The rate comes last: even a table without figures has the verdict.
      LEAST_FIRST = [%i[max], %i[cpu], %i[boot], %i[memory], %i[p99 p95 p90], %i[p50],
                     Report::View::Table::NAMES, %i[errors], %i[group], %i[rate]].freeze
      INCOMPLETE = "round 1 was not complete"
      LEFT_OUT = "started, but left out"
      # Codes of cuts of rounds, as opposed to variants.
      ROUNDS = %w[cut_rounds dropped_rounds].freeze

      # Of streams, by what is timed.
      STREAMS = {
        "first-event" => { first_p50: ["first event p50 ms", :first_event_ms, :p50],
                           first_p99: ["p99", :first_event_ms, :p99],
                           gap_p99: ["gap p99 ms", :gap_ms, :p99] },
        "echo" => { opening_p50: ["to open p50 ms", :opening_ms, :p50],
                    echo_p50: ["echo p50 ms", :echo_ms, :p50],
                    echo_p99: ["p99", :echo_ms, :p99] },
        "fan-out" => { half_p50: ["half p50 ms", :half_ms, :p50],
                       most_p50: ["99 % p50", :most_ms, :p50],
                       most_p99: ["p99", :latency_ms, :p99],
                       all_p50: ["all p50", :all_ms, :p50] },
        "opening" => { opening_p50: ["to open p50 ms", :opening_ms, :p50],
                       opening_p99: ["p99", :opening_ms, :p99] },
      }.freeze
      # What is lost of them.
      LOST = { "echo" => "lost", "fan-out" => "missed" }.freeze

      private

      # Of the difference that the sentence is about.
      def why = pick&.fetch(:why, nil)

      # Why the only variant was not measured is in the sentence.
      def tables
        return [] if rows.one? && measured.empty?

        [table(:variants, columns, rows.map { |row| of_variant(row) }, least_first: LEAST_FIRST),
         *cold_start.tables]
      end

      def pictures = { cold_start: cold_start.courses }

      def cold_start = Report::Views::ColdStart.new(@document[:cold_start])

      def remarks
        [marks, rates, *missing, (lower_percentile if tail == :p99), *reasons, *causes, *notes,
         *dropped].compact
      end

      # Without any figures only names remain. One variant has no verdict, a run without groups
      # has no marks, a run without failed requests no errors.
      def columns
        name = column(:name, "variant", names: true)
        return [name] if measured.empty?

        return [name, *of_streams] if @document[:streams]

        [name, column(:boot, "boot ms", figure: true),
         column(:rate, "#{Report::Unit.name(@document)}/s"),
         *([column(:group, "", name: "marks", marks: true)] if groups?),
         *([column(:errors, "errors")] if rows.any? { |row| failed?(row) }),
         *titles.map { |key, title| column(key, title, figure: true) },
         column(:cpu, @document[:jobs] ? CPU_OF_JOB : "CPU µs", figure: true),
         column(:memory, "MB", figure: true),
         *([column(:verdict, against)] unless rows.one?)]
      end

      def of_streams
        times = STREAMS.fetch(timed).map { |key, (title, *)| column(key, title, figure: true) }
        [column(:boot, "boot ms", figure: true), *times,
         *([column(:lost, LOST[timed])] if LOST[timed]), column(:held, "held"),
         column(:dropped, "dropped"),
         *([column(:errors, "errors")] if rows.any? { |row| failed?(row) }),
         column(:per_connection, "kB/conn.", figure: true), column(:memory, "MB", figure: true)]
      end

      def timed = Study::Streams.new(**@document[:streams]).timed

      def against = "against #{@document[:baseline]}"

      def of_variant(row)
        name = { name: cell(row[:variant]) }
        return Report::View::Row.new(cells: name, note: reason(row)) if row[:state] != "measured"

        cells = { **name, **figures(row), **latencies(row), **streams(row), verdict: verdict(row) }
        Report::View::Row.new(cells:)
      end

      def figures(row)
        bytes = row.dig(:memory_bytes, :value)
        { boot: whole(row.dig(:boot_ms, :value)), rate: rate(row),
          group: cell(row[:group]), errors: cell(failed(row)),
          cpu: figure(Report::Unit.cpu_us(@document, row)), memory: whole(bytes && (bytes / 1e6)) }
      end

      def rate(row)
        per_s = Report::Unit.rate(@document, row)&.fetch(:value)
        cell(Report::Numbers.figure(per_s), aside: Report::Numbers.spread(row[:throughput_per_s]).to_s,
                                    value: per_s)
      end

      # The share of failed requests, without which no rate is shown.
      def failed(row) = failed?(row) ? Report::Numbers.percent(row[:errors][:share]) : "0"

      def failed?(row) = row.dig(:errors, :total).to_i.positive?

      # The table's latencies. The unit is printed only once: three times would take the room of
      # another column.
      def titles = { p50: "p50 ms", tail => tail.to_s, max: "max" }

      def latencies(row)
        titles.to_h do |key, _|
          value, bound = row.dig(:latency_ms, key), row.dig(:latency_ms, :more_than, key)
          [key, cell(Report::Numbers.latency(value, bound), value: value || bound)]
        end
      end

      def streams(row)
        return {} unless row[:streams]

        found = { **row[:streams], **row.slice(:latency_ms) }
        times = STREAMS.fetch(timed).transform_values do |_, *path|
          cell(Report::Numbers.latency(found.dig(*path), nil), value: found.dig(*path))
        end
        bytes = found[:memory_per_connection_bytes]
        held = found[:opened] - found[:dropped]
        { **times, held: cell("#{Report::Numbers.whole(held)} of " \
                              "#{Report::Numbers.whole(found[:asked])}", value: held),
          lost: count(lost(found)), dropped: count(found[:dropped]),
          per_connection: figure(bytes && (bytes / 1e3)) }
      end

      # Messages, or deliveries of those that should come to all.
      def lost(found)
        due, came = found[:fan_out].to_h.values_at(:due, :came)
        due ? due - came : found[:messages].to_h.values_at(:lost, :unsent).compact.sum
      end

      def count(number) = cell(Report::Numbers.whole(number), value: number)

      def verdict(row)
        text, outcome = row[:verdict].to_h.values_at(:text, :outcome)
        cell(text, tone: Report::Tone::VERDICTS[outcome])
      end

      def reason(row)
        return INCOMPLETE if incomplete?(row)

        left_out?(row) ? LEFT_OUT : "#{REASONS.fetch(row[:state])}#{row[:summary]}"
      end

      # Whether its trials ended because of other variants only.
      def left_out?(row)
        row[:state] == "waiting" && @document[:state] == "finished" &&
          row[:trials][:started].positive?
      end

      # Whether the variant was started in a first round that a user stopped.
      def incomplete?(row)
        row[:state] == "waiting" && @document[:state] == "interrupted" &&
          @document[:rounds][:done].zero? && row[:trials][:started].positive?
      end

      # Which variants can't be told apart.
      def marks
        return unless marked?
        return remark("marks", say("run_marks"), with: :group) unless one_group?

        closer_clause = say("marks_closer", rounds: @document[:rounds][:closer]) unless equal?
        remark(equal? ? "equal" : "undecided",
               say("marks_group", count: candidates.size, closer_clause:))
      end

      # Whether the letters say more than a sentence.
      def groups? = marked? && !one_group?

      def marked? = groups.any?

      # Those of which some row is shown.
      def groups
        names = rows.map { |row| row[:variant] }
        @document[:groups].to_a.select { |group| group[:variants].intersect?(names) }
      end

      def one_group?
        groups.one? && candidates.size > 1 && candidates.all? { |row| row[:group] }
      end

      # Whether all candidates are equal to the baseline.
      def equal? = candidates.all? { |row| row[:verdict][:outcome] == "equivalent" }

      # Why some rates have no ± although there is a verdict. A single variant has its interval in
      # the sentence.
      def rates
        scattered = rows.any? { |row| Report::Numbers.scattered?(row[:throughput_per_s]) }
        remark("rates", say("marks_scattered")) if scattered && rows.size > 1
      end

      # Which of the table's latencies are missing, each reason by itself; several of the same rows
      # together.
      def missing
        all = LATENCIES.flat_map { |name| lacks(name) }.group_by(&:last)
        all.map do |(names, why), same|
          remark("missing", "#{same.map(&:first).join(', ')} of #{names}: #{why}")
        end
      end

      # [name, [the rows that lack this latency, and why]] for each reason.
      def lacks(name)
        lacking = rows.select { |row| row.dig(:latency_ms, :missing).to_h.key?(name) }
        lacking.group_by { |row| row[:latency_ms][:missing_codes][name] }.values.map do |same|
          [name, [Wording.names(same.map { |row| row[:variant] }), lack(name, same)]]
        end
      end

      # What these rows lack for a latency, with the numbers of the worst row.
      def lack(name, rows)
        numbers = rows.filter_map { |row| row[:latency_ms][:missing_values][name] }
        return rows.first[:latency_ms][:missing][name] if numbers.empty?

        few = numbers.min_by { |one| one[:had] }
        return say("too_few_streams", **few, timed:) if @document[:streams]

        say("too_few_requests", **few)
      end

      # Reasons that are not in the sentence; one that several variants share is given once. If
      # the sentence gives the reason, what to try.
      def reasons
        @document[:reasons].to_a.filter_map do |reason|
          next of_reason(reason) unless reason[:covered]

          cure(reason[:remedy])
        end
      end

      def of_reason(reason)
        return remark("why", reason[:reason], rows: reason[:variants]) unless reason[:remedy]

        remark("why", "#{Wording.names(reason[:variants])}: #{reason[:reason]}")
      end

      # What causes the differences, as far as that is known.
      def causes
        known = rows.select { |row| row[:why] }
        known.map { |row| remark("why", "#{row[:variant]}: #{row[:why]}") }
      end

      def dropped
        cuts = @document[:dropped].to_a
        # Advice on measuring more rounds doesn't help if nothing was measured, nor if those that
        # were left were not needed.
        cuts = cuts.reject { |cut| ROUNDS.include?(cut[:code]) } if measured.empty? || ended_early?
        Report::Render.left_out(cuts).map { |text| remark("left out", text) }
      end

      def ended_early?
        planned, done = @document[:rounds].to_h.values_at(:planned, :done)
        @document[:state] == "finished" && done.to_i < planned.to_i
      end
    end
  end
end
