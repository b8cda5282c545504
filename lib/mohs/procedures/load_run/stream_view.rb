# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load of event streams or WebSockets: how many lasted, how soon they opened, and how their
    # events came, or their messages came back.
    class StreamView < Report::Views::Base
      include FailedChecks

      KIND = "load --stream"
      LACKS = "a load has no variants"
      SECTIONS = [RemarksSection, Report::Sections::Provenance].freeze
      LATENCIES = { opening_ms: "to open", first_event_ms: "to the first event",
                    gap_ms: "between events", echo_ms: "to come back, from due",
                    echo_service_ms: "from sent", half_ms: "until half have it",
                    most_ms: "until 99 % have it", all_ms: "until all have it",
                    publish_ms: "until the POST is answered",
                    again_ms: "back, from due", before_ms: "before the drop",
                    during_ms: "meanwhile" }.freeze
      # Of these, what a storm has.
      STORM = %i[again_ms before_ms during_ms].freeze
      # What to look for, by the class of what was not joined.
      UNJOINED = { "rejected" => "stream_rejected", Load::IN_FLIGHT => "stream_unjoined",
                   "timeout" => "stream_unjoined" }.freeze

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = document[:command] == "load" && document.key?(:streams)

      private

      def called = @document[:server]

      def subject = View.subject(@document)

      def headline
        opened, dropped = streams.values_at(:opened, :dropped)
        otherwise_clause = " otherwise" if storm&.fetch(:began_ms)
        held = say("stream_held", asked: @document[:connections], opened:, dropped:, kind: kinds,
                                  one: kind, otherwise_clause:, came_clause: came)
        "#{stormed}#{held}"
      end

      def storm = @document[:storm]

      # How soon those were back that mohs dropped.
      def stormed
        return unless storm

        half, most, all = storm.values_at(:half_back_ms, :most_back_ms, :all_back_ms)
        say("stream_storm", after: storm[:began_ms], dropped: storm[:dropped], half:, most:, all:,
                            opened: streams[:opened], kind: kinds)
      end

      def kinds = "#{kind}s"

      # One of them.
      def kind
        return "subscription" if @document[:channel]

        websocket? ? "WebSocket" : "stream"
      end

      def websocket? = @document[:protocol] == "websocket"

      def publish = @document[:publish]

      def came
        seconds = format("%.1f", @document[:duration_s])
        events, messages = @document.values_at(:events, :messages)
        if publish
          say("stream_published", published: messages[:sent], seconds:, **@document[:fan_out])
        elsif events
          say("stream_events", **events.slice(:count), seconds:, rate: @document[:events_per_s])
        elsif messages[:due].zero?
          say("stream_no_messages", seconds:)
        else
          say("stream_echoes", **messages.slice(:sent, :received), seconds:)
        end
      end

      # The answer says it.
      def basis = nil

      def streams = @document[:streams]

      def facts
        [["streams", "#{Report::Numbers.whole(streams[:opened])} opened, " \
                     "#{Report::Numbers.whole(streams[:dropped])} dropped"],
         ["how fast", speed], *LATENCIES.map { |key, title| [title, times(key)] },
         ["driver", "#{Report::Numbers.figure(@document[:driver_cores])} cores"]]
      end

      def speed
        return "#{Report::Numbers.figure(@document[:events_per_s])} events/s" unless websocket?

        "#{Report::Numbers.whole(@document[:messages][:received])} messages came back"
      end

      def times(key)
        return [] unless times_of(key)

        %i[p50 p99 max].filter_map do |name|
          value, bound = latency(key, name)
          "#{name} #{Report::Numbers.latency_with_unit(value, bound)}" if value || bound
        end
      end

      # [its ms, or else the ms that it exceeds]
      def latency(key, name)
        times = times_of(key)
        [times[name], times.dig(:more_than, name)]
      end

      def times_of(key) = (STORM.include?(key) ? storm : @document)&.fetch(key)

      def tables
        rows = LATENCIES.filter_map { |key, title| row(key, title) }
        columns = View::TIMES.map { |key, title| column(key, title, figure: true) }
        return [] if rows.empty?

        [table(:latencies, [column(:kind, "ms"), *columns], rows, runs_on: true)]
      end

      def row(key, title)
        return unless times_of(key)

        times = View::TIMES.keys.to_h do |name|
          value, bound = latency(key, name)
          [name, cell(Report::Numbers.latency(value, bound), value: value || bound)]
        end
        { kind: cell(title), **times } if times.any? { |_, one| one.value }
      end

      def remarks
        [*errors, *unjoined, *first_wrong, *first_refused, *silent, *stopped, *messages,
         *dropped, *returns,
         *unasked, *lag, driver, *failed_checks]
      end

      def classes(counts)
        counts.sort_by { |_, count| -count }
              .map { |name, count| "#{name} #{Report::Numbers.whole(count)}" }.join(", ")
      end

      def errors
        total, by_class = @document[:errors].values_at(:total, :by_class)
        return [] if total.zero?

        [remark("errors", say("stream_errors", total:, classes: classes(by_class)), code: :errors)]
      end

      # What keeps a client out of a channel is in no response.
      def unjoined
        channel, counts = @document[:channel], @document[:errors][:by_class]
        return [] unless channel

        UNJOINED.slice(*counts.keys.map(&:to_s)).map do |_, code|
          remark("channel", say(code, channel:), code: :channel)
        end
      end

      def first_wrong
        failed = @document[:errors][:first_wrong] or return []
        kind = websocket? ? "upgrade" : "event stream"
        [remark("first", say("stream_first_wrong", kind:, **failed.slice(:status, :bytes)),
                code: :first_wrong)]
      end

      def first_refused
        failed = publish&.fetch(:first_refused) or return []
        text = say("stream_first_refused", **failed.slice(:status, :bytes))
        [remark("POST", text, code: :first_refused)]
      end

      # Where mohs publishes, events are those messages, and none came before the first.
      def silent
        count = websocket? || publish ? 0 : streams[:opened] - streams[:speaking]
        count.zero? ? [] : [remark("silent", say("stream_silent", count:), code: :silent)]
      end

      # Streams that fell silent. However long, a silence is one gap among many, and may be in none
      # of the percentiles.
      def stopped
        count = @document[:silent_at_end].to_i
        none = count.zero? || @document[:gap_ms][:min].nil? # no stream has had two events
        none ? [] : [remark("stopped", say("stream_stopped", count:), code: :stopped)]
      end

      # What did not come back, or came otherwise.
      def messages
        counts = @document[:messages] or return []
        return published(counts) if publish

        odd = counts.slice(:disordered, :repeated, :others)
        strange = [remark("odd", say("stream_odd", **odd), code: :odd)]
        [*missed, *some(:lost, counts[:lost]), *some(:unsent, counts[:unsent]),
         *(strange if odd.values.sum.positive?)]
      end

      # Messages that mohs posts. Who sends events of its own beside them may do so.
      def published(counts)
        odd = counts.slice(:disordered, :repeated)
        strange = [remark("odd", say("stream_odd_events", **odd), code: :odd)]
        unheard = streams[:dropped].zero? ? "stream_unheard" : "stream_missed"
        [*missed(unheard), *unpublished(counts[:unsent]),
         *(strange if odd.values.sum.positive?)]
      end

      def unpublished(count)
        return [] if count.zero?

        reasons = publish[:by_class].partition { |name, _| name.to_s == Load::IN_FLIGHT }
        waited, refused = reasons.map { |counts| classes(counts) if counts.any? }
        [remark("unsent", say("stream_unpublished", count:, refused:, waited:), code: :unsent)]
      end

      # Deliveries of messages that should have come to all.
      def missed(code = "stream_missed")
        due, came = @document[:fan_out]&.values_at(:due, :came)
        return [] if due.nil? || came >= due

        [remark("missed", say(code, missed: due - came, due:), code: :missed)]
      end

      def some(name, count)
        return [] if count.zero?

        [remark(name.to_s, say("stream_#{name}", count:), code: name)]
      end

      def lag
        p50, p99 = @document[:send_lag_ms]&.values_at(:p50, :p99)
        name = publish ? "stream_post_lag" : "stream_lag"
        p50 ? [remark("lag", say(name, p50:, p99:), code: :lag)] : []
      end

      def dropped
        count = streams[:dropped]
        return [] if count.zero?

        ends = classes(streams[:dropped_by])
        [remark("dropped", say("stream_dropped", count:, ends:), code: :dropped)]
      end

      # What became of the connections that mohs dropped, and what the others' times are.
      def returns
        return [] unless storm

        [*unreturned, *some(:cut, storm[:cut]), *([meanwhile] if storm[:before_ms])]
      end

      def unreturned
        count = storm[:failed]
        return [] if count.zero?

        text = say("stream_unreturned", count:, classes: classes(storm[:by_class]))
        [remark("not back", text, code: :unreturned)]
      end

      def meanwhile
        what = websocket? ? "until a message is back" : "between two events"
        what = "until all have a message" if @document[:fan_out]
        alone = storm[:during_ms].nil? && storm[:dropped] == streams[:opened]
        remark("meanwhile", say(alone ? "stream_before" : "stream_meanwhile", what:),
               code: :meanwhile)
      end

      # Streams whose time had not come when the load ended.
      def unasked
        count = @document[:connections] - streams[:asked]
        return [] if count.zero?

        [remark("not asked", say("stream_unasked", count:, rate: @document[:open_per_s]),
                code: :unasked)]
      end

      def driver
        remark("driver", say("stream_driver", cores: @document[:driver_cores],
                                              rate: @document[:open_per_s]), code: :driver)
      end
    end
  end
end
