# frozen_string_literal: true

module Mohs
  module Gate
    # The answer of `mohs gate`, and the text around the table in its comment.
    Templates = {
      "gating_one_holds" => "The gate holds: no page exceeds its limit, compared with %{base}.",
      "gating_all_hold" => "All %{count} gates hold: no page exceeds its limits, compared " \
                           "with %{base}.",
      "gating_fails" => "%{first}%{others_clause}.",
      "gating_fails_by" => "%{page} %{phrase} %{base} %{bracket}, limit %{limit}",
      "gating_fails_broken" => "%{page} fails: %{reason}",
      "gating_more" => "; %{count} of %{of} gates fail",
      "gating_inconclusive" => "Inconclusive: %{undecided} of %{of} gates neither " \
                               "%{verb} nor %{other}: %{first}.%{time_clause}",
      "gating_unserved" => "Not set up: neither revision serves %{page}: %{reason}.",
      "gating_unclear" => "%{page}, %{metric} %{change}, limit %{limit}",
      "gating_unmeasured" => "%{page}, %{reason}",
      "gating_time" => " By what is known so far, this page needs about %{needed|seconds}.",
      "gating_stopped" => "Stopped. %{rest}",
      "gate_not_reached" => "not measured: stopped before this page",
      "gating_reached" => "Undecided which is faster%{between} after %{seconds}: measured until " \
                          "the gates were decided.",
      "gating_level" => "at most one false alarm in %{pushes|count} pushes " \
                        "(%{gates} tested together); a gate that should fail holds at " \
                        "most #{(FalseAlarms::MISSED * 100).round} times in 100",
      "gating_basis" => "%{time} · %{cohorts} with fresh servers of both. The change is " \
                        "the ratio within each cohort; base and head are means, so their " \
                        "ratio may differ",
    }.freeze
  end
end
