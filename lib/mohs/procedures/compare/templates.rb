# frozen_string_literal: true

module Mohs
  module Compare
    # The template for a side of a comparison that was not measured.
    side = lambda do |kind|
      lambda do |values, _|
        spoiled = values[:spoiled] && Analysis::Finding.new(**values[:spoiled], severity: :bad)
        reason = values[:reason]&.then { |one| Report::Render.reason(one) }
        cohorts = values[:cohorts]
        why = reason ? reason.summary : Report::Render.unexplained(spoiled)
        "#{values[:side]}, #{values[:variant].inspect}#{kind}: #{why}" \
          "#{" (in #{cohorts} cohorts)" if cohorts}"
      end
    end

    # Seconds of a load that shows the longest waits for a thread.
    load_s = 60

    # Why slow requests have no median on several connections.
    bunching = lambda do |values, _|
      locks = values[:locks]
      shared = locks == [1] ? "one interpreter lock" : "#{locks.join(' or ')} interpreter locks"
      "#{values[:connections]} connections share #{shared}, so slow requests finish several at a " \
        "time, and a median jumps between them (--connections 1 has a p50)"
    end

    # Templates of a comparison (Report::Render): its one-sentence answer, why there is no verdict,
    # warnings, gates and the marks of its table. Values whose names end in `_clause` are phrases of
    # their own, or empty.
    Templates = {
      "compare_differs" => "%{provisional}B, %{b}, %{phrase} A, %{a} %{bracket}%{errors_clause}.",
      "compare_with_jit" => "%{provisional}%{ruby} with %{jit} %{phrase} without " \
                            "%{bracket}%{errors_clause}.",
      "compare_equivalent" => "%{provisional}A and B are equal within %{margin|exact} " \
                         "(%{metric} %{change} %{interval})%{errors_clause}.",
      "compare_invalid" => "No verdict: %{reason}.",
      "compare_undecided" => "Undecided%{between} after %{seconds}%{budget_clause}" \
                             "%{errors_clause}.%{forecast_clause}",
      "compare_budget_over" => ", when the budget was over",
      "compare_quick" => "Undecided so far (%{seconds})%{between}%{errors_clause}." \
                         "%{forecast_clause}",
      "compare_unlooked" => "Undecided: %{so_far}%{why}%{errors_clause}.",
      "compare_precise" => "Undecided to the requested precision%{between} after %{seconds}.",
      "compare_open_nothing" => "%{stopped}: not one cohort is done, so nothing is known.",
      "compare_open" => "%{stopped}, after %{cohorts}%{between}.",
      "compare_open_early" => "%{stopped}, after %{cohorts}: an interval needs %{needed}.",
      "compare_between" => ": B, %{b}, is between %{low} and %{high} than A, %{a}",
      "compare_vast" => ": not even a factor of ten between B, %{b}, and A, %{a}, can be excluded",

      "compare_why" => "from A to B, %{why}",

      "not_recorded" => "not recorded",
      "unanswered_requests" => "in %{cohorts} of %{of} cohorts requests without a response " \
                               "hold that rank",
      "waits_cut_off" => lambda do |values, _|
        load = Procedure.by_hand(**values.slice(:connections), duration_s: load_s)
        "with #{values[:connections]} connections a slice ends before the longest waits for a " \
          "thread do (start a server yourself and run `#{load}`)"
      end,
      "memory_not_grown" => "in %{cohorts} of %{of} cohorts a server had no more memory with its " \
                            "connections open than before; it takes more --connections",
      "none_held" => "in %{cohorts} of %{of} cohorts a server held no connection until the end " \
                     "of a slice",
      "bunching" => bunching,
      "forecast" => lambda do |values, numbers|
        needed_s, wider, resolved = values.values_at(:needed_s, :wider, :resolved)
        margin = "a margin of #{numbers.exact_percent(values[:margin])}"
        needs = lambda do |seconds, what, **more|
          about = "#{values[:least] ? 'at least' : 'about'} #{numbers.rough_duration(seconds)}"
          "needs #{about} for #{what} (#{numbers.typed(**more, budget_s: seconds)})"
        end
        time = "this host now #{needs.call(needed_s, margin)}" if needed_s
        bias = values[:bias]
        time ||= "more cohorts may not decide #{margin}: the interval allows for a bias of " \
                 "#{numbers.percent(bias)}" if bias
        time ||= "this host is too noisy for #{margin}"
        time += "; it now #{needs.call(values[:resolved_s], numbers.exact_percent(resolved),
                                       margin_share: resolved)}" if resolved
        next time unless wider

        "#{time}#{needed_s || resolved ? ', or' : '; try'} #{numbers.typed(margin_share: wider)}"
      end,
      "before_first_look" => lambda do |values, numbers|
        spent_s, budget_s, missing_s =
          values.values_at(:spent_s, :budget_s, :missing_s).map { |time| numbers.duration(time) }
        "stopped after #{spent_s} of #{budget_s}: the first look needs " \
          "#{numbers.counted(values[:missing], 'more cohort')}, about #{missing_s} " \
          "(#{numbers.typed(budget_s: values[:needed_s])} reaches it)"
      end,
      "late_look" => lambda do |values, numbers|
        count = values[:connections]
        reach = [numbers.typed(budget_s: values[:reaching_s]),
                 *(numbers.typed(connections: count) if count)]
        times = values.values_at(:needed_s, :budget_s)
        needed, budget = times.map { |time| numbers.duration(time) }
        "the first look needs about #{needed}, but the budget is #{budget} " \
          "(#{reach.join(' or ')} #{reach.one? ? 'reaches' : 'reach'} it)"
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

      "adjustment_moves" => lambda do |values, _|
        change = Report::Change.new(values, better: values[:better])
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
      "slowed_other" => "%{side} took %{share|percent} of a core while the other was measured: " \
                        "intervals are wider by as much, and more cohorts don't help",
      "held_fewer" => "%{side} held %{share|percent} of its connections, the other " \
                      "%{other|percent}: with fewer, a server has less to do for each",
      "metric_bunching" => lambda do |values, numbers|
        "p50 can't decide: #{bunching.call(values, numbers)}"
      end,
      "metric_not_recorded" => "%{metric} was not recorded",
      "answers_change" => lambda do |values, _|
        "#{values[:side]} gives different responses after a reboot: " \
          "#{Report::Templates::Refusals.difference(values, 'an earlier boot')}"
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

      "gate_no_verdict" => "no verdict",
      "gate_no_interval" => "no interval yet",
      "gate_interval" => "%{metric} %{low|signed} to %{high|signed}",

      "marks_compare" => "better, worse: beyond chance; equal: within %{margin|exact}" \
                         "%{test_clause}; else undecided (%{alone} tested alone, the others " \
                         "jointly)",
      "marks_test" => ", for %{metric} by the test for it, 90 %",
    }.freeze
  end
end
