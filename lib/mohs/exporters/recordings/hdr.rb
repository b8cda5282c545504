# frozen_string_literal: true

require "time"

module Mohs
  module Exporters
    module Recordings
      # An HdrHistogram log (format 1.3): for each second of the load, a histogram of the latencies
      # in ns of the correct responses that ended in it; its maximum is in ms, as is usual in such
      # logs. A second without responses has an empty histogram, so that a stall is visible.
      class Hdr < Base
        HELP = "a log of HdrHistogram, a histogram a second (-: stdout)"
        FIELDS = %i[due_ns sent_ns done_ns error flags].freeze
        WARM_UP = Load::Recording::FLAGS.fetch(:warm_up)
        INTERVAL_NS = 1_000_000_000
        LEGEND = '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"'

        #: (Load::Result) -> void
        def write(result)
          @out.write(head(result))
          histograms = histograms(result)
          (0..last(result, histograms)).each do |number|
            @out.write(line(result, number, histograms.fetch(number) { HdrHistogram.new }))
          end
        end

        private

        def head(result)
          start_ns = result.epoch_real_ns + result.step.started_ns
          time = Time.at(*start_ns.divmod(1_000_000_000), :nsec, in: "UTC").round(3)
          ["#[mohs #{result.versions[:mohs]}: #{result.kind} times in ns of #{result.server}]",
           "#[Histogram log format version 1.3]",
           format("#[StartTime: %.3f (seconds since epoch), %s]", time.to_r, time.iso8601(3)),
           format("#[BaseTime: %.3f (seconds since epoch)]", time.to_r), LEGEND, ""].join("\n")
        end

        # { second => HdrHistogram }. Threads were recorded one after the other, so all seconds stay
        # open.
        def histograms(result)
          histograms = Hash.new { |all, number| all[number] = HdrHistogram.new }
          service = result.kind == :service
          result.recording.each_row(FIELDS) do |due, sent, done, error, flags|
            next unless error.zero? && (flags & WARM_UP).zero?

            ended_ns = due + done - result.step.started_ns
            histograms[ended_ns / INTERVAL_NS].record(service ? [done - sent, 0].max : done)
          end
          histograms
        end

        # The second in which the load or the last response ended.
        def last(result, histograms)
          [(result.step.wall_ns - 1) / INTERVAL_NS, *histograms.keys, 0].max
        end

        def line(result, number, histogram)
          from_ns = number * INTERVAL_NS
          length_ns = (result.step.wall_ns - from_ns).clamp(1_000_000, INTERVAL_NS)
          format("%.3f,%.3f,%.3f,%s\n", from_ns / 1e9, length_ns / 1e9, histogram.max / 1e6,
                 histogram.to_base64)
        end
      end
    end
  end
end
