# frozen_string_literal: true

module Mohs
  class LoadRun
    # How a response that was not the right one began, after what it was.
    began = lambda do |values, empty|
      status = " had status #{values[:status]} and" if values[:status].positive?
      "#{status} #{values[:bytes] ? "began #{values[:bytes]}" : empty}"
    end
    # What came otherwise than it should, by how.
    odd = lambda do |values, numbers|
      counts = { "out of order" => values[:disordered], "repeated" => values[:repeated],
                 "not an echo" => values[:others].to_i }.reject { |_, count| count.zero? }
      counts.map { |name, count| "#{numbers.whole(count)} #{name}" }.join(", ")
    end

    # Templates of a load and of a rate search (`rate_`), including their one-sentence answers.
    # Values whose names end in `_clause` are phrases of their own, or empty.
    Templates = {
      "load_intent" => "%{requests} at %{server} · %{loop}",
      "load_highest" => "the highest rate with %{limit}",
      "load_closed_loop" => "closed loop",
      "load_open_loop" => "open loop, %{rate}",
      "load_connections" => lambda do |values, _|
        count = values[:most] ? "#{values[:count]} to #{values[:most]}" : values[:count]
        "#{count} connection#{'s' unless count == 1}#{values[:closed_clause]}"
      end,
      "load_one_each" => ", a new one per request",
      "load_batches" => "%{batches} x %{each} requests",
      "load_count" => "%{count} requests",
      "load_tool" => "by %{tool}",
      "load_rate" => "%{rates} requests/s due%{kind_clause}%{together_clause}",
      "load_rate_times" => "requests due at given times",
      "load_at_random" => " at random (Poisson)",
      "load_together" => ", %{burst} at once",
      "load_answered" => "%{rate|figure} requests/s for %{seconds} s: %{sent|count} sent, " \
                         "%{share} answered %{answers}.",
      "load_beside_slow" => lambda do |values, _|
        p50, p99, rates = values.values_at(:p50, :p99, :rates)
        "Beside #{values[:clients]}, the others' requests take #{p50[0]} instead of #{p50[1]} in " \
          "the median, and p99 #{p99[0]} instead of #{p99[1]}; #{rates[0]} requests/s instead " \
          "of #{rates[1]}."
      end,
      "slow_clients" => lambda do |values, numbers|
        count, rate = values[:count], "#{numbers.size(values[:bytes_per_s].round)}/s"
        one = count == 1
        clients = one ? "a client" : "#{numbers.whole(count)} clients"
        next "#{clients} that #{one ? 'reads' : 'read'} #{rate}" if values[:part] == "read"

        "#{clients} that #{one ? "sends its body" : 'send their bodies'} at #{rate}"
      end,
      "load_again" => "again, beside slow clients",
      "load_slow" => lambda do |values, numbers|
        completed, failed, underway, opened =
          values.values_at(:completed, :failed, :underway, :opened).map { |one| numbers.whole(one) }
        connections = values[:opened] == 1 ? "connection" : "connections"
        "#{opened} #{connections} · #{completed} requests answered, #{failed} failed" \
          "#{values[:errors_clause]}, #{underway} under way at the end"
      end,
      "load_drained" => lambda do |values, numbers|
        "#{numbers.whole(values[:drained])} of them in #{numbers.figure(values[:seconds])} s " \
          "after the load had ended; requests/s doesn't count these"
      end,
      "load_plain" => "%{rate|figure} requests/s by a plain count: near the beginning and the " \
                      "end of the load responses count in part, and so do pauses of the server " \
                      "there",
      "load_uneven" => lambda do |values, numbers|
        "for #{numbers.figure(values[:seconds])} s of #{numbers.figure(values[:duration_s])} s " \
          "not all connections had requests left: they share the number equally. Load by time " \
          "(-d) keeps all busy"
      end,
      "load_as_expected" => "as expected",
      "load_body" => " with the same %{length|count} bytes",
      "load_length" => " with %{length|count} bytes",
      "load_status" => ", the body different each time and so not compared",
      "load_unchecked" => "",
      "load_each_with" => ", each with %{text}",
      "load_errors" => "%{total|count}: %{classes}",
      "load_first_wrong" => lambda do |values, _|
        "the first wrong answer#{began.call(values, 'an empty body')}"
      end,
      "load_unanswered" => lambda do |values, numbers|
        count, never = values[:count], values[:unsent].to_i
        next "1 request without a correct response#{' (never sent)' if never.positive?} " \
             "ranks as slower than all others" if count == 1

        sent = " (#{numbers.whole(never)} of them never sent)" if never.positive?
        "#{numbers.whole(count)} requests without a correct response#{sent} rank as slower " \
          "than all others"
      end,
      "load_queued" => "%{count|count} waited for a connection",
      "load_lag" => "the others sent %{p50|figure} ms after they were due (p99 %{p99|figure})",
      "load_tls" => lambda do |values, numbers|
        done, failed, p50_ms = values.values_at(:handshakes, :failed, :p50_ms)
        parts = ["TLS: #{numbers.counted(done, 'handshake')}",
                 *("#{numbers.latency_with_unit(p50_ms, nil)} in the median" if p50_ms),
                 *("#{numbers.whole(failed)} failed" if failed.positive?)]
        "#{parts.join(', ')} · certificates on this machine are not verified"
      end,
      "load_starved" => lambda do |values, numbers|
        count = values[:count]
        "#{numbers.whole(count)} connection#{'s' unless count == 1} waited up to " \
          "#{numbers.figure(values[:seconds])} s for a thread of the server: " \
          "try -c #{values[:enough]}"
      end,

      "stream_intent" => "%{request} at %{server} · %{kind}",
      "stream_joining" => "each joins %{channel}",
      "stream_opening" => "%{count} opened at %{rate|figure}/s",
      "stream_messages" => "%{rates} messages/s due%{to_all_clause}",
      "stream_posts" => "%{rates} messages/s due by POST %{path}%{to_all_clause}",
      "stream_to_all" => ", each to all connections",
      "stream_storm_intent" => "%{share|percent} dropped after %{seconds|figure} s",
      "stream_storm" => lambda do |values, numbers|
        next "The load ended before mohs dropped connections. " unless values[:after]

        reached, missed = { "half" => :half, "99 %" => :most, "all" => :all }.partition do |_, key|
          values[key]
        end
        times = reached.map { |_, key| numbers.latency_with_unit(values[key], nil) }
        first, *others = reached.map(&:first).zip(times)
        back = "#{[first.join(' were back '), *others.map { |one| one.join(' ') }].join(', ')} " \
               "later" if first
        not_back = "#{'but ' if back}not #{missed.first.first}#{' was back' unless back}" if
          missed.any?
        dropped, opened = values.values_at(:dropped, :opened).map { |one| numbers.whole(one) }
        "Dropped #{dropped} of #{opened} #{values[:kind]} after " \
          "#{numbers.figure(values[:after] / 1000)} s: #{[*back, *not_back].join(', ')}. "
      end,
      "stream_unreturned" => "%{count|count} did not come back: %{classes}",
      "stream_cut" => lambda do |values, numbers|
        "#{numbers.counted(values[:count], 'message')} under way from dropped connections " \
          "left out"
      end,
      "stream_meanwhile" => "before the drop, and meanwhile on the other connections: the time " \
                            "%{what}",
      "stream_before" => "before the drop: the time %{what}; there were no other connections",
      "stream_held" => lambda do |values, numbers|
        asked, held = values[:asked], values[:opened] - values[:dropped]
        came = "#{values[:otherwise_clause]}#{values[:came_clause]}"
        next "The #{values[:one]} stayed open#{came}." if [asked, held] == [1, 1]

        share = held == asked ? "All" : "#{numbers.whole(held)} of"
        "#{share} #{numbers.whole(asked)} #{values[:kind]} stayed open#{came}."
      end,
      "stream_events" => lambda do |values, numbers|
        ": #{numbers.counted(values[:count], 'event')} in #{values[:seconds]} s, " \
          "#{numbers.figure(values[:rate])}/s"
      end,
      "stream_echoes" => lambda do |values, numbers|
        sent, received = values[:sent], values[:received]
        share = sent == received ? "all" : numbers.whole(received)
        back = ", #{share} came back" if sent.positive?
        ": #{numbers.counted(sent, 'message')} sent in #{values[:seconds]} s#{back}"
      end,
      "stream_published" => lambda do |values, numbers|
        published, came, due = values.values_at(:published, :came, :due)
        share = "#{numbers.whole(came)} of #{numbers.whole(due)} times" unless came >= due
        where = ", which came to #{share ? "a connection #{share}" : 'all'}" if
          published.positive? && due.positive?
        ": #{numbers.counted(published, 'message')} published in #{values[:seconds]} s#{where}"
      end,
      "stream_no_messages" => " for %{seconds} s",
      "stream_errors" => "%{total|count} not opened: %{classes}",
      "stream_rejected" => "the server rejected %{channel}: its `subscribed` may, and so may the " \
                           "connection's `connect`, of someone who is not logged in (-H " \
                           "\"Cookie: ...\")",
      "stream_unjoined" => "the server did not say whether %{channel} was joined: has the " \
                           "application such a channel?",
      "stream_first_wrong" => lambda do |values, _|
        "the first answer that was no #{values[:kind]}#{began.call(values, 'no body')}"
      end,
      "stream_first_refused" => lambda do |values, _|
        "the first answer to a POST that took no message#{began.call(values, 'no body')}"
      end,
      "stream_unpublished" => lambda do |values, numbers|
        ranks = values[:count] == 1 ? "ranks" : "rank"
        why = ["the POST was not answered with 2xx (%s)",
               "no stream was open, or the POST was not answered before the end (%s)"]
        why = why.zip(values.values_at(:refused, :waited)).select(&:last)
        why = why.map { |text, classes| format(text, classes) }.join("; ")
        "#{numbers.counted(values[:count], 'message')} not published, which #{ranks} as slower " \
          "than all others: #{why}"
      end,
      "stream_unheard" => "%{missed|count} of %{due|count} times a message did not come to a " \
                          "stream: does every process of the server get what another one takes " \
                          "(Redis or the like)?",
      "stream_silent" => "%{count|count} opened without an event: they rank as slower than all " \
                         "others",
      "stream_stopped" => lambda do |values, numbers|
        "#{numbers.counted(values[:count], 'stream')} silent at the end for longer than between " \
          "any two of their events: each counts as one gap, slower than all others"
      end,
      "stream_missed" => "%{missed|count} of %{due|count} times a message did not come to a " \
                         "connection",
      "stream_lost" => lambda do |values, numbers|
        ranks = values[:count] == 1 ? "ranks" : "rank"
        "#{numbers.counted(values[:count], 'message')} did not come back, which #{ranks} as " \
          "slower than all others"
      end,
      "stream_unsent" => lambda do |values, numbers|
        "#{numbers.counted(values[:count], 'message')} not sent: no connection was open, or took " \
          "more"
      end,
      "stream_odd" => lambda do |values, numbers|
        "of what came back, #{odd.call(values, numbers)}"
      end,
      "stream_odd_events" => lambda do |values, numbers|
        "of what came to the streams, #{odd.call(values, numbers)}"
      end,
      "stream_dropped" => "%{count|count} dropped by the server: %{ends}",
      "stream_unasked" => "%{count|count} were not opened: there was no time for more at " \
                          "%{rate|figure}/s (--open-rate)",
      "stream_lag" => "messages left %{p50|figure} ms after they were due (p99 %{p99|figure})",
      "stream_post_lag" => "messages left %{p50|figure} ms after they were due (p99 " \
                           "%{p99|figure}), each behind the POST before it",
      "stream_driver" => lambda do |values, numbers|
        "opened at #{numbers.figure(values[:rate])}/s · driver #{numbers.tenths(values[:cores])} " \
          "of its core"
      end,

      "connections_found" => "%{figure} stays below %{time} with %{kept|count} connections, and " \
                             "not with %{missed|count}.",
      "connections_at_least" => lambda do |values, numbers|
        "#{values[:figure]} stayed below #{values[:time]} with every number of connections " \
          "tried, up to #{numbers.whole(values[:kept])}#{values[:why_clause]}."
      end,
      "connections_most" => ", the most that this machine can open",
      "connections_no_time" => "; there was no time for more",
      "connections_none" => "%{figure} was never below %{time}, not even with one connection.",
      "connections_gone" => "The server opened none of %{count|count} connections: %{classes}.",
      "connections_unpublished" => "No message was published: no POST to %{path} was answered " \
                                   "with 2xx (%{classes}).",
      "connections_spoiled" => "The driver could not make this load: %{reason}.",
      "connections_undecided" => lambda do |values, numbers|
        next "There was no time for a single load." if values[:loads].zero?

        loads = numbers.counted(values[:loads], "load")
        decides = values[:loads] == 1 ? "decides" : "decide"
        next "There was time for #{loads}, which #{decides} nothing: use a longer -d." unless
          values[:missed]

        missed = numbers.whole(values[:missed])
        "#{values[:figure]} was not below #{values[:time]} with #{missed} connections; there was " \
          "no time for fewer."
      end,
      "connections_wide" => "the time was over before the range was narrow: use a longer -d",
      "connections_highest" => "the most connections with %{limit}",
      "connections_opening" => lambda do |values, numbers|
        rate = values[:rate]
        rate ? "opened at #{numbers.figure(rate)}/s" : "opened within a second"
      end,

      "short_probes" => lambda do |values, numbers|
        "at these rates a probe has too few requests for #{values[:figure]}, which makes the " \
          "interval too narrow: use -d #{numbers.rough_option(values[:needed_s])}"
      end,
      "rate_found" => "%{figure} stays below %{time} up to %{value|figure} requests/s " \
                      "[%{low|figure}, %{high|figure}].",
      "rate_none" => "%{figure} was never below %{time}, not even at %{rate|figure} requests/s.",
      "rate_at_least" => "%{figure} stayed below %{time} at every rate tried, up to " \
                         "%{rate|figure} requests/s; there was no time for more.",
      "rate_gone" => "The server stopped responding, at %{rate|figure} requests/s.",
      "rate_gone_at_once" => "The server stopped responding, in a closed loop.",
      "rate_spoiled" => "The driver could not generate this load: %{reason}.",
      "rate_no_time" => "There was no time for a single probe.",
    }.freeze
  end
end
