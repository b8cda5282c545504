# frozen_string_literal: true

module Mohs
  module Tune
    # Changes of the limit for which shorter searches would do (Cautions).
    CURES = { "rare" => "a limit on p90", "tighter" => "a shorter time in --limit" }.freeze

    # With more names than this in a sentence, it says how many.
    MOST_NAMES = 3
    private_constant :CURES, :MOST_NAMES

    # Templates of a tuning (Report::Render): why a server ended, its one-sentence answer, then the
    # texts about its settings.
    Templates = {
      "stopped_in_search" => "no correct response any more while its highest rate was searched",
      "tune_use" => "%{name} serves %{rate} requests a second with %{limit}%{bracket}" \
                    "%{gain_clause}%{memory_clause}.",
      "tune_undecided" => lambda do |values, numbers|
        few = values[:few_boots]
        few ? "undecided after only #{numbers.counted(few, 'boot')}" : "undecided"
      end,
      "tune_use_unsure" => lambda do |values, numbers|
        opening = Wording.capital(Templates.fetch("tune_undecided").call(values, numbers))
        opening = "#{opening}, so keep #{values[:keep]} for now" if values[:keep]
        "#{opening}#{values[:keep] ? '.' : ':'} #{values[:name]} serves #{values[:rate]} " \
          "requests a second with #{values[:limit]}" \
          "#{values.values_at(:bracket, :gain_clause, :memory_clause).join}." \
          "#{values[:race_clause]}"
      end,
      "tune_raced" => " With all threads busy %{name} serves %{change} %{interval}: above " \
                      "%{rate} requests a second %{present} holds no limit.",
      "tune_keep_unsure" => lambda do |values, numbers|
        undecided = Wording.capital(Templates.fetch("tune_undecided").call(values, numbers))
        "#{undecided}, so keep #{values[:name]} for now: it serves #{values[:rate]} requests a " \
          "second with #{values[:limit]}#{values[:bracket]}."
      end,
      "tune_so_far" => lambda do |values, numbers|
        done, planned = values[:boots]
        "After #{done} of #{numbers.counted(planned, 'boot')}, #{values[:name]} serves " \
          "#{values[:rate]} requests a second with #{values[:limit]}" \
          "#{values.values_at(:bracket, :gain_clause, :memory_clause).join}."
      end,
      "tune_keep" => "Keep %{name}: it serves %{rate} requests a second with " \
                     "%{limit}%{bracket}, and no other setting that %{others} served at " \
                     "least %{margin|exact} more.",
      "tune_enough" => "%{name} is enough for %{wanted} requests a second with %{limit}: it " \
                       "serves %{rate}%{bracket}, and no cheaper setting that %{others} is " \
                       "certain to be enough%{present_clause}.",
      "tune_keep_enough" => "Keep %{name}: it is enough for %{wanted} requests a second with " \
                            "%{limit}. It serves %{rate}%{bracket}, and no cheaper setting " \
                            "that %{others} is certain to be enough.",
      "tune_present_enough" => "; %{present} is also enough%{memory_clause}",
      "tune_present_less" => "; %{present} is not",
      "tune_present_unsure" => "; %{present} may be",
      "tune_not_enough" => "No setting that %{others} serves %{wanted} requests a second with " \
                           "%{limit}: %{name} serves the most, %{rate}%{bracket}.",
      "tune_enough_unsure" => "No setting that %{others} is certain to serve %{wanted} " \
                              "requests a second with %{limit}: %{name} has the highest rate, " \
                              "%{rate}%{bracket}.",
      "tune_likely" => lambda do |values, numbers|
        boots = values[:boots]
        few = boots < Result::ROUNDS
        why = "its rate varies too much from boot to boot"
        why = "its searches were too short" if values[:short]
        why = "it was searched on only #{numbers.counted(boots, 'boot')}" if few
        "Undecided: #{values[:name]} may be the cheapest setting that serves " \
          "#{values[:wanted]} requests a second with #{values[:limit]}: it served " \
          "#{values[:rate]}#{values[:bracket]}, but #{why}."
      end,
      "tune_gain_none" => ", a limit that %{present} did not meet on every boot, at any rate " \
                          "that was tried",
      "tune_budgets" => lambda do |values, numbers|
        least, most = values.values_at(:least_s, :budget_s)
                            .map { |time| time && numbers.typed(budget_s: time) }
        least = nil if least == most
        all = "#{most} for #{values[:settings]}" if most
        budgets = [*("#{least} for two settings" if least), *(least ? all : most)].join(", ")
        [*(budgets unless budgets.empty?), *CURES[values[:cure]]].join(", or ")
      end,
      "tune_short_searches" => lambda do |values, numbers|
        searched, needed = values.values_at(:searched_s, :needed_s)
                                 .map { |time| numbers.duration(time) }
        budgets = Templates.fetch("tune_budgets").call(values, numbers)
        of = " of #{numbers.list(values[:names])}" if values[:names]
        "searches of #{searched} are too short for this limit at these rates, so the " \
          "rates#{of} are overestimates. Searches need #{needed}" \
          "#{": #{budgets}" unless budgets.empty?}"
      end,
      "tune_little_time" => lambda do |values, numbers|
        needed = numbers.duration(values[:needed_s])
        settings, searchable, limit = values.values_at(:settings, :searchable, :limit)
        budgets = Templates.fetch("tune_budgets").call(values, numbers)
        if searchable >= Result::FEW
          all = ". For all #{settings}: #{budgets}" unless budgets.empty?
          next "a search takes about #{needed} here with #{limit}, on up to #{values[:boots]} " \
               "boots of each setting, so this budget is enough for #{searchable} settings, " \
               "the present one and the best#{all}"
        end

        count = ". To count them: #{budgets}" unless budgets.empty?
        long = "a search takes about #{needed} here with #{limit}, too long for this budget"
        if values.key?(:times)
          why = Templates.fetch("tune_unmodelled").call(values, numbers)
          next "#{long}, and #{why}, so no rate within the limit will be known#{count}"
        end

        "#{long}, so the rates within the limit will follow from those with all threads busy, " \
          "by the model of a queue#{count}"
      end,
      "tune_unmodelled" => lambda do |values, numbers|
        next "no setting of 1 process and 1 thread shows how long requests take by " \
             "themselves" unless values[:longest_ms]

        "the limit is less than #{values[:times]} times the longest request (" \
          "#{numbers.ms(1e6 * values[:longest_ms])}), too near for the model of a queue"
      end,
      "tune_no_model" => lambda do |values, numbers|
        "no rate with #{values[:limit]} is known: searches would take too long, and " \
          "#{Templates.fetch('tune_unmodelled').call(values, numbers)}. Settings are compared " \
          "by what they serve with all threads busy"
      end,
      "tune_modelled_rate" => " by the model of a queue",
      "tune_measured_model" => "mohs tune expects %{rate} requests a second with %{limit}, " \
                               "from the rate with all threads busy, by the model of a queue " \
                               "(run %{run})",
      "tune_by_model" => lambda do |values, numbers|
        needed = numbers.duration(values[:needed_s]) if values[:needed_s]
        low, high = numbers.short(values[:low] * 100), numbers.percent(values[:high])
        "#{"a search would take #{needed}, too long to be repeated, so " if needed}the rates " \
          "follow from those with all threads busy: of that of #{values[:name]} a queue of " \
          "requests at random moments leaves #{low} to #{high} usable " \
          "with #{values[:limit]}, whatever the order in which it is served"
      end,
      "tune_checked" => "a single search agrees with the model: %{found} requests a second",
      "tune_model_contradicted" => "a search of %{name} found %{rate_per_s|figure} requests a " \
                                   "second, but by the model of a queue it would be " \
                                   "%{low|figure} to %{high|figure}: so no rate here is from " \
                                   "the model",
      "tune_few_boots" => lambda do |values, numbers|
        boots = numbers.counted(values[:boots], "boot")
        budget = "#{numbers.typed(**values.slice(:budget_s))} or " if values[:budget_s]
        "there was only time to search each setting on #{boots}, and rates vary from boot to " \
          "boot. For #{values[:needed]} boots use #{budget}fewer --settings"
      end,
      "tune_slow_race" => lambda do |values, numbers|
        "#{numbers.list(values[:names])} served more within the limit than with all threads " \
          "busy in the race: the machine was probably slower then. Don't compare rates of the " \
          "race with rates of the searches"
      end,
      "tune_open_rates" => lambda do |values, numbers|
        bounds = Templates.fetch("tune_unknown_bounds").call(values, numbers)
        it = values[:names].one? ? "it" : "they"
        "#{bounds}: #{it} may serve more than #{values[:best]}. A tighter --limit may tell"
      end,
      "tune_unknown_early" => "the searches are not over",
      "tune_unknown_few" => lambda do |values, numbers|
        "#{numbers.counted(values[:boots], 'boot')} of each setting is not enough"
      end,
      "tune_unknown_bounds" => lambda do |values, numbers|
        names = numbers.list(values[:names])
        next "the rate of #{names} is only a bound" if values[:names].one?

        "the rates of #{names} are only bounds"
      end,
      "tune_unknown_rate" => "what %{present} serves is not known well enough",
      "tune_unknown_search" => "a search gave no rate",
      "tune_unknown_best" => "no setting is recommended",
      "tune_present_pool" => "%{present} has %{pool} database connections for %{threads} " \
                             "threads: with a larger pool (pool: in config/database.yml, " \
                             "or Sequel's max_connections:) it may serve more",
      "busy_host" => "other processes took %{share|percent} of the CPU: this lowers the rates " \
                     "and makes them vary more. Stop other programs",
      "tune_gain" => ": %{change}%{interval}",
      "tune_gain_least" => ": at least %{change} (95 % confidence)",
      "tune_gain_least_so_far" => ": at least %{change}",
      "tune_gain_open" => ", which may be no more than %{present} serves",
      "tune_gain_of_bound" => ", which may be no more than %{present} serves (at least %{rate})",
      "tune_gain_unknown" => ", not compared with %{present} (a search gave no rate)",
      "tune_gain_unsure" => ": %{change}%{interval}, which may be chance",
      "tune_measured" => "mohs tune measured %{rate} requests a second with %{limit} " \
                         "(run %{run})",
      "tune_measured_unsure" => "mohs tune measured %{rate} requests a second with %{limit}, " \
                                "but the gain may be chance (run %{run})",
      "tune_measured_early" => "mohs tune measured %{rate} requests a second with %{limit}, " \
                               "before the searches were over (run %{run})",
      "tune_measured_short" => "The searches were too short for this limit: the rate is too " \
                               "high.",
      "tune_preloads" => "%{file} seems to preload the application, so settings with several " \
                         "processes do, too",
      "tune_not_preloaded" => lambda do |values, numbers|
        preloaded = numbers.typed(variants: "#{values[:server]} preload")
        "measured without preloading; #{preloaded} measures it preloaded"
      end,
      "tune_proxy" => lambda do |values, numbers|
        "assumes #{numbers.counted(values[:connections], 'connection')}, one per thread: more " \
          "requests wait outside, as at a proxy that opens no more. If yours keeps more open, " \
          "the rate may be lower (mohs docs tune says how to measure it)"
      end,
      "tune_preload_differs" => lambda do |values, numbers|
        present, names = values.values_at(:present, :names)
        names = names.size > MOST_NAMES ? "#{names.size} others" : numbers.list(names)
        before, after = [present, names]
        before, after = after, before unless values[:preloaded]
        remedy = ". #{numbers.typed(variants: 'puma preload')} preloads all but #{present}" if
          values[:preloaded] && values[:all]
        "the server of #{before} loaded the application before it forked, that of #{after} " \
          "after that: part of the difference in memory, and perhaps in rates, is due to " \
          "this#{remedy}"
      end,
      "tune_measured_open" => "mohs tune measured %{rate} requests a second with %{limit}, " \
                              "which may not be enough (run %{run})",
      "tune_check" => lambda do |values, numbers|
        most = values[:most_gain]
        open = ", which may serve up to #{numbers.percent(most)} more" if most
        worse = "more than #{numbers.exact_percent(values[:margin])} worse than the best"
        { true => "the present setting was not shown to be #{worse}#{open} (status 0)",
          false => "the present setting is worse than the best (status 10)",
          nil => "whether the present setting is #{worse} is not known (status 11): " \
                 "#{values[:why]}" }
          .fetch(values[:best])
      end,
      "tune_check_memory" => "the present setting needs more memory than allowed (status 10)",
      "tune_check_rate" => lambda do |values, _|
        wanted = "#{values[:wanted]} requests a second"
        { true => "the present setting serves #{wanted}, and the recommended one does not need " \
                  "clearly less memory (status 0)",
          false => "the present setting does not serve #{wanted}, or needs clearly more " \
                   "memory than the recommended one (status 10)",
          nil => "whether the present setting serves #{wanted}, with no more memory than the " \
                 "recommended one, is not known (status 11): #{values[:why]}" }
          .fetch(values[:best])
      end,
      "tune_none" => "No setting met %{limit} on every boot, at any rate that was tried.",
      "tune_none_fits" => "No setting that was searched fits into the allowed memory.",
      "tune_memory_unknown" => "No setting is known to fit into the allowed memory: see below.",
      "tune_all_too_large" => "No setting that was measured fits into the allowed memory: " \
                              "%{name} needs the least, %{megabytes|count} MB.",
      "tune_nobody" => "No setting could be measured.",
      "tune_nobody_else" => "No setting could be measured: the responses of the first ones " \
                            "were refused, and others would serve the same.",
      "tune_racing" => "%{leader} serves the most with all threads busy, %{rate} requests a " \
                       "second%{bracket}; %{left} of %{of} settings are left after %{rounds}.",
      "tune_opening" => "%{leader} serves the most with all threads busy, %{rate} requests a " \
                        "second%{bracket}%{gain_clause}; %{follow} not measured yet.",
      "tune_on_boots" => lambda do |values, numbers|
        next " on its only boot so far" if values[:boots] == 1

        " over its first #{numbers.counted(values[:boots], 'boot')}"
      end,
      "tune_same" => "%{names}: the same as %{present}, so not raced further",
      "tune_cut" => "%{names}: left the race after %{rounds} for lack of time; use a longer " \
                    "--budget",
      "tune_dropped" => "dropped after %{rounds} rounds: %{leader} serves %{change} more with " \
                        "all threads busy",
      "tune_beyond" => lambda do |values, numbers|
        times = values[:times]
        first, *others = values[:settings].map do |one|
          offered, answered = [times, one[:share]].map { |by| numbers.figure(by * one[:rate]) }
          verb = one[:collapses] ? "collapsed to" : "served"
          "#{one[:name]} #{verb} #{answered} of #{offered}"
        end
        at = "at #{times} times #{others.empty? ? 'its rate' : 'their rates'}"
        "#{at}: #{["#{first} requests a second", *others].join(', ')}"
      end,
      "tune_plan" => lambda do |values, numbers|
        race, search = values.values_at(:race_s, :search_s).map { |time| numbers.duration(time) }
        settings, boots = values.values_at(:settings, :boots)
        fewer = "; fewer settings if searches need longer" if settings > Result::FEW
        "up to #{race} for the race, then #{settings * boots} searches " \
          "(#{numbers.counted(settings, 'setting')}, #{boots} boots each) of about #{search}, " \
          "boot included#{fewer}"
      end,
      "tune_searches" => lambda do |values, numbers|
        cut = "the race ends undecided, to leave time for searches; " if values[:cut]
        boots = numbers.counted(values[:boots], "boot")
        next "#{cut}now one search each of #{values[:names]} " \
             "(#{numbers.duration(values[:search_s])}) checks the rates that follow from the " \
             "race" if values[:boots] < Result::ROUNDS

        "#{cut}now searching for the highest rate of #{values[:names]}: " \
          "#{numbers.duration(values[:search_s])} on #{boots} each"
      end,
      "tune_shrinks" => "for lack of time the race continues with %{names} alone",
      "tune_waiting" => lambda do |values, numbers|
        fit = numbers.short(values[:fit])
        next "requests hardly wait (#{numbers.percent(values[:share])} of their time), so more " \
             "threads would only compete for a core" if values[:hardly]

        "a request waits for #{numbers.percent(values[:share])} of its time (for a database, " \
          "say): a process can serve #{fit} requests at a time; further threads wait for " \
          "each other"
      end,
      "tune_unsearched" => "%{names}: still in the race at its end, but not searched (use a " \
                           "longer --budget, or fewer --settings)",
      "tune_faster_memory" => "%{most} serves %{change}%{interval}, but needs " \
                              "%{megabytes|count} MB more memory",
      "tune_faster_threads" => "%{most} serves %{change}%{interval}, but has more threads",
      "tune_faster_present" => "%{most} serves %{change}%{interval}: too little to change the " \
                               "present setting for",
      "tune_further" => "would probably show a gain of %{change} or more",
      "tune_step_vague" => "%{name}: too uncertain to tell",
      "tune_step" => lambda do |values, _|
        chance = " (may be chance)" unless values[:sure]
        "#{values[:name]} serves #{values[:change]}#{values[:interval]}#{chance}"
      end,
      "tune_step_none" => "%{name} did not meet %{limit} on every boot, at any rate that was " \
                          "tried",
      "tune_threads" => lambda do |values, numbers|
        levels = values[:levels]
        rates = levels.map { |one| numbers.whole(one[:measured_per_s][:value]) }
        bounds = levels.map { |one| one[:predicted_per_s] }
        predicted = " (predicted from one thread alone: " \
                    "#{bounds.map { |one| numbers.whole(one) }.join(', ')})"
        "#{numbers.counted(values[:processes], 'process', 'processes')} with " \
          "#{levels.map { |one| one[:threads] }.join(', ')} threads each: #{rates.join(', ')} " \
          "requests a second with all threads busy#{predicted if bounds.all?}"
      end,
      "tune_turns" => "%{names}: more processes than the server has cores (%{cores}): their " \
                      "rates show how the kernel shares a core, not what a larger machine " \
                      "would serve",
      "more_processes_than_cores" => "more than the server's %{cores} cores: they would take " \
                                     "turns. Test them on a machine with more cores",
      "more_processes_than_quota" => "more than the cgroup's CPU quota (%{cores|short} cores)",
      "tune_cgroup" => lambda do |values, numbers|
        cores, processes = values.values_at(:cores, :processes)
        "the cgroup's CPU quota is #{numbers.short(cores)} core#{'s' unless cores == 1}: " \
          "settings have at most #{numbers.counted(processes, 'process', 'processes')}"
      end,
      "needs_more_memory" => lambda do |values, numbers|
        needed, limit = values.values_at(:needed_bytes, :limit_bytes)
                              .map { |bytes| numbers.whole(bytes / Report::Numbers::MEGABYTE) }
        source = values[:by] == "cgroup" ? "the cgroup's limit is" : "--memory is"
        "needs #{needed} MB at rest, and #{source} #{limit} MB"
      end,
      "search_spoiled" => "its search gave no rate: the load generator could not send " \
                          "requests on time, so its figures don't describe the server (a busy " \
                          "machine? See mohs doctor)",
      "search_undecided" => "its search gave no rate: it was too short",
      "tune_no_rate" => "No setting that was searched has a rate: see below.",
      "memory_unknown" => "its memory is unknown, so it may exceed --memory",
      "pool_below_threads" => lambda do |values, _|
        "the database pool: #{values[:pool]} connections for " \
          "#{values[:threads].uniq.join(' to ')} threads per process (#{values[:names]}); " \
          "raise pool: in config/database.yml, or Sequel's max_connections:"
      end,
    }.freeze
  end
end
