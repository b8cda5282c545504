# frozen_string_literal: true

module Mohs
  module Report
    # The templates (Report::Render) of Analysis's findings, by code, together with those of
    # one-sentence answers (Templates::Sentences), loads (Templates::Loads), imports
    # (Templates::Imports) and the procedures (Tune::Templates, Track::Templates, Gate::Templates).
    module Templates
      # Templates of one-sentence answers: of a run, a comparison (`compare_`) and a bisection
      # (`bisect_`). Values whose names end in `_clause` are phrases of their own, or empty.
      Sentences = {
        "run_nothing_yet" => "Nothing has been measured yet.",
        "run_unmet" => "Nothing to measure: %{reason}.",
        "run_none" => "Nothing was measured: none of %{count} variants could be. %{first}.",
        "run_unmeasured" => "%{variant|name} could not be measured (%{state}): %{reason}",
        "failed" => "; failed requests: %{shares}",
        "run_alone" => "%{variant|name} %{verb} %{rate|number} %{unit} a second%{interval_clause}" \
                       "%{memory_clause}%{errors_clause}",
        "run_alone_memory" => ", in %{megabytes|number} MB of memory",
        "run_only_baseline" => "%{alone}; %{rest}.",
        "run_others_waiting" => "the others have not been reached yet",
        "run_baseline_failed" => "No verdict: %{unmeasured}.",
        "run_baseline_waiting" => "No verdict: the baseline, %{baseline|name}, has not been " \
                                  "measured yet.",
        "run_none_faster" => "Nothing here is faster than %{baseline|name}.",
        "run_none_faster_but" => "Nothing here is faster than %{baseline|name}: " \
                                 "%{serves}%{bracket}%{errors_clause}.",
        "run_winner" => "%{serves}%{than_clause}%{memory_clause}%{errors_clause}%{tied_clause}" \
                        "%{ahead_clause}.",
        "run_slower" => "%{serves}%{than_clause}%{errors_clause}.",
        "run_serves" => "%{variant|name} %{verb} %{more} %{unit} a second",
        "run_tied" => "; %{names} may be just as fast as %{variant|name}",
        "run_ahead" => "; %{names} may be faster still, but %{verb} undecided",
        "run_ended" => "No verdict where a server ended: %{reasons}",
        "run_slowed" => "No verdict where a server was busy between its own measurements: " \
                        "%{reasons}",
        "run_memory" => ", for %{megabytes|number} MB %{direction} memory",
        "run_all_equivalent" => "All %{count} are equal within %{margin|exact}%{errors_clause}.",
        "run_equivalent" => "%{variant|name} and %{baseline|name} are equal within " \
                       "%{margin|exact} (%{unit}/s %{change} %{interval})%{errors_clause}.",
        "run_too_noisy" => "Undecided: %{variant|name} differed too much from round to round to " \
                          "be compared with %{baseline|name}, after %{rounds}.",
        "run_undecided" => "Undecided: %{variant|name} is between %{low} and %{high} than " \
                           "%{baseline|name} after %{rounds}%{steadier_clause}" \
                           "%{errors_clause}.%{others_clause}",
        "run_others_one" => " Also undecided, with an interval of its own: %{names}.",
        "run_others_many" => " Also undecided, with intervals of their own: %{names}.",
        "run_others_early" => " Too few rounds for an interval: %{names}.",
        "run_no_interval" => "Undecided: an interval needs %{needed} rounds; %{done} %{verb} " \
                             "done%{hint_clause}.",

        "compare_differs" => "%{provisional}B, %{b}, %{phrase} A, %{a} %{bracket}%{errors_clause}.",
        "compare_equivalent" => "%{provisional}A and B are equal within %{margin|exact} " \
                           "(%{metric} %{change} %{interval})%{errors_clause}.",
        "compare_invalid" => "No verdict: %{reason}.",
        "compare_side" => "B, %{b}, is on the %{side} side: %{metric} %{change} against A, %{a}, " \
                          "the good end.",
        "compare_undecided" => "Undecided%{between} after %{seconds}%{errors_clause}." \
                               "%{forecast_clause}",
        "compare_quick" => "Undecided so far (%{seconds})%{between}%{errors_clause}." \
                           "%{forecast_clause}",
        "compare_unlooked" => "Undecided: %{so_far}%{why}%{errors_clause}.",
        "compare_precise" => "Undecided to the requested precision%{between} after %{seconds}.",
        "compare_gated" => "Undecided which is faster%{between} after %{seconds}: measured until " \
                           "the gates were decided.",
        "compare_open_nothing" => "%{stopped}: not one cohort is done, so nothing is known.",
        "compare_open" => "%{stopped}, after %{cohorts}%{between}.",
        "compare_open_early" => "%{stopped}, after %{cohorts}: an interval needs %{needed}.",
        "compare_between" => ": B, %{b}, is between %{low} and %{high} than A, %{a}",

        "bisect_found" => "%{culprit} made it slower: %{figures}.",
        "bisect_contradicted" => "No culprit: the search led to %{culprit}, but compared with " \
                                 "the one before it, it is not slower: %{figures}. Several small " \
                                 "steps, or speed that varies by itself: try again.",
        "bisect_unconfirmed" => "%{culprit} seems to have made it slower, but that was not " \
                                "confirmed: %{figures}.%{why}",
        "bisect_none" => "No culprit: %{ends} don't differ (%{figures}).",
        "bisect_none_faster" => "No culprit: %{bad} is not slower than %{good} (%{figures}).",
        "bisect_range" => "It got slower in %{range}: those before the last can't be measured " \
                          "(%{figures}).",
        "bisect_invalid" => "No verdict: the ends can't be compared.%{why}",
        "bisect_interrupted" => "Stopped. %{so_far}",
        "bisect_undecided" => "Undecided. %{so_far}%{why}",
        # Used unless the last comparison itself says what would decide it.
        "bisect_more_time" => " A longer --budget could decide it, or a quieter host " \
                              "(mohs doctor).",
        "bisect_unknown" => "Whether %{ends} differ is not known yet.",
        "bisect_slower" => "%{bad} is slower than %{good} (%{figures}), through %{range}.",
        "bisect_suspects" => "%{count} candidates, from %{first} to %{last}",
      }.freeze
      # The template for a side of a comparison that was not measured.
      side = lambda do |kind|
        lambda do |values, _|
          spoiled = values[:spoiled] && Analysis::Finding.new(**values[:spoiled], severity: :bad)
          reason, cohorts = values[:reason]&.then { |one| Render.reason(one) }, values[:cohorts]
          why = reason ? reason.summary : Render.unexplained(spoiled)
          remedy = reason&.remedy.to_s.split.join(" ").sub(/\A./, &:upcase)
          "#{values[:side]}, #{values[:variant].inspect}#{kind}: #{why.delete_suffix('.')}" \
            "#{" (in #{cohorts} cohorts)" if cohorts}" \
            "#{". #{remedy}" unless remedy.empty?}"
        end
      end

      # Why a verdict is undecided, or why there can be none.
      VERDICTS = {
        "never_beside" => "never measured beside %{against|name}",
        "one_round" => "one round gives no interval",
        "too_noisy" => "too noisy here to be decided",
        "rounds_needed" => "about %{rounds} rounds would find a difference of " \
                           "%{difference|percent}",
        "no_figures" => "%{variant|name} has no figures (%{state})",
        "rate_given" => "it serves what falls due: compare p50 and p99",
        "not_recorded" => "not recorded",
        "too_few_requests" => lambda do |values, numbers|
          where = " in #{values[:cohorts]} of #{values[:of]} cohorts" if values[:of]
          # --rounds and --budget add servers, not requests to each server.
          needed_s = values[:needed_s]&.then { |time| numbers.rough_option(time) }
          remedy = ". A longer run adds servers, not requests per server. To get enough, start a " \
                   "server yourself and run `mohs load URL -d #{needed_s}`." if needed_s
          "not enough requests#{where}: a server answered #{numbers.whole(values[:had])} of the " \
            "#{numbers.whole(values[:needed])} needed#{remedy}"
        end,
        "unanswered_requests" => "in %{cohorts} of %{of} cohorts requests without a response " \
                                 "hold that rank",
        "waits_cut_off" => "with %{connections} connections a slice ends before the longest " \
                           "waits for a thread do (start a server yourself and run `mohs load " \
                           "URL --connections %{connections} -d 60s`)",
        "bunching" => "%{connections} connections share one interpreter lock, so slow requests " \
                      "finish several at a time, and a median jumps between them " \
                      "(--connections 1 has a p50)",
        "forecast" => lambda do |values, numbers|
          margin, needed_s, wider = values.values_at(:margin, :needed_s, :wider)
          percent = numbers.exact_percent(margin)
          time = if needed_s
                   about = values[:least] ? "at least" : "about"
                   "this host now needs #{about} #{numbers.rough_duration(needed_s)} for " \
                     "#{percent} (--budget #{numbers.rough_option(needed_s)})"
                 else
                   "this host is too noisy to resolve #{percent}"
                 end
          next time unless wider

          "#{time}#{needed_s ? ', or' : '; try'} --margin " \
            "#{numbers.exact_percent(wider).delete(' ')}"
        end,
        "before_first_look" => lambda do |values, numbers|
          spent_s, budget_s, missing_s =
            values.values_at(:spent_s, :budget_s, :missing_s).map { |time| numbers.duration(time) }
          "stopped after #{spent_s} of #{budget_s}: the first look needs " \
            "#{numbers.counted(values[:missing], 'more cohort')}, about #{missing_s} " \
            "(--budget #{numbers.rough_option(values[:needed_s])} reaches it)"
        end,
        "side_refused" => side.call(", can't be served"), "side_failed" => side.call(", failed"),
        "side_invalid" => side.call(""), "side_started" => side.call(""),
        "side_silent" => lambda do |values, _|
          cohorts = values[:cohorts]
          "#{values[:side]}, #{values[:variant].inspect}, gave no right answer for whole slices, " \
            "more often than can be trimmed away#{" (in #{cohorts} cohorts)" if cohorts}"
        end,
        "side_not_measured" => lambda do |values, _|
          "a server was not measured#{" (in #{values[:cohorts]} cohorts)" if values[:cohorts]}"
        end,
      }.freeze

      # Notes on the figures of a verdict.
      WARNINGS = {
        "not_steady" => lambda do |values, numbers|
          of = values[:of] ? "#{numbers.called(values[:of])}'s" : "its"
          "not steady: #{of} lead over #{numbers.called(values[:over])} changed by " \
            "#{numbers.signed(values[:ratio])} while it was measured"
        end,
        "quieter_metric" => lambda do |values, numbers|
          verdict = Analysis::Verdict.new(**values, outcome: values[:outcome].to_sym)
          "by CPU time per request #{numbers.verdict(verdict)}"
        end,
        "equal_but_total" => lambda do |values, _|
          change = Change.new(values, better: values[:better])
          "equal but for pauses: in total, #{Numbers.called(values[:variant])}'s " \
            "#{values[:metric]} #{change}"
        end,
        "adjustment_moves" => lambda do |values, _|
          change = Change.new(values, better: values[:better])
          "without adjusting for core speed, #{values[:metric]} #{change.signed} " \
            "#{change.interval}"
        end,
        "core_speed_differs" => lambda do |values, numbers|
          names = { "pace_ns" => "core", "memory_ns" => "memory" }
          found = values[:differing].map do |one|
            share = numbers.percent((one[:ratio] - 1).abs)
            "#{names.fetch(one[:kind])} #{share} #{one[:ratio] > 1 ? 'slower' : 'faster'}"
          end
          "beside B the driver found the #{found.join(', the ')} than beside A, beyond " \
            "chance: if B causes that itself, adjusting for core speed hides it, and " \
            "the interval allows for less"
        end,
        "ended_under_load" => lambda do |values, numbers|
          "#{numbers.called(values[:variant])} ended under load, without figures, in " \
            "#{values[:ended]} of #{numbers.counted(values[:trials], 'boot')}"
        end,
        "slowed_others" => "%{variant|name} took %{share|percent} of a core while the others " \
                           "were measured, which may be all of the difference",
        "slowed_a_little" => "%{variant|name} took %{share|percent} of a core while the others " \
                             "were measured: the interval is wider by as much",
        "driver_waited" => "while %{variant|name} was loaded, the driver had no core for " \
                           "%{share|percent} of the time: its latencies can't be trusted",
        "driver_starved" => "while %{variant|name} was loaded, the driver had no core for " \
                            "%{share|percent} of the time, which leaves nothing to compare",
        "slowed_other" => "%{side} took %{share|percent} of a core while the other was measured: " \
                          "intervals are wider by as much, and more cohorts don't help",
        "silent" => "%{variant|name} gave no right answer for whole slices, more often than can " \
                    "be trimmed away",
        "metric_bunching" => "p50 can't decide: %{connections} connections share one " \
                             "interpreter lock, so slow requests finish several at a time, and " \
                             "a median jumps between them (--connections 1 has a p50)",
        "metric_not_recorded" => "%{metric} was not recorded",
        "answers_change" => lambda do |values, _|
          "#{values[:side]} gives different responses after a reboot: " \
            "#{Refusals.difference(values, 'an earlier boot')}"
        end,
        "differ_beyond" => lambda do |values, _|
          shown = values[:differing].map do |one|
            next "#{one[:name]} (#{one[:a]}, #{one[:b]})" unless one[:gem]

            "#{one[:gem]} #{one[:a] || 'none'} / #{one[:b] || 'none'}"
          end
          few = Wording.few(shown, shown.size, more: values[:more])
          "beyond what is compared, these differ too: #{few}"
        end,
        "contention" => "measured alone on a core, B's %{metric} is %{ratio|signed} against A's: " \
                        "side by side they contend for cache or memory",
        "measured_alone" => "measured alone on a core, B's %{metric} is %{ratio|signed} against " \
                            "A's (one cohort)",
        "dilution" => "the driver takes %{share|percent} of the CPU time beside the servers, so " \
                      "requests/s understates the difference",
        "growth" => "the app slows with every request (+%{growth|percent} per " \
                    "%{requests|count}); what is measured depends on when",
        "halves" => "one half of the machine serves %{share|percent} more than the other, " \
                    "whoever is on it: something else runs there",
        "pauses" => "%{side} pauses more: over all slices, pauses included, B's requests a " \
                    "second are %{ratio|signed} against A's",
      }.freeze

      # Most files that are named.
      FEW = 3

      # How to enlarge a database pool, by the place where its size is set (App::Database).
      LARGER_POOL = {
        "DATABASE_URL" => "Raise it there", "RAILS_MAX_THREADS" => "Leave it unset",
        "config/database.yml" => "Set pool: <%= ENV.fetch(\"RAILS_MAX_THREADS\", 5) %>",
      }.freeze

      # Notes below the table.
      NOTES = {
        "note_recorded" => "%{text}",
        "front_cost" => "%{variant}: %{front} takes %{cpu_us|number} µs of CPU per request " \
                        "(%{share|percent}) and %{megabytes|number} MB (included in the figures)",
        "front_exposed" => "%{front} listens on all addresses of this machine while it is " \
                           "measured: it can't be told to listen on one",
        "front_costs" => "%{front} takes %{least|number} to %{most|number} µs of CPU per request " \
                         "in front of %{variants|count} servers (%{share|percent} to " \
                         "%{highest|percent}, included in the figures)",
        "rackup_options" => "config.ru has options for rackup (%{options}): they are not used",
        "ruby_line_ignored" => "the Gemfile's line `%{line}` is ignored, so that other Rubies " \
                               "can be measured",
        "gem_substituted" => "on %{engine}, %{instead} is used instead of %{gem}, which is an " \
                             "extension in C",
        "gem_limited" => "%{ruby} is measured with %{gem} %{instead} instead of the locked " \
                         "%{version}, which it can't load",
        "jit_by_app" => lambda do |values, _|
          where = " (#{values[:where]})" if values[:where]
          sides = values.slice(:off, :on).filter_map do |state, names|
            "#{state} for #{Wording.few(names, FEW)}" if names.any?
          end
          sides << "off for #{Wording.few(values[:other], FEW)}, which asks for another JIT" if
            values[:other]
          hint = " (--own-jit measures it as it runs)" if values[:on].empty? && values[:off].any?
          "turns #{values[:jit].upcase} on by itself#{where}: #{sides.join('; ')}#{hint}"
        end,
        "all_without_jit" => "All of this is without %{jit}, which the application turns on " \
                             "(--own-jit keeps it).",
        "jit_worth" => "with %{jit} %{ruby} serves %{more} requests a second than without " \
                       "%{bracket}",
        "temporary_secret" => lambda do |values, _|
          cookie = ", with which your cookie can't be read" if values[:cookie]
          "SECRET_KEY_BASE was not set: a temporary one is used#{cookie} " \
            "(--env SECRET_KEY_BASE=... for your own)"
        end,
        "checked_out" => lambda do |values, _|
          at = "#{values[:typed]} is #{values[:commit]}, checked out separately from your folder"
          names, count = values.values_at(:copied, :of)
          next at if names.empty?

          more = ", ... (#{count} in all)" if count > names.size
          "#{at}; copied from there, because git does not have them: #{names.join(', ')}#{more}"
        end,
        "packed" => lambda do |values, numbers|
          sent = "the folder as it was sent (#{numbers.counted(values[:files], 'file')})"
          left = { "secrets" => values[:secrets], "links that lead out of it" => values[:links] }
          left = left.select { |_, paths| paths.any? }.map do |what, paths|
            "left out, as #{what}: #{Wording.few(paths, FEW)}"
          end
          [sent, *left].join("; ")
        end,
        "too_large_to_copy" => "%{typed} lacks %{path}, which is too large to copy",
        "changes_left" => "%{typed} lacks your uncommitted changes (files: %{files})",
        "submodules_left" => "%{typed} lacks its submodules",
        "pool_too_small" => lambda do |values, _|
          size, source, threads = values.values_at(:size, :source, :threads)
          "the database pool (#{size} in #{source}) is smaller than the server's #{threads} " \
            "threads: the others wait for a connection. #{LARGER_POOL.fetch(source)}, or measure " \
            "with #{size == 1 ? '1 thread' : "#{size} threads"} (--variant puma:1x#{size})"
        end,
        "chatter" => "%{variant|name} logs %{bytes_per_request|count} bytes per request " \
                     "(included in the figures)",
        "chatter_alike" => "every variant logs about %{bytes_per_request|count} bytes per " \
                           "request (included in the figures)",
        "chatter_various" => "%{variants|count} variants log %{least|count} to %{most|count} " \
                             "bytes per request, %{loudest|name} the most (included in the " \
                             "figures)",
        "already_running" => "%{url} was running already: not rebooted each round, so its " \
                             "interval covers only this one process; not bound to the cores " \
                             "that the others had; settings unknown",
        "service_started" => lambda do |values, _|
          member = Services.fetch(values[:name])
          "#{values[:by]} asks for #{member::TITLE}, and none was there: mohs started a private " \
            "one for each server (--env #{member::VARIABLE}=... for your own)"
        end,
        "service_own" => lambda do |values, _|
          title = Services.fetch(values[:name])::TITLE
          "#{values[:variable]} leads to your own #{title} (#{values[:where]}): load reads and " \
            "writes there what the requests ask for; mohs creates and drops nothing"
        end,
        "services" => lambda do |values, numbers|
          version = [Services.fetch(values[:service])::TITLE, *values[:version]].join(" ")
          how = { "unix" => "by unix socket", "tcp" => "by TCP" }.fetch(values[:address])
          how += ", as JRuby's drivers know nothing else" if values[:jdbc]
          costs = values[:costs].map do |one|
            cpu, bytes = one.values_at(:cpu_us_per_request, :memory_bytes)
            "#{one[:variant]}: #{numbers.figure(cpu)} CPU µs a request, " \
              "#{bytes ? numbers.number(bytes / numbers::MEGABYTE) : numbers::NONE} MB"
          end
          "#{version}, one for each server and on its cores, #{how}. Not in the figures above: " \
            "#{costs.join('; ')}"
        end,
        "job_queue" => lambda do |values, numbers|
          api, adapter, worker = values.values_at(:api, :adapter, :worker)
          name = Study::Jobs::APIS.fetch(api, api)
          runner = worker ? "`#{worker}` (included in the figures)" : "the server's own processes"
          "#{[name, *("(#{adapter})" if adapter)].join(' ')}: a request is a batch of " \
            "#{numbers.counted(values[:count], 'job')}, run by #{runner}; latencies are of batches"
        end,
        "left_out" => lambda do |values, numbers|
          requests, of = values.values_at(:requests, :of).map { |count| numbers.whole(count) }
          fact = values[:fact] || Refusals.fact(*values[:refusal].values_at(:code, :values))
          "#{requests} of the log's #{of} requests, #{numbers.percent(values[:share])} by " \
            "weight, left out, since the server refuses them: #{values[:first]} #{fact}"
        end,
        "gems_differ" => lambda do |values, numbers|
          values[:differing].map { |one|
            versions = one[:versions].map { |version, of| "#{version} (#{of.join(', ')})" }
            "#{numbers.list(one[:gems])} #{versions.join(', ')}"
          }.join("; ")
        end,
        "errors_differ" => "%{variant|name} failed %{share|percent} of its requests, " \
                           "%{baseline|name} %{baseline_share|percent}: beyond chance",
        "errors_one_boot" => "%{variant|name} failed %{share|percent} of its requests, " \
                             "%{baseline|name} %{baseline_share|percent}: a single boot can't " \
                             "tell chance from a difference",
        "baseline_not_measured" => "%{declared} could not be measured",
        "baseline_not_booted" => "%{declared} did not boot",
        "shared_failure" => "all variants failed the same way; remaining rounds skipped",
        "cohorts_parked" => lambda do |values, numbers|
          hosts = numbers.list(values[:hosts])
          last = ": #{values[:reason]}" if values[:reason]
          "#{numbers.counted(values[:cohorts], 'cohort')} given up after #{values[:tries]} tries " \
            "(#{hosts})#{last}"
        end,
        "over_hosts" => lambda do |values, numbers|
          "#{numbers.called(values[:variant])}: #{OverHosts.text(values[:over])}"
        end,
        "hosts_local" => "this store is local; a fleet needs one that its hosts share (set " \
                         "MOHS_DATABASE_URL=postgres://HOST/DATABASE on all of them)",
        "hosts_none" => "no host has worked for this store yet (mohs worker)",
        "hosts_gone" => lambda do |values, _numbers|
          "no host is working for this store (mohs worker); earlier ones: " \
            "#{Wording.few(values[:hosts], FEW)}"
        end,
        "without_fleet" => lambda do |values, numbers|
          hosts = " (#{numbers.list(values[:hosts])})" if values[:hosts].any?
          "resumed on this machine, without the fleet that began this run#{hosts}: mohs resume " \
            "takes no --fleet"
        end,
        "host_left" => lambda do |values, _numbers|
          host, what, reason = values.values_at(:host, :what, :reason)
          why = " (#{reason})" if reason
          "#{host} did not finish #{what}#{why}: the next free host measures it again (mohs " \
            "hosts says if #{host} is still there)"
        end,
        "fleet_unfinished" => lambda do |values, numbers|
          cohorts = numbers.counted(values[:cohorts], "cohort")
          where = " on #{values[:hosts].join(', ')}" if values[:hosts].any?
          "#{cohorts} #{values[:cohorts] == 1 ? 'is' : 'are'} still being measured#{where}, and " \
            "will count: mohs show #{values[:key]} later"
        end,
        "fleet_silent" => lambda do |values, numbers|
          mohs = "mohs #{values[:version]}"
          awaited = "one with #{mohs}"
          awaited = "#{mohs} on #{numbers.list(values[:hosts])}" if values[:hosts].any?
          "the fleet has no active host left: waiting for #{awaited} (mohs worker)"
        end,
        "answers_wrong_in" => lambda do |values, numbers|
          others = values[:right] == 1 ? "the other" : "the #{values[:right]} others"
          verb = values[:variants].one? ? "answers" : "answer"
          "only #{numbers.list(values[:variants])} #{verb} wrongly; #{others} gave correct " \
            "responses to the same requests"
        end,
        "files_changed" => lambda do |values, numbers|
          changes = values[:changes].map do |change|
            grown = numbers.bytes(change[:bytes]) if change[:change] == "changed"
            "#{change[:path]} (#{grown || change[:change]})"
          end
          "changed in the application's folder meanwhile, probably by the application: " \
            "#{Wording.few(changes, FEW)}"
        end,
        "crowding" => lambda do |values, _|
          threads, variants = values.values_at(:threads, :variants)
          "#{values[:connections]} connections on #{threads.join(' to ')} " \
            "thread#{'s' unless threads == [1]}#{" (#{variants.join(', ')})" if variants}: " \
            "responses wait for a thread, and latency includes the wait, as far as a slice lasts"
        end,
      }.freeze

      # Why a run is cut while it is under way.
      longer = lambda do |values, numbers|
        "otherwise the run would take #{numbers.duration(values[:enough_s])} instead of " \
          "#{numbers.duration(values[:announced_s])}"
      end

      # A budget that measures everything: a study that is reproduced has no other options.
      again = lambda do |values, numbers|
        words = ["--budget", numbers.rough_option(values[:enough_s])]
        "`#{Reproduction.command(values[:published], *words)}` measures all"
      end

      # What was cut to fit a time.
      DROPPED = {
        "dropped_recorded" => "%{why}",
        "dropped_variant" => lambda do |values, numbers|
          rounds, enough_s, budget_s = values.values_at(:rounds, :enough_s, :budget_s)
          remedy = again.call(values, numbers) if values[:published]
          remedy ||= "--budget #{numbers.rough_option(enough_s)} measures all, " \
                     "--variant the ones you name"
          "#{numbers.counted(rounds, 'round')} of everything take#{'s' if rounds == 1} about " \
            "#{numbers.duration(enough_s)}, the budget is #{numbers.duration(budget_s)} (#{remedy})"
        end,
        "dropped_rounds" => lambda do |values, numbers|
          round_s, budget_s, needed = values.values_at(:round_s, :budget_s, :needed)
          text = "one takes about #{numbers.duration(round_s)}, the budget is " \
                 "#{numbers.duration(budget_s)}"
          needed ? "#{text}; with fewer than #{needed} there is no interval" : text
        end,
        "cut_variant" => lambda do |values, numbers|
          remedy = again.call(values, numbers) if values[:published]
          "#{longer.call(values, numbers)}; #{remedy || '--variant measures the ones you name'}"
        end,
        "cut_rounds" => lambda do |values, numbers|
          remedy = again.call(values, numbers) if values[:published]
          "#{longer.call(values, numbers)}; " \
            "#{remedy || "--rounds #{values[:rounds]} measures them all"}"
        end,
      }.freeze

      # What --shield gave (Analysis::Run::Shield).
      GIVEN = {
        "real-time" => "real-time priority #{Process::Shield::PRIORITY}",
        "nice" => "asked, nice #{Process::Shield::NICE_VALUE} given",
        "none" => "asked, nothing given",
        "in part" => "not the same in all cohorts",
      }.freeze

      # From which share on they are named where load comes from: mohs doctor's warning (the rule
      # `other_processes` of Analysis::Host).
      OTHERS_SHARE = 0.05

      CONDITIONS = {
        "latency_service" => "service times of a closed loop",
        "latency_response" => "response times under a given rate",
        "latency_rated" => "response times under a given rate, which requests/s is about",
        "latency_rated_too" => "of variants with a rate response times, requests/s is about that",
        "repeats_body" => "same body each time", "repeats_length" => "same length each time",
        "repeats_status" => "body varies", "expected_text" => "each with %{text}",
        "scenario" => "each connection was a client that followed %{file}; rates are of correct " \
                      "responses, its login is not measured",
        "status_only" => "the body varies, so only the status was checked (--expect TEXT checks " \
                         "more)",
        "held_concurrency" => "%{value|count} requests at a time",
        "held_memory_bytes" => lambda do |values, _|
          "at most #{Numbers.number(values[:value] / Numbers::MEGABYTE)} MB"
        end,
        "profiled" => "samples of the servers' stacks were taken, which makes them slower: the " \
                      "rates are no measurement of the variants",
        "load_from" => lambda do |values, _|
          trip = values[:round_trip]&.transform_values { |ns| Numbers.ms(ns) }
          took = if trip
                   "the round trip takes #{trip[:p50_ns]} (p99 #{trip[:p99_ns]}), which every " \
                     "latency includes"
                 else
                   "the round-trip time is unknown"
                 end
          share = values[:foreign_cpu_share].to_f
          busy = "; other processes took #{Numbers.percent(share)} of its CPU" if
            share > OTHERS_SHARE
          "from #{values[:name]} (#{values[:host]}) to #{values[:listen]}: #{took}#{busy}"
        end,
        "driver_apart" => "the driver on another", "driver_far" => "the driver on another machine",
        "driver_shares" => "shared with the driver",
        "shield" => lambda do |values, _|
          given, threads, shielded, driver = values.values_at(:given, :threads, :shielded, :driver)
          of = threads == shielded ? "all" : "#{shielded} of"
          others = "; the driver's threads: #{driver.compact.join(', ')}"
          others = " and the driver's" if driver.empty?
          attested = "confirmed for #{of} #{threads} server threads#{others}"
          ended = values[:endings].tally.map do |why, count|
            "taken back early in #{count} of #{values[:cohorts]}: #{why}"
          end
          [GIVEN.fetch(given), *(attested unless given == "none"), *values[:refusals],
           *ended].join("; ")
        end,
      }.freeze

      GATES = {
        "gate_no_verdict" => "no verdict",
        "gate_no_interval" => "no interval yet",
        "gate_interval" => "%{metric} %{low|signed} to %{high|signed}",
      }.freeze

      # The lines below a table that explain its marks.
      MARKS = {
        "marks" => "rows that share a letter can't be told apart here: undecided, not equal",
        "marks_group" => lambda do |values, _|
          count = values[:count]
          subject = count == 2 ? "the two" : "none of the #{count}"
          "#{subject} beside the baseline can#{"'t" if count == 2} be told apart here" \
            "#{values[:closer_clause]}"
        end,
        "marks_closer" => "; --rounds %{rounds} would make the intervals half as wide, and for " \
                          "two of them mohs compare is quicker",
        "marks_scattered" => "a ± above 50 % is left out; verdicts don't depend on it, they " \
                             "compare servers that ran at the same time",
        "marks_compare" => "better, worse: beyond chance; equal: within %{margin|exact}" \
                           "%{test_clause}; else undecided (%{alone} tested alone, the others " \
                           "jointly)",
        "marks_test" => ", for %{metric} by the test for it, 90 %",
        "marks_step" => "step %{number} (%{step}) of a bisection from %{good}, good, to %{bad}, " \
                        "bad",
      }.freeze

      OF_PROCEDURES = %w[Tune Track Gate].map { |one| Procedure.part(one, :Templates) }
                                         .inject(:merge).freeze

      TEXTS = { **VERDICTS, **WARNINGS, **NOTES, **DROPPED, **CONDITIONS, **GATES, **MARKS,
                **Sentences, **Loads, **OF_PROCEDURES, **Imports,
                **Refusals::TEXTS, **Causes::TEXTS, **Claims::TEXTS }.freeze
    end
  end
end
