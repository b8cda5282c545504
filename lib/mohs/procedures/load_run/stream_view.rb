# frozen_string_literal: true

module Mohs
  class LoadRun
    # A load of event streams: how many lasted, how soon they opened, and how their events came.
    class StreamView < Report::Views::Base
      KIND = "load --stream"
      LACKS = "a load has no variants"
      LATENCIES = { opening_ms: "to open", first_event_ms: "to the first event",
                    gap_ms: "between events" }.freeze

      #: (Hash[Symbol, untyped]) -> bool
      def self.of?(document) = document[:command] == "load" && document.key?(:streams)

      private

      def subject = Report::Subject.of_load(@document)

      def headline
        opened, dropped = streams.values_at(:opened, :dropped)
        say("stream_held", asked: @document[:connections], opened:, dropped:,
                           seconds: format("%.1f", @document[:duration_s]),
                           events: @document[:events][:count], rate: @document[:events_per_s])
      end

      # The answer says it.
      def basis = nil

      def streams = @document[:streams]

      def facts
        [["streams", "#{Report::Numbers.whole(streams[:opened])} opened, " \
                     "#{Report::Numbers.whole(streams[:dropped])} dropped"],
         ["how fast", "#{Report::Numbers.figure(@document[:events_per_s])} events/s"],
         ["to open", times(:opening_ms)], ["to the first event", times(:first_event_ms)],
         ["between events", times(:gap_ms)],
         ["driver", "#{Report::Numbers.figure(@document[:driver_cores])} cores"]]
      end

      def times(key)
        %i[p50 p99 max].filter_map do |name|
          value, bound = latency(key, name)
          "#{name} #{text(value, bound)}" if value || bound
        end
      end

      # [its ms, or else the ms that it exceeds]
      def latency(key, name)
        [@document[key][name], @document[key].dig(:more_than, name)]
      end

      def text(value, bound)
        text = Report::Numbers.latency(value, bound)
        text.end_with?("s") ? text : "#{text} ms"
      end

      def tables
        rows = LATENCIES.filter_map { |key, title| row(key, title) }
        columns = View::TIMES.map { |key, title| column(key, title, figure: true) }
        return [] if rows.empty?

        [table(:latencies, [column(:kind, "ms"), *columns], rows, runs_on: true)]
      end

      def row(key, title)
        times = View::TIMES.keys.to_h do |name|
          value, bound = latency(key, name)
          [name, cell(Report::Numbers.latency(value, bound), value: value || bound)]
        end
        { kind: cell(title), **times } if times.any? { |_, one| one.value }
      end

      def remarks
        [*errors, *first_wrong, *silent, *dropped, *unasked, driver, *failed_checks]
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

      def first_wrong
        failed = @document[:errors][:first_wrong] or return []
        return [remark("first", say("stream_first_wrong", **failed.slice(:status, :bytes)),
                       code: :first_wrong)]
      end

      def silent
        count = streams[:opened] - streams[:speaking]
        return [] if count.zero?

        [remark("silent", say("stream_silent", count:), code: :silent)]
      end

      def dropped
        count = streams[:dropped]
        return [] if count.zero?

        ends = classes(streams[:dropped_by])
        [remark("dropped", say("stream_dropped", count:, ends:), code: :dropped)]
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
