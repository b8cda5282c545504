# frozen_string_literal: true

module Mohs
  module Report
    module Words
      # Templates of a tuning (Report::Phrase): its one-sentence answer, then the texts about its
      # settings.
      CURES = { "rare" => ", or a limit on p90", "tighter" => ", or a tighter limit" }.freeze
      private_constant :CURES

      Tunings = {
        "tune_use" => "%{name} serves %{rate} requests a second with %{limit}%{bracket}" \
                      "%{gain_clause}%{memory_clause}.",
        "tune_use_unsure" => "Undecided%{boots_clause}: %{name} serves most, %{rate} requests " \
                             "a second with %{limit}%{bracket}%{gain_clause}%{memory_clause}.",
        "tune_keep" => "Keep %{name}: it serves %{rate} requests a second with " \
                       "%{limit}%{bracket}, and no other setting that %{others} served at " \
                       "least %{margin|exact} more.",
        "tune_enough" => "%{name} is enough for %{wanted} requests a second with %{limit}: it " \
                         "serves %{rate}%{bracket}, and no cheaper setting that %{others} is " \
                         "certainly enough%{present_clause}.",
        "tune_keep_enough" => "Keep %{name}: it is enough for %{wanted} requests a second with " \
                              "%{limit}. It serves %{rate}%{bracket}, and no cheaper setting " \
                              "that %{others} is certainly enough.",
        "tune_present_enough" => "; %{present} is enough, too%{memory_clause}",
        "tune_present_less" => "; %{present} is not",
        "tune_present_unsure" => "; %{present} may be",
        "tune_not_enough" => "No setting that %{others} serves %{wanted} requests a second with " \
                             "%{limit}: %{name} serves most, %{rate}%{bracket}.",
        "tune_enough_unsure" => "No setting that %{others} certainly serves %{wanted} requests " \
                                "a second with %{limit}: %{name} serves most, " \
                                "%{rate}%{bracket}.",
        "tune_likely" => "Undecided: %{name} seems to be the cheapest setting that is enough " \
                         "for %{wanted} requests a second with %{limit}: it served " \
                         "%{rate}%{bracket}, but%{why}.",
        "tune_gain_none" => ", a limit that %{present} did not meet on every boot, at any rate " \
                            "that was tried",
        "tune_short_searches" => lambda do |values, numbers|
          searched, needed = values.values_at(:searched_s, :needed_s)
                                   .map { |time| numbers.duration(time) }
          "searches of #{searched} are too short for this limit at such rates: the rates come " \
            "out too high. Searches of #{needed} are long enough: --budget " \
            "#{numbers.rough_option(values[:budget_s])}#{CURES[values[:cure]]}"
        end,
        "tune_little_time" => lambda do |values, numbers|
          search, needed = values.values_at(:search_s, :needed_s)
                                 .map { |time| time && numbers.duration(time) }
          boots = "#{numbers.counted(values[:boots], 'boot')} of #{values[:settings]} settings"
          time = search ? "searches of only #{search} on #{boots}" : "no searches on #{boots}"
          "if the race takes its half of the time, the rest has room for #{time}. " \
            "#{values[:limit]} at #{numbers.figure(values[:rate])} requests a second takes " \
            "#{needed} for each: --budget #{numbers.rough_option(values[:budget_s])}, fewer " \
            "--settings#{CURES[values[:cure]]}"
        end,
        "tune_few_boots" => lambda do |values, numbers|
          boots = numbers.counted(values[:boots], "boot")
          "there was time for searches on only #{boots} of each setting, and rates differ from " \
            "boot to boot. For #{values[:needed]} boots: --budget " \
            "#{numbers.rough_option(values[:budget_s])}, or fewer --settings"
        end,
        "tune_slow_race" => lambda do |values, numbers|
          names = values[:names]
          "#{numbers.list(names)} served more within the limit than before with all threads " \
            "busy: the machine was slower during the race. Compare rates within the race, or " \
            "within the searches"
        end,
        "busy_host" => "other processes took %{share|percent} of the CPU: rates are lower than " \
                       "without them, and vary more. Close what else runs here",
        "tune_gain" => ": %{change}%{interval}",
        "tune_gain_unsure" => ": %{change}%{interval}, which may be chance",
        "tune_measured" => "mohs tune measured %{rate} requests a second with %{limit} " \
                           "(run %{run})",
        "tune_measured_unsure" => "mohs tune measured %{rate} requests a second with %{limit}, " \
                                  "which may be no more than before by chance (run %{run})",
        "tune_check" => lambda do |values, numbers|
          few = values[:few_boots]
          why = ": #{numbers.counted(few, 'boot')} of each can't tell" if few
          { true => "the present setting is among the best (status 0)",
            false => "the present setting is not among the best (status 10)",
            nil => "whether the present setting is among the best is not known (status 11)#{why}" }
            .fetch(values[:best])
        end,
        "tune_none" => "No setting met %{limit} on every boot, at any rate that was tried.",
        "tune_none_fits" => "No setting that was searched fits into the memory.",
        "tune_all_too_large" => "No setting fits into the memory: %{name} needs least, " \
                                "%{megabytes|count} MB.",
        "tune_nobody" => "No setting could be measured.",
        "tune_racing" => "%{leader} serves most with all threads busy, %{rate} requests a " \
                         "second%{bracket}; %{left} of %{of} settings are left after %{rounds}.",
        "tune_opening" => "%{leader} serves most with all threads busy, %{rate} requests a " \
                          "second%{bracket}%{gain_clause}; %{follow} to come.",
        "tune_cut" => "%{names}: no time to race them further after %{rounds}; use a longer " \
                      "--budget",
        "tune_dropped" => "dropped after %{rounds} rounds: %{leader} serves %{change} more with " \
                          "all threads busy",
        "tune_beyond" => lambda do |values, numbers|
          times = values[:times]
          first, *others = values[:settings].map do |one|
            offered, answered = [times, one[:share]].map { |by| numbers.figure(by * one[:rate]) }
            verb = one[:collapses] ? "collapsed to" : "answered"
            "#{one[:name]} #{verb} #{answered} of #{offered}"
          end
          "offered #{times} times its rate: #{["#{first} requests a second", *others].join(', ')}"
        end,
        "tune_plan" => lambda do |values, numbers|
          race, search = values.values_at(:race_s, :search_s).map { |time| numbers.duration(time) }
          settings, boots = values.values_at(:settings, :boots)
          "up to #{race} for the race, then about #{search}, booting included, for each of " \
            "#{settings * boots} searches (#{numbers.counted(settings, 'setting')}, #{boots} " \
            "boots of each)"
        end,
        "tune_searches" => lambda do |values, numbers|
          cut = "the race has had its half of the time; " if values[:cut]
          boots = numbers.counted(values[:boots], "boot")
          "#{cut}now the highest rate of #{values[:names]}: a search of " \
            "#{numbers.duration(values[:search_s])} on each of #{boots}"
        end,
        "tune_shrinks" => "no time to race all that are left to a decision: %{names} go on",
        "tune_waiting" => lambda do |values, numbers|
          fit = numbers.short(values[:fit])
          next "a request hardly waits (#{numbers.percent(values[:share])} of its time): more " \
               "threads take turns on a core" if values[:hardly]

          "a request waits for #{numbers.percent(values[:share])} of its time (for a database, " \
            "say): #{fit} requests fit into a process; more threads wait for each other"
        end,
        "tune_unsearched" => "%{names}: in the race to its end, but only those that served most " \
                             "were searched (--settings names fewer)",
        "tune_step_vague" => "%{name} is too uncertain to say",
        "tune_step" => "%{name} serves %{change}%{interval}",
        "tune_step_none" => "%{name} did not meet %{limit} on every boot, at any rate that was " \
                            "tried",
        "tune_threads" => lambda do |values, numbers|
          levels = values[:levels]
          rates = levels.map { |one| numbers.whole(one[:measured_per_s][:value]) }
          bounds = levels.map { |one| one[:predicted_per_s] }
          predicted = " (predicted from one thread alone: " \
                      "#{bounds.map { |one| numbers.whole(one) }.join(', ')})"
          "#{numbers.counted(values[:processes], 'process', 'processes')} of " \
            "#{levels.map { |one| one[:threads] }.join(', ')} threads: #{rates.join(', ')} " \
            "requests a second with all threads busy#{predicted if bounds.all?}"
        end,
        "tune_usl" => lambda do |values, numbers|
          peak, highest = values.values_at(:peak, :highest)
          seen = peak ? "a peak at #{numbers.short(peak)} threads" : "no peak seen up to #{highest}"
          "more threads (USL): contention #{values[:contention]}, coherency " \
            "#{values[:coherency]}; #{seen}#{' threads' unless peak}"
        end,
        "tune_usl_vague" => "more threads (USL): the rates vary too much for an estimate",
        "tune_turns" => lambda do |values, numbers|
          "#{values[:names]}: more processes than the server's " \
            "#{numbers.counted(values[:cores], 'core')} take turns: what they serve shows how " \
            "the kernel shares a core, not what a larger machine would serve"
        end,
        "more_processes_than_cores" => "more than its %{cores} cores: they would take turns " \
                                       "here; judge them on a machine with more",
        "more_processes_than_quota" => "more than the cores that a cgroup gives (%{cores|short})",
        "tune_cgroup" => lambda do |values, numbers|
          cores, processes = values.values_at(:cores, :processes)
          "a cgroup gives #{numbers.short(cores)} core#{'s' unless cores == 1}: settings up to " \
            "#{numbers.counted(processes, 'process', 'processes')}"
        end,
        "needs_more_memory" => lambda do |values, numbers|
          needed, limit = values.values_at(:needed_bytes, :limit_bytes)
                                .map { |bytes| numbers.whole(bytes / Numbers::MEGABYTE) }
          source = values[:by] == "cgroup" ? "a cgroup gives" : "--memory is"
          "needs #{needed} MB at rest, and #{source} #{limit} MB"
        end,
        "search_spoiled" => "its search gave no rate: the load generator could not send as " \
                            "requests fell due, so what it measured is not the server's (a busy " \
                            "machine: mohs doctor)",
        "search_undecided" => "its search gave no rate: the time was too short for that",
        "tune_no_rate" => "No setting that was searched has a rate: see below.",
        "memory_unknown" => "its memory is not known, and --memory limits it",
        "exceeds_memory" => "%{processes} processes need more than the memory given",
        "pool_below_threads" => "the database pool: %{pool} connections for %{threads} threads " \
                                "of a process (%{names}); raise pool in config/database.yml",
      }.freeze
    end
  end
end
