# frozen_string_literal: true

module Mohs
  module Bisect
    # Templates of a bisection's one-sentence answer (Report::Render), and of its steps.
    Templates = {
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
      # Of one of its comparisons.
      "bisect_side" => "B, %{b}, is on the %{side} side: %{metric} %{change} against A, %{a}, " \
                       "the good end.",
      "bisect_step" => "step %{number} (%{step}) of a bisection from %{good}, good, to %{bad}, " \
                       "bad",
    }.freeze
  end
end
