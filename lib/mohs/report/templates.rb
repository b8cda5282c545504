# frozen_string_literal: true

module Mohs
  module Report
    # The templates (Report::Render) of Analysis's findings, by code, together with those of imports
    # (Templates::Imports) and of the procedures (Tune::Templates, Gate::Templates, ...).
    module Templates
      # Why a verdict is undecided, or why there can be none.
      VERDICTS = {
        "never_beside" => "never measured beside %{against|name}",
        "one_round" => "one round gives no interval",
        "too_noisy" => "too noisy here to be decided",
        "biased" => "its interval allows for a bias of %{bias|percent}, whatever the number of " \
                    "rounds",
        "rounds_needed" => "about %{rounds} rounds would find a difference of " \
                           "%{difference|percent}",
        "no_figures" => "%{variant|name} has no figures (%{state})",
        "too_few_streams" => lambda do |values, numbers|
          what, did, remedy = Streams::FEW.fetch(values[:timed])
          "not enough #{what}: #{numbers.whole(values[:had])} of a server #{did}, and " \
            "#{numbers.whole(values[:needed])} are needed; use #{remedy}"
        end,
        "too_few_requests" => lambda do |values, numbers|
          where = " in #{values[:cohorts]} of #{values[:of]} cohorts" if values[:of]
          needed_s, comparison = values.values_at(:needed_s, :comparison)
          # --rounds and --budget add servers, not requests to each server.
          remedy = if comparison
                     ". `#{comparison[:command]}` loads each server until it has them, about " \
                       "#{numbers.rough_duration(comparison[:load_s])}; a longer run only adds " \
                       "servers"
                   elsif needed_s
                     load = Procedure.by_hand(**values.slice(:connections, :rate),
                                              duration_s: needed_s)
                     ". A longer run adds servers, not requests per server. To get enough, start " \
                       "a server yourself and run `#{load}`"
                   end
          "not enough requests#{where}: a server answered #{numbers.whole(values[:had])} of the " \
            "#{numbers.whole(values[:needed])} needed#{remedy}"
        end,
      }.freeze

      # Parts of several procedures' one-sentence answers.
      HEADLINES = {
        "nothing_yet" => "Nothing has been measured yet.",
        "for_memory" => ", for %{megabytes|number} MB %{direction} memory",
      }.freeze

      # Notes on the figures of a verdict, and a clause of it.
      WARNINGS = {
        "failed" => "; failed requests: %{shares}",
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
        "ended_under_load" => lambda do |values, numbers|
          "#{numbers.called(values[:variant])} ended under load, without figures, in " \
            "#{values[:ended]} of #{numbers.counted(values[:trials], 'boot')}"
        end,
        "still_rose" => lambda do |values, numbers|
          why = "; its warm-up takes too long to be repeated" if values[:too_long]
          "#{numbers.called(values[:variant])} still got faster at the end of its warm-up in " \
            "#{values[:rose]} of #{numbers.counted(values[:trials], 'boot')}#{why}"
        end,
        "slowed_others" => "%{variant|name} took %{share|percent} of a core while the others " \
                           "were measured: it slowed them, perhaps by all of the difference",
        "slowed_a_little" => "%{variant|name} took %{share|percent} of a core while the others " \
                             "were measured: the interval is wider by as much",
        "may_rise" => "%{variant|name} may still get up to %{share|percent} faster, as its JIT " \
                      "was not done when it was measured: the interval allows for it",
        "may_rise_p99" => "the p99 of %{variant|name} may still be up to %{share|percent} too " \
                          "high, as its JIT was not done when it was measured: the interval " \
                          "allows for it",
        "may_rise_paced" => "%{variant|name} may still get up to %{share|percent} faster, as its " \
                            "JIT was not done when it was measured: at a given rate, its " \
                            "latencies may then change by any multiple of that",
        "driver_waited" => "while %{variant|name} was loaded, the driver had no core for " \
                           "%{share|percent} of the time: its latencies can't be trusted",
        "driver_starved" => "while %{variant|name} was loaded, the driver had no core for " \
                            "%{share|percent} of the time, which leaves nothing to compare",
        "silent" => "%{variant|name} gave no right answer for whole slices, more often than can " \
                    "be trimmed away",
      }.freeze

      # Most items of a list that are named.
      FEW = 3

      # How to enlarge a database pool, by the place where its size is set (App::Database).
      LARGER_POOL = {
        "DATABASE_URL" => "Raise it there", "RAILS_MAX_THREADS" => "Leave it unset",
        "config/database.yml" => "Set pool: <%= ENV.fetch(\"RAILS_MAX_THREADS\", 5) %>",
      }.freeze

      # What the measured servers have that hardly anybody's production has, or the reverse.
      UNLIKE = {
        lazy: "config.eager_load is false, so it loads classes while it serves",
        debug: "its log level is debug, which costs time in every request (to see how much, try " \
               "a variant with \"RAILS_LOG_LEVEL=info\", if the application reads that, or with " \
               "another config.log_level)",
        no_cache: "its cache keeps nothing (NullStore)",
        jobs: "no worker runs the jobs that it enqueues in %{jobs}",
      }.freeze

      # Notes below the table.
      NOTES = {
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
        "jit_worth" => "%{ruby} with %{jit} %{verb} %{more} %{unit} a second %{than} without " \
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
        # Each command takes the setting in its own way.
        "pool_too_small" => lambda do |values, _|
          size, source, threads = values.values_at(:size, :source, :threads)
          "the database pool (#{size} in #{source}) is smaller than the server's #{threads} " \
            "threads: the others wait for a connection. #{LARGER_POOL.fetch(source)}, or measure " \
            "with #{size == 1 ? '1 thread' : "#{size} threads"} (puma:1x#{size})"
        end,
        "unlike_production" => lambda do |values, _|
          parts = UNLIKE.slice(*values.keys).values.join("; ")
          "unlike most production: #{parts.sub('%{jobs}') { values[:jobs] }}"
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
          "#{version}, one for each server and on its cores, #{how}. Not in the figures above: " \
            "#{service_costs(values[:costs], values[:each], numbers)}"
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
            "will count: #{numbers.command('show', values[:key])} later"
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
        "files_changed" => ->(values, _) { ChangedFiles.text(values[:changes]) },
        "files_outside" => lambda do |values, _|
          paths = values[:paths]
          "the servers had files open for writing outside the application's folder: " \
            "#{Wording.few(paths, FEW, cut: paths.size >= Probes::OpenFiles::MOST)}"
        end,
        "waited" => lambda do |values, numbers|
          "#{numbers.duration(values[:seconds])} for other mohs runs, not counted in announced " \
            "times"
        end,
        "warmed_alone" => lambda do |values, numbers|
          how = values[:reasons].join("; ") if values[:reasons].any?
          how ||= numbers.counts(values[:errors].to_a) if values[:errors].any?
          how &&= " (#{how})"
          "#{numbers.list(values[:variants])} failed#{how} while other servers were warmed up at " \
            "the same time, but not when warmed up again alone: from then on they were warmed up " \
            "one at a time"
        end,
        "crowding" => lambda do |values, _|
          threads, variants = values.values_at(:threads, :variants)
          "#{values[:connections]} connections on #{threads.join(' to ')} " \
            "thread#{'s' unless threads == [1]}#{" (#{Wording.names(variants)})" if variants}: " \
            "responses wait for a thread, and latency includes the wait, as far as a slice lasts"
        end,
      }.freeze

      # What --shield gave (Analysis::Run::Shield).
      GIVEN = {
        "real-time" => "real-time priority #{Process::Shield::PRIORITY}",
        "nice" => "asked, nice #{Process::Shield::NICE_VALUE} given",
        "none" => "asked, nothing given",
        "in part" => "not the same in all cohorts",
      }.freeze

      # From which share on they are named where load comes from: mohs doctor's warning.
      OTHERS_SHARE = Analysis::Host.member("other_processes").limits.warn

      CONDITIONS = {
        "latency_service" => "service times of a closed loop",
        "latency_response" => "response times under a given rate",
        **Streams::LATENCIES,
        "latency_rated" => "response times under a given rate, which requests/s is about",
        "latency_rated_too" => "of variants with a rate response times, requests/s is about that",
        "repeats_body" => "same body each time", "repeats_length" => "same length each time",
        "repeats_status" => "body varies", "expected_text" => "each with %{text}",
        "scenario" => "each connection was a client that followed %{file}; rates are of correct " \
                      "responses, its login is not measured",
        "status_only" => "the body varies, so its content was not checked (--expect TEXT checks " \
                         "for a text)",
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
        "processes_take_turns" => "More processes than that take turns: %{names|list} " \
                                  "(--cores N gives each server N cores)",
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

      # The doctor's answer.
      DOCTOR = {
        "doctor_shows" => "This host can detect a difference of %{times}%{beyond_clause} " \
                          "(measured just now: %{cohorts} cohorts of an app against itself).",
        "doctor_resolved" => "%{difference|percent} in %{time}",
        "doctor_beyond" => "; it is too noisy for %{difference|percent}",
        "doctor_shows_nothing" => "This host is too noisy to detect a difference of " \
                                  "%{difference|percent} (measured just now: %{cohorts} cohorts " \
                                  "of an app against itself).",
        "doctor_clean" => "No problems found on this host%{unseen_clause}.",
        "doctor_problems" => "%{problems} found on this host: comparisons stay valid, but take " \
                             "longer%{unseen_clause}.",
        "doctor_unseen" => "; %{count} can't be checked",
        "doctor_unchanged" => "Nothing to change.",
      }.freeze

      COLD_STARTS = {
        "cold_excluded" => "%{level}: its trials served %{rates|list} requests/s once warm and " \
                           "vary more than those of the others (Cochran's test)",
        "cold_stray" => "; trial %{trial} stands apart from the rest (Grubbs's test)",
        "cold_acks" => "%{shares|list} of the responses took 38 to 45 ms, as with a delayed ACK",
      }.freeze

      # With more variants than this, what they have in common is said of all of them.
      FEW_VARIANTS = 4

      # What a private service costs beside each variant's server.
      #: (Array[Hash[Symbol, untyped]], String, singleton(Report::Numbers)) -> String
      def self.service_costs(costs, each, numbers)
        said = costs.map do |one|
          bytes = one[:memory_bytes]
          [numbers.figure(one[:cpu_us_per_request]),
           bytes ? numbers.number(bytes / numbers::MEGABYTE) : numbers::NONE]
        end
        text = ->((cpu, memory)) { "#{cpu} CPU µs a #{each}, #{memory} MB" }
        return costs.zip(said).map { |one, own| "#{one[:variant]}: #{text.(own)}" }.join("; ") if
          costs.size <= FEW_VARIANTS

        ranges = said.transpose.map.with_index do |words, at|
          key = %i[cpu_us_per_request memory_bytes][at]
          least, most = words.each_index.minmax_by { |index| costs[index][key] || 0 }
          words.values_at(least, most).uniq.join(" to ")
        end
        "#{text.(ranges)} (#{costs.size} variants)"
      end

      # All of these tables as one. Raises KeyError if two have the same code.
      #: (Array[Hash[String, untyped]]) -> Hash[String, untyped]
      def self.together(tables)
        tables.inject do |all, table|
          all.merge(table) { |code, *| raise KeyError, "two templates for #{code.inspect}" }
        end
      end

      TEXTS = together([VERDICTS, HEADLINES, WARNINGS, NOTES, CONDITIONS, DOCTOR, COLD_STARTS,
                        Imports, Refusals::TEXTS, Causes::TEXTS,
                        *Procedure.parts("templates")]).freeze
    end
  end
end
