# frozen_string_literal: true

module Mohs
  module Report
    # The templates (Report::Phrase) of what Analysis finds, by code, and with them those of the
    # answer in one sentence (Words::Sentences).
    module Words
      # What is said of a side of a comparison that was not measured.
      side = lambda do |kind|
        lambda do |values, _|
          code, more = values[:spoiled].to_h.values_at(:code, :values)
          reason = values[:reason] || (code && Phrase.text(code, **more))
          reason = reason.to_s.lines.first.to_s.strip
          cohorts = values[:cohorts]
          "#{values[:side]}, #{values[:variant].inspect}#{kind}: #{reason}" \
            "#{" (in #{cohorts} cohorts)" if cohorts}"
        end
      end

      # Why a verdict is not decided, or can't be had.
      VERDICTS = {
        "never_beside" => "never measured beside %{against}",
        "one_round" => "one round gives no interval",
        "too_noisy" => "too noisy here to be decided",
        "rounds_needed" => "about %{rounds} rounds would decide",
        "no_figures" => "%{variant} has no figures (%{state})",
        "not_recorded" => "not recorded",
        "bunching" => "with %{connections} connections slow requests finish in bunches " \
                      "(--connections 1 measures it)",
        "forecast" => lambda do |values, numbers|
          margin, needed_s, wider = values.values_at(:margin, :needed_s, :wider)
          percent = numbers.exact_percent(margin)
          time = if needed_s
                   rough = numbers.rough_duration(needed_s)
                   option = rough.sub(" s", "s").sub(" min", "m")
                   "this host now needs about #{rough} for #{percent} (--budget #{option})"
                 else
                   "this host is too noisy now for #{percent}"
                 end
          [time, wider && "--margin #{numbers.exact_percent(wider).delete(' ')}"].compact
                                                                                 .join(", or ")
        end,
        "side_refused" => side.call(", can't be served"), "side_failed" => side.call(", failed"),
        "side_invalid" => side.call(""), "side_started" => side.call(""),
        "side_not_measured" => lambda do |values, _|
          "a server was not measured#{" (in #{values[:cohorts]} cohorts)" if values[:cohorts]}"
        end,
      }.freeze

      # What to know about the figures of a verdict.
      WARNINGS = {
        "not_steady" => lambda do |values, numbers|
          of = values[:of] ? "#{values[:of]}'s" : "its"
          "not steady: #{of} lead over #{values[:over]} changed by " \
            "#{numbers.signed(values[:ratio])} while it was measured"
        end,
        "quieter_metric" => lambda do |values, numbers|
          verdict = Analysis::Verdict.new(**values, outcome: values[:outcome].to_sym)
          "by CPU time per request #{numbers.verdict(verdict)}"
        end,
        "answers_change" => "%{side} answers otherwise from one boot to the next: " \
                            "%{difference} from an earlier boot",
        "differ_beyond" => lambda do |values, _|
          shown = values[:differing].map do |one|
            next "#{one[:name]} (#{one[:a]}, #{one[:b]})" unless one[:gem]

            "#{one[:gem]} #{one[:a] || 'none'} / #{one[:b] || 'none'}"
          end
          more = values[:more].positive? ? " and #{values[:more]} more" : ""
          "beyond what is compared, these differ too: #{shown.join(', ')}#{more}"
        end,
        "contention" => "measured alone on a core, B's %{metric} is %{ratio|signed} against A's: " \
                        "side by side they contend for cache or memory",
        "dilution" => lambda do |values, _|
          "the driver takes #{(values[:share] * 100).round} % of the CPU time beside the " \
            "servers: requests/s shows that much less of a difference than CPU a request does"
        end,
        "growth" => lambda do |values, numbers|
          growth = format("%+.2g", values[:growth] * 100)
          requests = numbers.whole(values[:requests])
          "the app slows with every request (#{growth} % per #{requests}); what is measured " \
            "depends on when"
        end,
        "halves" => lambda do |values, numbers|
          "one half of the machine serves #{numbers.number(values[:share] * 100)} % more than " \
            "the other, whoever is on it: something else runs there"
        end,
        "pauses" => "%{side} pauses more: over all slices, pauses included, B makes " \
                    "%{ratio|signed} requests a second",
      }.freeze

      # Below the table.
      NOTES = {
        "baseline_not_measured" => "%{declared} could not be measured",
        "baseline_not_booted" => "%{declared} did not boot",
        "crowding" => lambda do |values, _|
          threads, variants = values.values_at(:threads, :variants)
          "#{values[:connections]} connections on #{threads.join(' to ')} " \
            "thread#{'s' unless threads == [1]}#{" (#{variants.join(', ')})" if variants}: " \
            "answers wait for a thread, and latency has that wait in it; " \
            "Puma lets a quiet connection wait for 200 ms"
        end,
      }.freeze

      # Of --shield (Analysis::Run::Shield).
      GIVEN = {
        "real-time" => "real-time priority #{Process::Shield::PRIORITY}",
        "nice" => "asked, nice #{Process::Shield::NICE_VALUE} given",
        "none" => "asked, nothing given",
        "in part" => "not the same in all cohorts",
      }.freeze

      SETTING = {
        "latency_service" => "service times of a closed loop",
        "latency_response" => "response times under a given rate",
        "repeats_body" => "same body each time", "repeats_length" => "same length each time",
        "repeats_status" => "another body each time",
        "driver_apart" => "the driver on another", "driver_shares" => "shared with the driver",
        "shield" => lambda do |values, _|
          given, threads, shielded, driver = values.values_at(:given, :threads, :shielded, :driver)
          of = threads == shielded ? "all" : "#{shielded} of"
          others = "of the driver's: #{driver.compact.join(', ')}"
          others = "and of the driver's" if driver.empty?
          attested = "read back of #{of} #{threads} threads of the servers, #{others}"
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

      TEXTS = { **VERDICTS, **WARNINGS, **NOTES, **SETTING, **GATES, **Sentences }.freeze
    end
  end
end
