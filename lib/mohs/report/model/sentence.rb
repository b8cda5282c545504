# frozen_string_literal: true

module Mohs
  module Report
    class Model
      # The answer in one sentence that a manager can repeat, from the rest of the document.
      class Sentence
        MEGABYTE = 1e6

        # Names in a row; of more only the number is told.
        FEW = 3

        # Less than this is within what two boots of one thing differ by (method, section 3d).
        MEMORY_WORTH_SAYING = 1.0

        #: (Hash[Symbol, untyped]) -> void
        def initialize(document)
          @document = document
          @rows = document[:rows]
          @measured = @rows.select { |row| row[:state] == "measured" }
          @base = document[:baseline]
          @others = @measured.reject { |row| row[:baseline] }
        end

        #: () -> String
        def to_s
          return nothing if @measured.empty?
          return alone(@measured.first) if @rows.size == 1
          return no_baseline unless @measured.any? { |row| row[:baseline] }

          @others.empty? ? only_baseline : compared
        end

        private

        def compared
          return winner(with("faster")) if with("faster").any?
          return all_equal if @others.size == with("equivalent").size
          return undecided(with("undecided")) if with("undecided").any?
          return slower(with("slower")) if with("slower").any? && with("equivalent").empty?

          "Nothing here is faster than #{@base}."
        end

        def with(outcome) = @others.select { |row| row[:verdict][:outcome] == outcome }

        def nothing
          reached = @rows.reject { |row| waiting?(row) }
          return "Nothing has been measured yet." if reached.empty?
          return "#{told(reached.first)}." if @rows.size == 1

          "Nothing was measured: none of #{reached.size} variants could be. #{told(reached.first)}."
        end

        def told(row)
          "#{row[:variant]} could not be measured (#{row[:state]}): #{clean(row[:reason])}"
        end

        # Of a reason, its first line: a log follows it.
        def clean(reason) = reason.to_s.lines.first.to_s.strip.delete_suffix(".")

        def alone(row)
          rate = row[:throughput_per_s]
          interval = rate[:low] ? " [#{number(rate[:low])}, #{number(rate[:high])}]" : ""
          memory = row[:memory_bytes][:value]
          "#{row[:variant]} serves #{number(rate[:value])} requests a second#{interval}" \
            "#{memory && ", in #{number(memory / MEGABYTE)} MB of memory"}."
        end

        def only_baseline
          missing = @rows.find { |row| !row[:baseline] }
          rest = waiting?(missing) ? "the others have not been reached yet" : told(missing)
          "#{alone(@measured.first).delete_suffix('.')}; #{rest}."
        end

        def no_baseline
          row = @rows.find { |one| one[:baseline] }
          return "No verdict: #{told(row)}." unless row.nil? || waiting?(row)

          "No verdict: the baseline, #{@base}, has not been measured yet."
        end

        def waiting?(row) = row[:state] == "waiting"

        def winner(winners)
          top = winners.first
          tied = tied_with(top)
          "#{top[:variant]} serves #{more(top)} requests a second#{than(top)}#{memory(top)}" \
            "#{"; #{list(tied)} can't be told apart from it" if tied.any?}#{ahead(top)}."
        end

        # What looks faster still, but has no verdict yet: the winner is no winner over it.
        def ahead(top)
          names = @others.take_while { |row| row != top }.map { |row| row[:variant] }
          names.empty? ? "" : "; #{list(names)} may be faster still, but #{verb(names)} undecided"
        end

        # "37 % more", "3.4 times as many".
        def more(row) = Verdict::Words.amount(row[:verdict][:effect], "more", "fewer", "many")

        def than(row)
          effect = row[:verdict][:effect]
          "#{effect >= Verdict::Words::TIMES ? ' as' : ' than'} #{@base}#{bracket(row)}"
        end

        def bracket(row) = row[:verdict][:text][/ \[.*\]\z/]

        def tied_with(top)
          groups = @document[:groups].select { |group| group[:variants].include?(top[:variant]) }
          groups.flat_map { |group| group[:variants] }.uniq - [top[:variant]]
        end

        def memory(top)
          base = @rows.find { |row| row[:baseline] }
          sizes = [top, base].map { |row| row[:memory_bytes][:value] }
          return "" unless sizes.all?

          difference = (sizes[0] - sizes[1]) / MEGABYTE
          return "" if difference.abs < MEMORY_WORTH_SAYING

          ", for #{number(difference.abs)} MB #{difference.positive? ? 'more' : 'less'} memory"
        end

        def all_equal
          margin = Verdict::Words.percent(@document[:margin])
          return "All #{@measured.size} are equal within #{margin}." if @others.size > 1

          row = @others.first
          "#{row[:variant]} and #{@base} are equal within #{margin} " \
            "(requests/s #{Verdict::Words.signed(row[:verdict][:effect])}#{bracket(row)})."
        end

        def slower(rows)
          nearest = rows.first
          said = "#{nearest[:variant]} serves #{more(nearest)} requests a second"
          return "#{said}#{than(nearest)}." if rows.one?

          "Nothing here is faster than #{@base}: #{said}#{bracket(nearest)}."
        end

        def undecided(rows)
          row = rows.find { |one| one[:verdict][:interval] } or return no_interval(rows)
          low, high = row[:verdict][:interval]
          return "Undecided: #{row[:variant]} #{too_wide(row)}." if Verdict::Words.wide?(low, high)

          "Undecided: #{row[:variant]} is between #{end_of(low)} and #{end_of(high)} " \
            "than #{@base} after #{rounds(row)}#{others(rows - [row])}#{steadier(row)}."
        end

        def too_wide(row)
          "differed too much from round to round to be compared with #{@base}, after #{rounds(row)}"
        end

        # Too few rounds: nothing is ranked.
        def no_interval(rows)
          fewest = Stats::Interval::FEWEST
          done = rows.map { |row| row[:trials][:measured] }.max
          hint = " (--rounds #{fewest})" if @document[:rounds][:planned] < fewest
          "Undecided: an interval needs #{fewest} rounds beside #{@base}, and there " \
            "#{done == 1 ? 'is' : 'are'} #{done} so far#{hint}."
        end

        # What the steadier metric says, where it has decided.
        def steadier(row)
          told = row[:verdict][:reasons].grep(/\Aby CPU time/).first
          told ? "; #{told}" : ""
        end

        def end_of(ratio) = "#{number((ratio - 1).abs * 100)} % #{ratio < 1 ? 'slower' : 'faster'}"

        # Those of this row: the quick variants' are done before the first of a JVM.
        def rounds(row)
          done = row[:trials][:measured]
          "#{done} #{done == 1 ? 'round' : 'rounds'}"
        end

        def others(rows)
          return "" if rows.empty?

          "; so #{verb(rows)} #{list(rows.map { |row| row[:variant] })}"
        end

        def verb(subjects) = subjects.one? ? "is" : "are"

        def list(names)
          return names.first if names.one?
          return "#{names.first(FEW).join(', ')} and #{names.size - FEW} more" if names.size > FEW

          "#{names[0...-1].join(', ')} and #{names.last}"
        end

        def number(value) = Verdict::Words.number(value)
      end
    end
  end
end
