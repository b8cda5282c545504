# frozen_string_literal: true

module Mohs
  module Report
    module Templates
      # Templates of what other tools' files can't tell, and of how they were compared
      # (Analysis::Imports).
      Imports = {
        "import_alone" => "%{variant|name}: %{figure} in %{runs} (%{spread})",
        "import_no_value" => "%{variant|name}: the file has neither a rate nor a median",
        "import_nothing_compared" => "%{count} results, of which no two can be compared",
        "import_compared_differs" => "%{variant|name} is %{size} %{joint} %{baseline|name} " \
                                     "%{bracket} %{basis}",
        "import_compared_equivalent" => "%{variant|name} and %{baseline|name} are %{text} %{basis}",
        "import_compared_undecided" => "%{variant|name} against %{baseline|name}: %{text} %{basis}",
        "import_compared_open" => "%{variant|name} against %{baseline|name}: %{change} %{basis}, " \
                                  "without an interval",
        "import_compared_invalid" => "No verdict on %{variant|name} against %{baseline|name}",
        "import_basis" => lambda do |values, numbers|
          metric, base, runs = values.values_at(:metric, :base, :runs)
          each = "#{numbers.counted(runs, 'run')} of each"
          "in #{metric}, over #{base == runs ? each : "#{runs} and #{base} runs"}"
        end,
        "import_several" => "%{count} compared with %{baseline|name}: %{counts}%{best_clause}",
        "import_failed_alone" => "; %{share} failed",
        "import_failed_requests" => "; failed requests: %{shares}",
        "import_one_run" => "one run: nobody knows how boots vary, so there is no interval",
        "import_no_interval" => "no interval: it needs two runs of each variant, better five",
        "import_no_spread" => "no interval: all runs of a variant have one figure, so they were " \
                              "rounded to it, or are the same file",
        "import_failed" => "a run failed: its time, or the other runs without it, would favour " \
                           "the one that fails",
        "import_no_figure" => "its files have no figure in common with the baseline's",
        "import_silent" => "a run without a correct response has no rate to compare",
        "import_unattested" => "only the names of files say which server ran: its settings " \
                               "were not attested, and no self-check was made",
        "import_apart" => "the runs were not interleaved by mohs: whatever changed between them " \
                          "(heat, neighbours, updates) is part of the difference",
        "import_mixed" => "results of several tools (%{formats|list}) are compared: each counts " \
                          "and rounds in its own way",
        "import_summary" => "no times of individual requests: quantiles are the tool's own",
        "import_caveat" => "%{caveat}",
        "import_good_unknown" => "the file does not say which responses were correct: the rate " \
                                 "is of all",
        "import_few_requests" => "%{requests|count} requests are too few for %{names|list}",
        "import_no_due" => "no due times: each time counts from when its request was sent",
        "import_failed_hold" => "failed requests rank behind all others: quantiles that they " \
                                "reach are left out",
        "import_whole_ms" => "times in whole milliseconds",
        "import_steps" => "times in steps of %{step}",
        "import_only_quantiles" => "only quantiles: no rate, no count of requests, no errors",
        "import_no_quantiles" => "no quantiles, only the longest time",
        "import_offered_rate" => "requests were sent at a set rate: requests/s are those that " \
                                 "were typed, so p50 is compared",
        "import_no_rate" => "requests began in whole seconds: no rate can be computed",
        "import_errors_unknown" => "errors are not in the file",
        "import_errors_left_out" => "requests without a response are not in the file",
        "import_labels" => "samples of all labels are taken together",
        "import_batches" => "only the second half of its batches; quantiles are medians of " \
                            "the batches' own",
        "import_mean_only" => "only the mean of its executions, not how they vary",
        "import_in_a_row" => "the runs of a variant came one after the other: whatever changed " \
                             "between two variants is part of their difference",
        "import_exit_status" => "executions that ended with an error are among the times",
        "import_one_process" => "iterations of one process: they show how steady it was, not how " \
                                "processes differ",
        "import_chosen" => "one figure for all repetitions (by default the best)",
        "import_digits" => "rounded to four digits",
      }.freeze
    end
  end
end
