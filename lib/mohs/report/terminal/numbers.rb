# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Numbers as a person reads them: three significant digits, thousands set apart, a dash for
      # what isn't known.
      module Numbers
        NONE = "–"
        # Half of an interval, as a share of its figure: beyond it the width says nothing.
        WIDEST = 1.0

        module_function

        # 0.58, 9.21, 88.1, 1 652.
        #: (Numeric?) -> String
        def figure(value)
          return NONE unless value
          return thousands(value.round) if value.abs >= 99.95

          format(value.abs >= 9.995 ? "%.1f" : "%.2f", value)
        end

        # 342, 1 652.
        #: (Numeric?) -> String
        def whole(value) = value ? thousands(value.round) : NONE

        #: (Integer) -> String
        def thousands(integer) = integer.to_s.gsub(/(?<=\d)(?=(\d{3})+\z)/, " ")

        # An estimate { value:, low:, high: }: "1 652 ±1.1 %", or the value alone where there is no
        # interval.
        #: (Hash[Symbol, Numeric?]?) -> String
        def estimate(estimate)
          value, low, high = estimate&.values_at(:value, :low, :high)
          return figure(value) unless value && low && high && value.positive?

          half = (high - low) / 2.0 / value
          "#{figure(value)} ±#{half > WIDEST ? ">#{percent(WIDEST)}" : percent(half)}"
        end

        # Of a share: 1.1 %, 12 %.
        #: (Numeric) -> String
        def percent(share)
          value = share * 100
          "#{value.abs >= 9.95 ? thousands(value.round) : format('%.1f', value)} %"
        end

        # 0:46, 12:05, 1:02:00.
        #: (Numeric) -> String
        def clock(seconds)
          minutes, rest = seconds.round.divmod(60)
          hours, minutes = minutes.divmod(60)
          return format("%d:%02d", minutes, rest) if hours.zero?

          format("%d:%02d:%02d", hours, minutes, rest)
        end

        # 45 s, 1 min 50 s, 12 min.
        #: (Numeric) -> String
        def duration(seconds)
          minutes, rest = seconds.round.divmod(60)
          return "#{rest} s" if minutes.zero?

          rest.zero? || minutes >= 10 ? "#{minutes} min" : "#{minutes} min #{rest} s"
        end
      end
    end
  end
end
