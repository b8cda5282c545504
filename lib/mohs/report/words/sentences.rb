# frozen_string_literal: true

module Mohs
  module Report
    module Words
      # Templates of the answer in one sentence: of a run, a comparison (`compare_`) and a bisection
      # (`bisect_`). Values that end in `_clause` are phrases of their own, or empty.
      Sentences = {
        "run_nothing_yet" => "Nothing has been measured yet.",
        "run_none" => "Nothing was measured: none of %{count} variants could be. %{first}.",
        "run_unmeasured" => "%{variant} could not be measured (%{state}): %{reason}",
        "run_alone" => "%{variant} serves %{rate|number} requests a second%{interval_clause}" \
                       "%{memory_clause}",
        "run_alone_memory" => ", in %{megabytes|number} MB of memory",
        "run_only_baseline" => "%{alone}; %{rest}.",
        "run_others_waiting" => "the others have not been reached yet",
        "run_baseline_failed" => "No verdict: %{unmeasured}.",
        "run_baseline_waiting" => "No verdict: the baseline, %{baseline}, has not been measured " \
                                  "yet.",
        "run_none_faster" => "Nothing here is faster than %{baseline}.",
        "run_none_faster_but" => "Nothing here is faster than %{baseline}: %{serves}%{bracket}.",
        "run_winner" => "%{serves}%{than_clause}%{memory_clause}%{tied_clause}%{ahead_clause}.",
        "run_slower" => "%{serves}%{than_clause}.",
        "run_serves" => "%{variant} serves %{more} requests a second",
        "run_tied" => "; %{names} can't be told apart from it",
        "run_ahead" => "; %{names} may be faster still, but %{verb} undecided",
        "run_memory" => ", for %{megabytes|number} MB %{direction} memory",
        "run_all_equal" => "All %{count} are equal within %{margin|exact}.",
        "run_equal" => "%{variant} and %{baseline} are equal within %{margin|exact} " \
                       "(requests/s %{effect|signed}%{bracket}).",
        "run_too_wide" => "Undecided: %{variant} differed too much from round to round to be " \
                          "compared with %{baseline}, after %{rounds}.",
        "run_undecided" => "Undecided: %{variant} is between %{low} and %{high} than %{baseline} " \
                           "after %{rounds}%{others_clause}%{steadier_clause}.",
        "run_others" => "; so %{verb} %{names}",
        "run_no_interval" => "Undecided: an interval needs %{needed} rounds beside %{baseline}, " \
                             "and there %{verb} %{done} so far%{hint_clause}.",

        "compare_differs" => "%{provisional}B, %{b}, %{phrase} A, %{a} %{bracket}.",
        "compare_equal" => "%{provisional}A and B are equal within %{margin|exact} " \
                           "(%{metric} %{change} %{interval}).",
        "compare_invalid" => "No verdict: %{reason}.",
        "compare_side" => "B, %{b}, is on the %{side} side: %{metric} %{change} against A, %{a}, " \
                          "the good end.",
        "compare_undecided" => "%{begun}%{between} after %{seconds}.%{forecast_clause}",
        "compare_precise" => "No difference beyond chance%{between} after %{seconds}, as exact " \
                             "as was asked for.",
        "compare_open_nothing" => "%{stopped}: not one cohort is done, so nothing is known.",
        "compare_open" => "%{stopped}, after %{cohorts}%{between}.",
        "compare_open_early" => "%{stopped}, after %{cohorts}: an interval needs %{needed}.",
        "compare_too_wide" => ": it is too noisy here to tell anything",
        "compare_between" => ": B is between %{low} and %{high}",

        "bisect_found" => "%{culprit} made it slower: %{figures}.",
        "bisect_contradicted" => "No culprit: the search led to %{culprit}, but compared with " \
                                 "the one before it that is no slower: %{figures}. Several small " \
                                 "steps, or speed that varies by itself: try again.",
        "bisect_unconfirmed" => "%{culprit} seems to have made it slower, but that was not " \
                                "confirmed: %{figures}.%{why}",
        "bisect_none" => "No culprit: %{ends} don't differ (%{figures}).",
        "bisect_none_faster" => "No culprit: %{bad}, against %{good}, is no slower (%{figures}).",
        "bisect_range" => "It got slower in %{range}: those before the last can't be measured " \
                          "(%{figures}).",
        "bisect_invalid" => "No verdict: the ends can't be compared.%{why}",
        "bisect_interrupted" => "Stopped. %{so_far}",
        "bisect_undecided" => "Undecided. %{so_far}%{why}",
        # Unless the last comparison says itself what would decide it.
        "bisect_more_time" => " More time would tell (--budget), or a quieter host (mohs doctor).",
        "bisect_unknown" => "Whether %{ends} differ is not known yet.",
        "bisect_slower" => "%{bad} is slower than %{good} (%{figures}), through %{range}.",
        "bisect_suspects" => "%{count} candidates, from %{first} to %{last}",
      }.freeze
    end
  end
end
