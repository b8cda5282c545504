# frozen_string_literal: true

module Mohs
  module Repro
    # A metric, as what one variant does more, or less, of than another.
    verbs = { "throughput" => ["serves more than", "serves less than"],
              "cpu" => ["takes more CPU time than", "takes less CPU time than"],
              "p50" => ["has a higher p50 than", "has a lower p50 than"],
              "p99" => ["has a higher p99 than", "has a lower p99 than"],
              "memory" => ["needs more memory than", "needs less memory than"],
              "boot" => ["takes longer to boot than", "boots sooner than"],
              "first" => ["serves more at first than", "serves less at first than"],
              "stretch" => ["has its p99 farther from its p50 than",
                            "has its p99 nearer to its p50 than"],
              "overhead" => ["adds more time to a request than",
                             "adds less time to a request than"] }
    # One variant beside another: "Thin" serves less than "Puma".
    beside = lambda do |values|
      of, rival, more, categories = values.values_at(:of, :rival, :more, :categories)
      if categories
        one, other = categories
        one, other = "#{one} in #{of}", "#{other} in #{rival}" if one == other
        next "#{one} takes a #{more ? 'larger' : 'smaller'} share than #{other}"
      end
      of, rival, *since = [of, rival, *values[:since]].map { |name| Report::Numbers.called(name) }
      much = more ? "more" : "less"
      next "#{of} gains #{much} over #{since.first} than #{rival} over #{since.last}" if
        since.any? && values[:metric] == "throughput"
      next "the #{values[:metric]} of #{of} grows #{much} over #{since.first} than that of " \
           "#{rival} over #{since.last}" if since.any?

      said = verbs.fetch(values[:metric]) do |name|
        %w[more less].map { |amount| "has #{amount} #{Metrics.titled(name)} than" }
      end
      "#{of} #{said[more ? 0 : 1]} #{rival}"
    end
    # After how many batches a level's rate has levelled off, boot by boot.
    levelled = lambda do |trials|
      all = Report::Numbers.counted(trials.size, "boot")
      next "did not level off in #{all}" if trials.none?

      counts = trials.compact.tally.sort.map do |after, boots|
        "after #{Report::Numbers.counted(after, 'batch', 'batches')} in #{boots}"
      end
      never = trials.count(&:nil?)
      counts = [*counts, *("never in #{never}" if never.positive?)]
      "levelled off #{Wording.all(counts)} of #{all}"
    end
    # A range of ratios.
    between = lambda do |values, _|
      low, high = values.values_at(:low, :high).map { |one| one && PublishedText.change(one) }
      next "between #{low} and #{high}" if low && high

      low ? "above #{low}" : "below #{high}"
    end
    # How a ratio misses a claimed range; the range of an order has an end at 1.
    outside = lambda do |values, numbers|
      said = values[:of] && beside.call(values)
      enough = values[:others] || values[:several]
      next "#{said}#{', which is enough to contradict it' if enough}" if said
      next "they differ by more than #{numbers.exact_percent((values[:high] - 1).round(6))}" \
        if values[:equal]

      "not #{between.call(values, numbers)}"
    end
    # Why an interval that is printed does not decide.
    together = "not once all claims of the study are tested together"
    # How many rounds there were, and how many in all would decide something.
    enough = lambda do |values, what|
      rounds, here, full = values.values_at(:rounds, :here, :full)
      so_far = "#{Report::Numbers.counted(here, 'round')} so far; " if here
      count = Report::Numbers.counted(rounds, "round") unless here
      text = "#{so_far}about #{count || Report::Numbers.whole(rounds)} in all would #{what}"
      full && full >= rounds ? "#{text} (--full without --budget has #{full})" : text
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
        reason = values[:reason]&.then { |one| Report::Render.reason(one).summary }
        reason ||= Report::Render.unexplained(spoiled)
        "#{Report::Numbers.called(values[:variant])} #{what}: #{reason.lines.first.chomp}"
      end
    end

    # 0 is never, 1 once, 3 three times.
    times = lambda do |count|
      %w[never once twice].fetch(count) { "#{Report::Numbers.thousands(count)} times" }
    end

    # How much time a study needs, and how much of the budget is left.
    no_time = lambda do |values, numbers|
      needed, left = values.values_at(:needed_s, :left_s)
                           .map { |time| numbers.duration([time, 0].max) }
      "left out: not enough time (it needs at least #{needed}; left of the budget: #{left})"
    end

    # Texts on published studies (Report::Render): judgements, and the reasons for them.
    Templates = {
      "repro_sentence" => "%{title} (%{source}), measured again. Of %{claims}: %{counts}.",
      "repro_stand_in" => "measured with %{used} in place of %{asked}",
      "repro_stand_in_only" => "measured with %{used} in place of %{asked}, which may be why",
      "repro_swaps" => lambda do |values, numbers|
        pairs, cores, only = values.values_at(:pairs, :cores, :only)
        app = "#{values[:app]} in place of the source's application" if only && values[:app]
        with = [*app, *pairs.map { |used, asked| "#{used} in place of #{asked}" }]
        parts = [*("with #{Wording.all(with)}" if with.any?),
                 *("on #{numbers.cores(cores.first)} in place of #{cores.last}" if cores)]
        several = with.size + (cores ? 1 : 0)
        why = case several
              when 1 then "which may be why"
              when 2 then "either of which may be why"
              else "any of which may be why"
              end
        "measured #{parts.join(', ')}#{", #{why}" if only}"
      end,
      "repro_unnamed_only" => "measured with %{used|list}; the source names no version, so " \
                              "another may be why",
      "repro_fewer_cores" => "on %{here|cores}, where the source had %{there}",
      "repro_cores_only" => "on %{here|cores}, where the source had %{there}: that may be why",
      "repro_size_open" => lambda do |values, _|
        edge = "its size is so near an edge of what counts as the same that more rounds would " \
               "not decide it"
        enough_of = enough.call(values, "show it") if values[:rounds]
        size = { "within" => "would count as published",
                 "beyond" => "would differ from the published one" }[values[:alone]]
        next "in the same direction; by the interval alone its size #{size}, but #{together}: " \
             "#{enough_of || edge}" if size

        wide = "the interval is too wide to tell its size: #{enough_of}" if enough_of
        "in the same direction, but #{wide || edge}"
      end,
      "repro_other_size" => lambda do |values, numbers|
        "in the same direction, but #{values[:larger] ? 'larger' : 'smaller'} than published: " \
          "#{between.call(values, numbers)} would count as the same size"
      end,
      "repro_opposite" => ->(values, _) { "the other way round: #{beside.call(values)}" },
      "repro_smaller" => "any difference is much smaller than published",
      "repro_outside" => outside,
      "repro_within" => lambda do |values, numbers|
        range = between.call(values, numbers)
        values[:sized] ? "about as large as published (#{range} counts as the same size)" : range
      end,
      "repro_equal" => "no difference beyond %{margin|exact}",
      "repro_ordered" => lambda do |values, _|
        others = values.fetch(:others, [])
        others = others.map { |one| Report::Numbers.called(one) } unless values[:categories]
        # An earlier mohs stored only that there are some.
        others = ["the rest"] if values[:several]
        "#{beside.call(values)}#{", and than #{Wording.all(others)}" if others.any?}"
      end,
      "repro_rival" => lambda do |values, _|
        "compared with several; shown is the #{values[:farthest] ? 'farthest' : 'nearest'}, " \
          "#{Report::Numbers.called(values[:rival])}"
      end,
      "repro_share_outside" => lambda do |values, numbers|
        "not #{of_shares.call(values, numbers)}"
      end,
      "repro_share_within" => lambda do |values, numbers|
        range = of_shares.call(values, numbers)
        values[:sized] ? "about as published (#{range} counts as that)" : range
      end,
      "repro_unsampled" => "no samples of %{variant|name}",
      "repro_samples" => "%{variant} %{samples|count} in %{boots}",
      "repro_shares" => "of the CPU time, by samples of the servers' stacks " \
                        "(%{samples|list}), all boots together, with its 95 % interval. " \
                        "Sampling slows servers down, so the rates of this run are not valid",
      "repro_averages" => "in parentheses each variant's average over the rounds in " \
                          "which both ran. The ratio compares servers that took turns, so that " \
                          "changes of the machine's speed cancel out. Where two took turns with " \
                          "a third one only, their averages may differ by more, by less, or the " \
                          "other way round",
      "repro_accepted" => "what counts as the same size: the published ratio, divided and " \
                          "multiplied by a factor, which the study sets for each claim " \
                          "(published.yml, tolerance): it is ours, not the source's",
      "repro_after_start" => "on requests/s, p50 and p99 compare the load after these batches, " \
                             "in which the servers took turns, round by round, and those on " \
                             "boot time all boots; the table has the batches, from each " \
                             "server's first request on, of the boots that had them",
      "repro_counts_as_warm" => "a variant is warm after the batch from which the whole interval " \
                                "of its rate is within 2 % of its rate in the second half of " \
                                "the batches. One whose rate has not levelled off in most boots " \
                                "is not warm either",
      "repro_stated" => "%{why}",
      "repro_out_of_size" => lambda do |values, numbers|
        "this size leaves out #{numbers.list(values[:variants])} to save time"
      end,
      "repro_cores" => "needs %{needed} cores, %{here} here",
      "repro_absent" => lambda do |values, _|
        values[:interpreters].map do |one|
          asked, tried, broken, lost = one.values_at(:asked, :tried, :broken, :lost)
          why = "can't be measured: #{lost}" if lost
          why ||= broken ? "can't be used: #{broken}" : "is not installed"
          [asked, why, *("(nor #{tried.join(', ')} in its place)" if tried.any?)].join(" ")
        end.join("; ")
      end,
      "repro_decide" => lambda do |values, numbers|
        "#{numbers.counted(values[:claims], 'undecided claim')}, if " \
          "#{values[:claims] == 1 ? 'its figure holds' : 'their figures hold'}, in about " \
          "#{numbers.duration(values[:seconds])}"
      end,
      "repro_missing" => lambda do |values, numbers|
        rubies, claims = values.values_at(:rubies, :claims)
        with = rubies.one? ? "this Ruby" : "these Rubies"
        "#{numbers.list(rubies)}: not installed. With #{with}, #{claims} more" \
          " #{claims == 1 ? 'claim' : 'claims'} could be tested (mohs finds what " \
          "rbenv, mise, asdf, rvm or chruby has, in /opt/rubies for example)"
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
      "repro_unmeasured" => lambda do |values, _|
        name = Report::Numbers.called(values[:variant])
        case values[:ended]
        when nil then "#{name} was not measured"
        when "finished" then "this run's time was up before the turn of #{name}"
        else "the run ended before the turn of #{name}"
        end
      end,
      "repro_refused" => ended.call("can't run here"),
      "repro_failed" => ended.call("has no figures"),
      "repro_survived" => lambda do |values, numbers|
        boots, fewest, needed = values.values_at(:boots, :fewest, :needed)
        seen = "no crash in #{numbers.counted(boots, 'boot')}"
        seen = "#{seen}, #{fewest} of them of #{values[:variant]}" if fewest < boots
        chance = numbers.percent(values[:bound])
        next "#{seen}: the crash rate is at most #{chance}" unless needed

        "#{seen}: too few, because even a server that crashes in #{chance} of its boots could " \
          "get through that many. #{needed} boots of each server would be enough"
      end,
      "repro_crashed" => lambda do |values, numbers|
        boots = numbers.counted(values[:boots], "boot")
        ended.call("crashed in #{values[:crashes]} of #{boots}").call(values, numbers)
      end,
      "repro_never_beside" => "its variants never ran side by side",
      "repro_no_overhead" => "no overhead: not slower on average than what it is over",
      "repro_no_figure" => "no %{metric}: not recorded, too few requests, or slices that " \
                           "end before waits for a thread do",
      "repro_no_total" => "not known if the longest pauses are counted",
      "repro_added" => lambda do |values, _|
        since = "the claim was added or restated after this run"
        next "#{since}, which has no figures for it" unless values[:of]

        "#{since}, which did not compare these variants by #{values[:quantity]}"
      end,
      "repro_by_interval" => "the claim's range was corrected after this run: judged by whether " \
                             "the interval is within it, without the correction for testing " \
                             "several claims",
      "repro_by_wider_interval" => "the claim's range was corrected after this run: judged by " \
                                   "whether the interval is within it, widened for all claims " \
                                   "of the study together",
      "repro_warming" => "%{variant|name} was not shown to be warm when it was measured, so it " \
                         "has no steady rate to compare",
      "repro_edited" => "judged as the study stated the claim then; it states it otherwise now",
      "repro_deleted" => "judged as the study stated the claim then; it has none like it now",
      "repro_raw" => "needs a run: the source's batches are of single levels",
      "repro_total_outside" => lambda do |values, numbers|
        ends = values[:interval].map { |one| numbers.signed(one) }
        "not if the longest pauses are counted (#{numbers.signed(values[:ratio])} " \
          "[#{ends.join(', ')}])"
      end,
      "repro_total" => "perhaps not if the longest pauses are counted (%{ratio|signed})",
      "repro_few" => lambda do |values, _|
        rounds = values[:rounds]
        "too few rounds to tell: #{rounds}, and #{values[:needed]} are the fewest"
      end,
      "repro_overheads" => "means of the rounds' differences in microseconds, each with its own " \
                           "interval. A claim is judged by the ratio above, which compares its " \
                           "two sides within each round, so anything that slows down a whole " \
                           "round cancels out. It is therefore more precise than these " \
                           "intervals, and is not one mean divided by the other",
      "repro_rounds" => lambda do |values, _|
        why = values[:alone] ? "the interval alone would decide it, but #{together}" \
                             : "too few rounds to tell"
        what = { true => "contradict it",
                 false => values[:direction] ? "confirm its direction" : "confirm it" }
        what = what[values[:against]]&.then { |one| "#{one} if this figure holds" }
        "#{why}: #{enough.call(values, what || 'decide it')}"
      end,
      "repro_noisy" => lambda do |values, _|
        next "too uncertain: even 1 000 rounds would not narrow the interval enough" \
          if values[:wide]

        "too close to call: more than 1 000 rounds would be needed to decide it"
      end,
      "repro_no_batches" => lambda do |values, numbers|
        sizes = values[:sizes].map { |size| "--#{size}" }
        next "no batches: the study has no cold start (cold_start in study.yml)" if sizes.empty?

        "no batches: #{numbers.list(sizes)} #{sizes.one? ? 'records' : 'record'} a cold start"
      end,
      "repro_warm" => lambda do |values, _|
        values[:levels].map do |level|
          "the rate of #{level[:variant]} #{levelled.call(level[:trials])}"
        end.join("; ")
      end,
      "repro_short" => "%{variant|name} has no rate between the first %{within|count} " \
                       "batches and the second half",
      "repro_settling" => lambda do |values, numbers|
        change = Report::Change.new({ effect: values[:ratio], interval: values[:interval] })
        more = change.more? ? "more" : "less"
        less = [change.signed.delete("+-"), more, *change.interval].join(" ")
        batches = numbers.counted(values[:batches], "batch", "batches")
        "after #{batches} #{values[:variant]} served #{less} than in the second half"
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
      "repro_no_code" => "%{variant|name} saves no code that tells its versions (MJIT under " \
                         "--jit-save-temps does)",
      "repro_versions" => lambda do |values, numbers|
        counts, method = values.values_at(:versions, :method)
        method = method ? "`#{method}`" : "the method with the most versions"
        jit = "the JIT of #{Report::Numbers.called(values[:variant])}"
        next "#{jit} compiled #{method} #{numbers.list(counts)} times, boot by boot" \
          unless counts.uniq.one?

        boots = counts.one? ? "in one boot" : "in each of #{counts.size} boots"
        "#{jit} compiled #{method} #{times.call(counts.first)} #{boots}"
      end,
      "repro_few_boots" => lambda do |values, _|
        claimed, boots = values.values_at(:claimed, :boots)
        as = claimed ? "as claimed" : "not as claimed" unless claimed.nil?
        boots = Report::Numbers.counted(boots, "boot") if boots
        "#{[*as, *boots].join(', but ')} can agree by chance: mohs judges such a count from " \
          "#{values[:needed]} boots on"
      end,
      "repro_single" => "too few trials to compare",
    }.freeze
  end
end
