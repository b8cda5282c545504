# frozen_string_literal: true

module Mohs
  module Report
    module Templates
      # Texts on published studies: judgements, and the reasons for them.
      module Claims
        OUTCOMES = { "agrees" => "agrees", "direction_only" => "direction only",
                     "contradicted" => "contradicted", "undecided" => "undecided",
                     "not_testable" => "not testable here" }.freeze

        # The outcome of this many claims: 1 agrees, 7 agree.
        #: (String, Integer) -> String
        def self.outcome(outcome, count)
          outcome == "agrees" && count > 1 ? "agree" : OUTCOMES.fetch(outcome)
        end

        # The outcomes of all claims: "1 agrees, 2 undecided". counts: { outcome => claims }.
        # stand_ins: the number of contradicted claims that are contradicted only for another
        # version.
        #: (Hash[String, Integer], ?stand_ins: Integer) -> String
        def self.tally(counts, stand_ins: 0)
          found = Repro::Judge::OUTCOMES.select { |one| counts.fetch(one, 0).positive? }
          found.map do |one|
            text = "#{counts[one]} #{outcome(one, counts[one])}"
            next text unless one == Repro::Judge::CONTRADICTED && stand_ins.positive?

            "#{text} (#{"#{stand_ins} " if stand_ins < counts[one]}only for another version)"
          end.join(", ")
        end

        # How a ratio misses a claimed range; the range of an order has an end at 1.
        outside = lambda do |values, numbers|
          low, high = values.values_at(:low, :high)
          next "outside #{numbers.signed(low)} to #{numbers.signed(high)}" if low && high
          next "not #{low ? 'more' : 'less'}" if [low, high].include?(1.0)

          low ? "not above #{numbers.signed(low)}" : "not below #{numbers.signed(high)}"
        end
        of_shares = lambda do |values, numbers|
          low, high = values.values_at(:low, :high).map { |one| one && numbers.percent(one) }
          next "#{low} to #{high}" if low && high

          low ? "above #{low}" : "below #{high}"
        end
        # The template for a variant without figures.
        ended = lambda do |what|
          lambda do |values, _|
            spoiled = values[:spoiled]&.then { |one| Analysis::Finding.new(**one, severity: :bad) }
            reason = values[:reason]&.then { |one| Render.reason(one).summary }
            reason ||= Render.unexplained(spoiled)
            "#{Numbers.called(values[:variant])} #{what}: #{reason.lines.first.chomp}"
          end
        end

        # How much time a study needs, and how much of the budget is left.
        no_time = lambda do |values, numbers|
          needed, left = values.values_at(:needed_s, :left_s)
                               .map { |time| numbers.duration([time, 0].max) }
          "left out: not enough time (it needs at least #{needed}; left of the budget: #{left})"
        end

        TEXTS = {
          "repro_sentence" => "%{source}: %{title}. %{levels} there, %{measured} here; " \
                              "%{claims}: %{counts}.",
          "repro_stand_in" => "%{used} in place of %{asked}",
          "repro_stand_in_only" => "only for %{used}, not for the published %{asked}",
          "repro_size_open" => lambda do |values, _|
            rounds = values[:rounds]
            "same direction; size not known yet: " \
              "#{rounds ? "needs about #{rounds} rounds" : 'too close to decide'}"
          end,
          "repro_other_size" => lambda do |values, numbers|
            "same direction, #{values[:larger] ? 'larger' : 'smaller'} than published: " \
              "#{outside.call(values, numbers)}"
          end,
          "repro_opposite" => "the difference goes the other way",
          "repro_smaller" => "no difference of that size",
          "repro_outside" => outside,
          "repro_within" => lambda do |values, numbers|
            low, high = values.values_at(:low, :high).map { |one| one && numbers.signed(one) }
            next "within #{low} to #{high}" if low && high

            low ? "above #{low}" : "below #{high}"
          end,
          "repro_ordered" => "in the direction claimed",
          "repro_rival" => "against %{rival}",
          "repro_share_outside" => lambda do |values, numbers|
            "not #{of_shares.call(values, numbers)}"
          end,
          "repro_share_within" => of_shares,
          "repro_unsampled" => "no samples of %{variant|name}",
          "repro_samples" => "%{variant} %{samples|count} in %{boots}",
          "repro_shares" => "of the CPU time, by samples of the servers' stacks " \
                            "(%{samples|list}), all boots together, with its 95 % interval. " \
                            "Sampled servers are slower: the rates of this run are no measurement",
          "repro_stated" => "%{why}",
          "repro_out_of_size" => lambda do |values, numbers|
            "left out of this size, for its time: #{numbers.list(values[:variants])}"
          end,
          "repro_cores" => "needs %{needed} cores, %{here} here",
          "repro_absent" => lambda do |values, _|
            values[:interpreters].map do |one|
              asked, tried, broken, lost = one.values_at(:asked, :tried, :broken, :lost)
              why = "can't be measured: #{lost}" if lost
              why ||= broken ? "can't be used: #{broken}" : "is not installed"
              [asked, why, *("(nor #{tried.join(', ')})" if tried.any?)].join(" ")
            end.join("; ")
          end,
          # A trial of slower applications has longer slices (Cohort::Schedule).
          "repro_assumed" => lambda do |values, _|
            count, of = values.values_at(:count, :of)
            guesses = count == 1 ? "is a guess, because its" : "are guesses, because their"
            "#{of == 1 ? 'it' : "#{count} of the #{of} times"} #{guesses} variants have not been " \
              "measured here: that assumes 800 requests/s or more, and slower applications take " \
              "up to three times as long"
          end,
          "repro_left_out" => lambda do |values, numbers|
            "#{values[:name]}: #{no_time.call(values, numbers)}"
          end,
          "repro_no_time" => no_time,
          "repro_none" => "nothing can be measured here",
          "repro_rows_only" => "measured, but no claim can be judged",
          "repro_nothing" => "nothing was measured",
          "repro_unmeasured" => "%{variant|name} was not measured",
          "repro_refused" => ended.call("can't run here"),
          "repro_failed" => ended.call("has no figures"),
          "repro_survived" => lambda do |values, numbers|
            boots, fewest, needed = values.values_at(:boots, :fewest, :needed)
            seen = "no crash in #{numbers.counted(boots, 'boot')}"
            seen = "#{seen}, #{fewest} of #{values[:variant]}" if fewest < boots
            bound = "#{seen}: up to #{numbers.percent(values[:bound])} may crash"
            next bound unless needed

            "#{bound}; agrees from #{needed} boots on, up to #{numbers.percent(values[:at_most])}"
          end,
          "repro_crashed" => lambda do |values, numbers|
            boots = numbers.counted(values[:boots], "boot")
            ended.call("crashed in #{values[:crashes]} of #{boots}").call(values, numbers)
          end,
          "repro_never_beside" => "its variants never ran side by side",
          "repro_no_overhead" => "no overhead: not slower on average than what it is over",
          "repro_no_figure" => "no %{metric}: not recorded, too few requests, or slices that " \
                               "end before waits for a thread do",
          "repro_no_total" => "not known with pauses included",
          "repro_changed" => "published.yml says something else of it than when this was measured",
          "repro_edited" => "judged as published.yml had it then; it says something else now",
          "repro_deleted" => "judged as published.yml had it then; it is not there any more",
          "repro_raw" => "needs a run: the source's batches are of single levels",
          "repro_total_outside" => lambda do |values, numbers|
            ends = values[:interval].map { |one| numbers.signed(one) }
            "not with pauses included (#{numbers.signed(values[:ratio])} [#{ends.join(', ')}])"
          end,
          "repro_total" => "not surely with pauses included (%{ratio|signed})",
          "repro_few" => lambda do |values, numbers|
            rounds = values[:rounds]
            "#{numbers.counted(rounds, 'round')}, an interval needs #{values[:needed]}"
          end,
          "repro_overheads" => "not to be divided: these are means of the rounds' differences in " \
                               "microseconds; a claim's ratio is of times taken relative to the " \
                               "others of the same round",
          "repro_rounds" => lambda do |values, _|
            rounds, full, file = values.values_at(:rounds, :full, :file)
            where = "; --full has #{full}" if full
            where ||= " (rounds: #{rounds} in #{file})" if file
            "about #{rounds} rounds would decide it#{where}"
          end,
          "repro_noisy" => "too close to decide",
          "repro_no_batches" => lambda do |values, numbers|
            sizes = values[:sizes].map { |size| "--#{size}" }
            next "no batches: the study has no cold start (cold_start in study.yml)" if sizes.empty?

            "no batches: #{numbers.list(sizes)} #{sizes.one? ? 'records' : 'record'} a cold start"
          end,
          "repro_warm" => lambda do |values, _|
            values[:levels].map do |level|
              after = level[:after]
              trials = level[:trials].map { |one| one || "not" }.join(", ")
              "#{level[:variant]} #{after ? "after #{after}" : 'not in time'} (#{trials})"
            end.join("; ")
          end,
          "repro_short" => "%{variant|name} has no rate between the first %{within|count} " \
                           "batches and the second half",
          "repro_settling" => lambda do |values, numbers|
            ends = values[:interval]&.map { |one| numbers.signed(one) }
            "#{values[:variant]} #{[numbers.signed(values[:ratio]),
                                    *("[#{ends.join(', ')}]" if ends)].join(' ')} behind " \
              "#{numbers.counted(values[:batches], 'batch', 'batches')}"
          end,
          "repro_disagree" => lambda do |values, numbers|
            rates = numbers.list(values[:rates].map { |one| numbers.short(one) })
            "its trials served #{rates} requests/s and vary more than those of the others" \
              "#{", trial #{values[:stray]} standing apart" if values[:stray]}"
          end,
          "repro_alike" => lambda do |values, numbers|
            "its trials served #{numbers.list(values[:rates].map { |one| numbers.short(one) })} " \
              "requests/s, as near as those of the others"
          end,
          "cold_excluded" => "%{level}: its trials served %{rates|list} requests/s once warm and " \
                             "vary more than those of the others (Cochran's test)",
          "cold_stray" => "; trial %{trial} stands apart from the rest (Grubbs's test)",
          "cold_acks" => "%{shares|list} of the responses took 38 to 45 ms, as with a delayed ACK",
          "repro_no_code" => "%{variant|name} saves no code that tells its versions (MJIT under " \
                             "--jit-save-temps does)",
          "repro_versions" => lambda do |values, numbers|
            counts = values[:versions].then { |all| all.uniq.one? ? all.uniq : all }
            "#{numbers.called(values[:variant])} compiled #{values[:method] || 'some method'} in " \
              "#{numbers.list(counts)} #{counts == [1] ? 'version' : 'versions'}"
          end,
          "repro_few_boots" => lambda do |values, numbers|
            boots, needed = values.values_at(:boots, :needed)
            share, asked = values.values_at(:share, :asked).map { |one| numbers.percent(one) }
            "#{numbers.counted(boots, 'boot')}#{' alike' if boots > 1} may be #{share} of all; " \
              "#{needed} would be more than #{asked}"
          end,
          "repro_single" => "too few trials to compare",
        }.freeze
      end
    end
  end
end
