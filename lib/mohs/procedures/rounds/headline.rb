# frozen_string_literal: true

module Mohs
  module Rounds
    # The answer of a run.
    class Headline < Report::Headline
      # Findings for which a measured variant has no verdict, with the template of their sentence.
      SPOILED = { "ended_under_load" => "run_ended", "still_rose" => "run_rose",
                  "slowed_others" => "run_slowed" }.freeze

      # An undecided sentence ends with the first of these findings.
      LAST = ["equal_but_total", "quieter_metric", Analysis::Unwarmed::CODE].freeze

      #: (Hash[Symbol, untyped]) -> void
      def initialize(document)
        super
        @rows = document[:rows]
        @measured = @rows.select { |row| row[:state] == "measured" }
        @base = document[:baseline]
        @others = @measured.reject { |row| row[:baseline] }
      end

      #: () -> String
      def to_s
        return nothing if @measured.empty?
        return say("run_streams", each: @measured.map { |row| of_streams(row) }.join("; ")) if
          @document[:streams]
        return "#{alone(@measured.first)}." if @rows.size == 1
        return no_baseline unless @measured.any? { |row| row[:baseline] }

        @others.empty? ? only_baseline : compared
      end

      # Variants whose reason the sentence gives.
      #: () -> Array[String]
      def covered = [unmeasured_row].compact.map { |row| row[:variant] }

      private

      # The row without figures that the sentence is about.
      def unmeasured_row
        row = if @measured.empty? then @rows.find { |one| !waiting?(one) }
              elsif @rows.size == 1 then nil
              elsif @measured.none? { |one| one[:baseline] } then declared_baseline
              elsif @others.empty? then @rows.find { |one| !one[:baseline] }
              end
        row unless row.nil? || waiting?(row)
      end

      def unmet_row = @rows.find { |row| row[:variant] == @document[:unmet] }

      def declared_baseline = @rows.find { |row| row[:baseline] }

      def nothing
        return say("nothing_yet") unless unmeasured_row
        return say("run_unmet", reason: unmet_row[:summary]) if @document[:unmet]
        return "#{unmeasured}." if @rows.size == 1

        say("run_none", count: @rows.count { |row| !waiting?(row) }, first: unmeasured)
      end

      def unmeasured
        variant, reason = unmeasured_row.values_at(:variant, :summary)
        say("run_unmeasured", variant:, reason:)
      end

      def alone(row)
        rate = Report::Unit.rate(@document, row)
        bounds = rate.values_at(:low, :high).compact.map { |bound| Report::Numbers.number(bound) }
        memory = row[:memory_bytes][:value]
        memory &&= say("run_alone_memory", megabytes: memory / Report::Numbers::MEGABYTE)
        say("run_alone", variant: row[:variant], rate: rate[:value], **unit,
                         memory_clause: memory, errors_clause: errors([row]),
                         interval_clause: bounds.any? ? " [#{bounds.join(', ')}]" : "")
      end

      def of_streams(row)
        asked, opened, dropped = row[:streams].values_at(:asked, :opened, :dropped)
        streams = Study::Streams.new(**@document[:streams])
        p50 = (row[:streams][:most_ms] || row[:latency_ms])[:p50]
        say(p50 ? "run_stream" : "run_stream_late",
            variant: row[:variant], asked:, held: opened - dropped, p50:, kind: streams.title,
            timed: Report::Templates::Streams.timed(streams),
            **messages(row[:streams].values_at(:messages, :fan_out)))
      end

      # Those that were lost, or deliveries of them that were missed.
      def messages((counts, fan_out))
        return { due: fan_out[:due], lost: fan_out[:due] - fan_out[:came] } if fan_out
        return {} if counts.nil? || counts[:due].zero?

        { due: counts[:due], lost: counts.values_at(:lost, :unsent).sum }
      end

      def only_baseline
        rest = unmeasured_row ? unmeasured : say("run_others_waiting")
        say("run_only_baseline", alone: alone(@measured.first), rest:)
      end

      def no_baseline
        return say("run_baseline_failed", unmeasured:) if unmeasured_row

        say("run_baseline_waiting", baseline: @base)
      end

      def waiting?(row) = row[:state] == "waiting"

      def compared
        return spoiled_clauses.lstrip if (@others - spoiled).empty?
        return with_jit(@document[:jit_worth]) if @document[:jit_worth]

        "#{judged}#{spoiled_clauses}"
      end

      # The baseline differs from the only other variant in its JIT.
      def with_jit(worth)
        text = Report::JitWorth.text(worth, **unit)
        say("run_with_jit", text:, errors_clause: errors(@measured))
      end

      def spoiled = @others.select { |row| spoiling(row) }

      def spoiling(row)
        row[:verdict][:findings].find { |one| SPOILED.key?(one[:code]) }
      end

      # A reason that several variants share, because it is the baseline's, is given once.
      def spoiled_clauses
        found = spoiled.map { |row| spoiling(row) }.uniq { |one| one.values_at(:code, :values) }
        found.group_by { |one| one[:code] }.map do |code, same|
          sentence(say(SPOILED.fetch(code), reasons: list(same.map { |one| one[:text] })))
        end.join
      end

      def judged
        return winner(with("faster")) if with("faster").any?
        return all_equivalent if @others.size == with("equivalent").size
        return undecided(with("undecided")) if with("undecided").any?
        return slower(with("slower")) if with("slower").any? && with("equivalent").empty?

        say("run_none_faster", baseline: @base)
      end

      def with(outcome) = @others.select { |row| row[:verdict][:outcome] == outcome }

      def winner(winners)
        top = winners.first
        tied = tied_with(top)
        say("run_winner", serves: serves(top), than_clause: than(top), memory_clause: memory(top),
                          errors_clause: errors([top, declared_baseline]),
                          tied_clause: tied.any? ? tied_clause(top, tied) : "",
                          ahead_clause: ahead(top))
      end

      def unit = { verb: Report::Unit.verb(@document), unit: Report::Unit.name(@document) }

      def named(names) = list(names.map { |name| Report::Numbers.called(name) })

      def tied_clause(top, tied) = say("run_tied", names: named(tied), variant: top[:variant])

      # "3.4.5 serves 37 % more requests a second".
      def serves(row)
        say("run_serves", variant: row[:variant], **unit,
                          more: change(row).directed("more", "fewer", "many"))
      end

      # Variants that look even faster but have no verdict yet: the winner has not beaten them.
      def ahead(top)
        rows = @others.take_while { |row| row != top } - spoiled
        names = rows.map { |row| row[:variant] }
        names.empty? ? "" : say("run_ahead", names: named(names), verb: verb(names))
      end

      def than(row)
        "#{change(row).times? ? ' as' : ' than'} #{Report::Numbers.called(@base)}#{bracket(row)}"
      end

      def change(row) = Report::Change.new(row[:verdict])

      def bracket(row) = " #{change(row).bracket}"

      def tied_with(top)
        groups = @document[:groups].select { |group| group[:variants].include?(top[:variant]) }
        groups.flat_map { |group| group[:variants] }.uniq -
          [top, *spoiled].map { |row| row[:variant] }
      end

      def memory(top)
        bytes = top[:memory_difference_bytes] or return ""
        say("for_memory", megabytes: bytes.abs / Report::Numbers::MEGABYTE,
                          direction: bytes.positive? ? "more" : "less")
      end

      def all_equivalent
        margin = @document[:margin]
        errors_clause = errors(@measured)
        return say("run_all_equivalent", count: @measured.size, margin:, errors_clause:) \
          if @others.size > 1

        row = @others.first
        say("run_equivalent", variant: row[:variant], baseline: @base, margin:, errors_clause:,
                         unit: unit[:unit], change: change(row).signed,
                         interval: change(row).interval)
      end

      def slower(rows)
        nearest = rows.first
        serves = serves(nearest)
        errors_clause = errors([nearest, declared_baseline])
        return say("run_slower", serves:, than_clause: than(nearest), errors_clause:) if rows.one?

        say("run_none_faster_but", baseline: @base, serves:, bracket: bracket(nearest),
                                   errors_clause:)
      end

      def undecided(rows)
        row = rows.find { |one| one[:verdict][:interval] } or return no_interval(rows)
        values = { variant: row[:variant], baseline: @base, rounds: rounds(row) }
        return say("run_too_noisy", **values) if finding(row, "too_noisy")

        low, high = change(row).ends("faster", "slower")
        code = change(row).vast? ? "run_vast" : "run_undecided"
        say(code, **values, low:, high:, others_clause: others(rows - [row]),
                  ending_clause: ending(row), errors_clause: errors([row, declared_baseline]))
      end

      # There are too few rounds to rank anything.
      def no_interval(rows)
        needed = Analysis::Effects::ROUNDS
        done = rows.map { |row| row[:trials][:measured] }.max
        enough = @document[:rounds][:planned] >= needed
        hint = enough ? "" : " (#{Report::Numbers.typed(**more(needed))})"
        say("run_no_interval", needed:, verb: done == 1 ? "is" : "are", done:, hint_clause: hint)
      end

      # The option that gives so many rounds. A budget would cut those of --rounds, too.
      def more(rounds)
        cut = @document[:dropped].to_a.filter_map { |one| one[:values] }
                                 .find { |values| values[:all_s] || values[:round_s] }
        return { rounds: } unless cut

        { budget_s: cut[:all_s] || (cut[:round_s] * rounds) }
      end

      # What prevents "equal", the result of the steadier metric if that has decided, or what its
      # JIT may still bring.
      def ending(row)
        found = LAST.filter_map { |code| finding(row, code) }.first
        found ? "; #{found[:text]}" : ""
      end

      def finding(row, code) = row[:verdict][:findings].find { |one| one[:code] == code }

      # The rounds of this row: those of quick variants are done before a JVM's first.
      def rounds(row) = Report::Numbers.counted(row[:trials][:measured], "round")

      # Each row has its own interval, or none: the first row's interval says nothing about the
      # others.
      def others(rows)
        known, early = rows.partition { |row| row[:verdict][:interval] }
        [["run_others_#{known.one? ? 'one' : 'many'}", known],
         ["run_others_early", early]].filter_map do |code, same|
          say(code, names: named(same.map { |row| row[:variant] })) if same.any?
        end.join
      end
    end
  end
end
