# frozen_string_literal: true

module Mohs
  module Rounds
    # Why a run is cut while it is under way.
    longer = lambda do |values, numbers|
      enough, announced, budget = values.values_at(:enough_s, :announced_s, :budget_s)
                                        .map { |seconds| seconds && numbers.duration(seconds) }
      next "the run was on course for #{enough}, and the budget is #{budget}" if budget
      next "the run was on course for longer than #{announced}" if enough == announced

      "the run was on course for #{enough} instead of #{announced}"
    end

    # The study's own command that measures everything, if its options are none of `mohs run`.
    again = ->(values) { "`#{values[:command]}` measures all" if values[:command] }

    # How many connections lasted, and how many messages came back.
    held = lambda do |values, numbers|
      "holds #{numbers.whole(values[:held])} of #{numbers.whole(values[:asked])} #{values[:kind]}"
    end
    lost = lambda do |values, numbers|
      next unless values[:due]

      verb = values[:timed] == "fan-out" ? "misses" : "loses"
      what = " deliveries" if values[:timed] == "fan-out"
      ", #{verb} #{numbers.whole(values[:lost])} of #{numbers.whole(values[:due])}#{what}"
    end

    # Templates of a run (Report::Render): its one-sentence answer, the marks of its table, and what
    # was cut to fit a time. Values whose names end in `_clause` are phrases of their own, or empty.
    Templates = {
      # Why a row has no verdict.
      "rate_given" => "it serves what falls due: compare p50 and p99",
      "streams_given" => lambda do |values, numbers|
        sooner = Suggestion::SOONER.fetch(values[:timed])
        "#{numbers.command(Mohs::Procedure.comparing)} tells which #{sooner}"
      end,

      "rounds_enough" => lambda do |values, numbers|
        done, planned = values.values_at(:done, :planned)
        "ended after #{done} of #{planned}: every difference is decided; " \
          "#{numbers.typed(rounds: planned)} measures them all, for narrower intervals"
      end,
      "run_unmet" => "Nothing to measure: %{reason}.",
      "run_none" => "Nothing was measured: none of %{count} variants could be. %{first}.",
      "run_unmeasured" => "%{variant|name} could not be measured: %{reason}",
      "run_alone" => "%{variant|name} %{verb} %{rate|number} %{unit} a second%{interval_clause}" \
                     "%{memory_clause}%{errors_clause}",
      "run_streams" => "%{each}.",
      "run_stream" => lambda do |values, numbers|
        does = { "first-event" => "sends the first event", "echo" => "sends a message back",
                 "fan-out" => "reaches 99 % of the connections with a message",
                 "joining" => "confirms a subscription",
                 "opening" => "opens a WebSocket" }.fetch(values[:timed])
        "#{numbers.called(values[:variant])} #{does} after " \
          "#{numbers.latency_with_unit(values[:p50], nil)} in the median" \
          "#{lost.call(values, numbers)} and #{held.call(values, numbers)}"
      end,
      "run_stream_late" => lambda do |values, numbers|
        half = { "first-event" => "half of them without an event",
                 "echo" => "half of the messages without an echo",
                 "fan-out" => "half of the messages did not come to 99 % of them",
                 "joining" => "half of them without a confirmation",
                 "opening" => "half of them without an upgrade" }.fetch(values[:timed])
        "#{numbers.called(values[:variant])} #{held.call(values, numbers)}, #{half}"
      end,
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
      "run_with_jit" => "%{text}%{errors_clause}.",
      "run_serves" => "%{variant|name} %{verb} %{more} %{unit} a second",
      "run_tied" => "; %{names} may be just as fast as %{variant|name}",
      "run_ahead" => "; %{names} may be faster still, but %{verb} undecided",
      "run_ended" => "No verdict where a server ended: %{reasons}",
      "run_rose" => "No verdict where servers still got faster: %{reasons}",
      "run_slowed" => "No verdict where a server was busy between its own measurements: " \
                      "%{reasons}",
      "run_all_equivalent" => "All %{count} are equal within %{margin|exact}%{errors_clause}.",
      "run_equivalent" => "%{variant|name} and %{baseline|name} are equal within " \
                     "%{margin|exact} (%{unit}/s %{change} %{interval})%{errors_clause}.",
      "run_too_noisy" => "Undecided: %{variant|name} differed too much from round to round to " \
                        "be compared with %{baseline|name}, after %{rounds}.",
      "run_undecided" => "Undecided: %{variant|name} is between %{low} and %{high} than " \
                         "%{baseline|name} after %{rounds}%{ending_clause}" \
                         "%{errors_clause}.%{others_clause}",
      "run_vast" => "Undecided: not even a factor of ten between %{variant|name} and " \
                    "%{baseline|name} can be excluded after %{rounds}%{ending_clause}" \
                    "%{errors_clause}.%{others_clause}",
      "run_others_one" => " Also undecided, with an interval of its own: %{names}.",
      "run_others_many" => " Also undecided, with intervals of their own: %{names}.",
      "run_others_early" => " Too few rounds for an interval: %{names}.",
      "run_no_interval" => "Undecided: an interval needs %{needed} rounds; %{done} %{verb} " \
                           "done%{hint_clause}.",

      "run_marks" => "rows that share a letter can't be told apart here: undecided, not equal",
      "marks_group" => lambda do |values, _|
        count = values[:count]
        subject = count == 2 ? "the two" : "none of the #{count}"
        "#{subject} beside the baseline can#{"'t" if count == 2} be told apart here" \
          "#{values[:closer_clause]}"
      end,
      "marks_closer" => lambda do |values, numbers|
        "; #{numbers.typed(**values.slice(:rounds))} would make the intervals half as wide, and " \
          "for two of them #{numbers.command(Mohs::Procedure.comparing)} is quicker"
      end,
      "marks_scattered" => "a ± above 50 % is left out; verdicts don't depend on it, they " \
                           "compare servers that ran at the same time",

      "dropped_variant" => lambda do |values, numbers|
        rounds, enough_s, budget_s = values.values_at(:rounds, :enough_s, :budget_s)
        remedy = again.call(values) ||
                 "#{numbers.typed(budget_s: enough_s)} measures all, --variant the ones you name"
        "#{numbers.counted(rounds, 'round')} of everything take#{'s' if rounds == 1} about " \
          "#{numbers.duration(enough_s)}, the budget is #{numbers.duration(budget_s)} (#{remedy})"
      end,
      "dropped_rounds" => lambda do |values, numbers|
        round_s, budget_s, needed = values.values_at(:round_s, :budget_s, :needed)
        text = "one takes about #{numbers.duration(round_s)}, the budget is " \
               "#{numbers.duration(budget_s)}"
        next text unless needed

        "#{text}; with fewer than #{needed} there is no interval " \
          "(#{numbers.typed(budget_s: round_s * needed)})"
      end,
      "cut_variant" => lambda do |values, numbers|
        remedy = again.call(values)
        remedy ||= "#{numbers.typed(budget_s: values[:all_s])} has time for all" if values[:all_s]
        "#{longer.call(values, numbers)}; #{remedy || '--variant measures the ones you name'}"
      end,
      # A budget cuts the rounds that --rounds asks for, too.
      "cut_rounds" => lambda do |values, numbers|
        asked = values[:all_s] ? { budget_s: values[:enough_s] } : values.slice(:rounds)
        "#{longer.call(values, numbers)}; " \
          "#{again.call(values) || "#{numbers.typed(**asked)} measures them all"}"
      end,
    }.freeze
  end
end
