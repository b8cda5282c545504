# frozen_string_literal: true

module Mohs
  module Report
    # Numbers and ratios as a user reads them, the same on screens, in tables and in sentences: no
    # more digits than are worth reading, thousands apart, a dash for unknown values.
    module Numbers
      NONE = "–"

      # Half of an interval, as a share of its figure. A wider interval says nothing; beside a
      # verdict that is narrow because both sides shared a machine, it would look like an error.
      WIDEST_HALF = 0.5

      # The formats that a template of Report::Render may write after a value's name, and their
      # functions in this module.
      FORMATS = {
        "percent" => :percent, "exact" => :exact_percent, "signed" => :signed, "count" => :whole,
        "number" => :number, "figure" => :figure, "short" => :short, "ms" => :ms, "us" => :us,
        "gb" => :gigabytes, "seconds" => :seconds, "list" => :list, "counts" => :counts,
        "times" => :times, "name" => :called, "cores" => :cores,
      }.freeze

      # Bytes of a megabyte: memory is printed in decimal units.
      MEGABYTE = 1e6

      # A name of letters alone, which would read as a word of the sentence around it. Names that
      # mohs derives from a variant's settings contain a version or a server's size. A and B are the
      # sides of a comparison.
      WORDS = /\A(?![AB]\z)\p{Alpha}[\p{Alpha} _-]*\z/

      module_function

      # A variant's name in a sentence: in quotes if a user chose it and it looks like words.
      #: (Object) -> String
      def called(text) = text.to_s.match?(WORDS) ? text.inspect : text.to_s

      # Three significant digits, for a table: 0.58, 9.21, 88.1, 1 652.
      #: (Numeric?) -> String
      def figure(value)
        return NONE unless value
        return thousands(value.round) if value.abs >= 99.95

        format(value.abs >= 9.995 ? "%.1f" : "%.2f", value)
      end

      # A time in ms for a table; or the time that it exceeds, where a request without a correct
      # response held its rank: 9.21, > 503, > 4.01 s.
      #: (Numeric?, Numeric?) -> String
      def latency(time_ms, more_than_ms)
        text, unit = bounded(time_ms, more_than_ms)
        unit == "s" ? "#{text} s" : text
      end

      # The same where no column has the unit: "3.2 ms", "> 1.5 s".
      #: (Numeric?, Numeric?) -> String
      def latency_with_unit(time_ms, more_than_ms)
        bounded(time_ms, more_than_ms).join(" ")
      end

      # The number and its unit, if there is one.
      def bounded(time_ms, more_than_ms)
        return [figure(time_ms), *("ms" if time_ms)] unless more_than_ms
        return ["> #{figure(more_than_ms)}", "ms"] if more_than_ms < 1000

        ["> #{figure(more_than_ms / 1000.0)}", "s"]
      end

      # Two or three significant digits, for a sentence: 0.38, 3.1, 37, 1 204.
      #: (Numeric, ?decimals: Integer?) -> String
      def number(value, decimals: nil)
        decimals ||= value.is_a?(Integer) ? 0 : natural_decimals(value.abs)
        text = format("%.#{decimals}f", value)
        text = text.delete_prefix("-") if text.to_f.zero?
        thousands(text)
      end

      # Two significant digits without trailing zeros: 0.34, 5, 9.8, 12, 1 204.
      #: (Numeric) -> String
      def short(value) = value.abs < 9.95 ? format("%.2g", value) : thousands(value.round)

      # 342, 1 652.
      #: (Numeric?) -> String
      def whole(value) = value ? thousands(value.round) : NONE

      # Separates the thousands of an integer, or of a number as text.
      #: (Integer | String) -> String
      def thousands(number) = Wording.thousands(number)

      # A share in a sentence: 0.34 %, 5 %, 12 %.
      #: (Numeric) -> String
      def percent(share) = "#{short(share * 100)} %"

      # A share in a column of shares: 0.3 %, 5.0 %, 12 %.
      #: (Numeric) -> String
      def tenths(share)
        value = share * 100
        "#{value.abs >= 9.95 ? thousands(value.round) : format('%.1f', value)} %"
      end

      # A share of a whole, in a column of shares: 0.3 %, 62.4 %.
      #: (Numeric) -> String
      def share(share) = "#{format('%.1f', share * 100)} %"

      # An interval of shares, in percentage points: [4.9, 6.2], [14, 21].
      #: ([Numeric, Numeric]) -> String
      def shares(interval)
        low, high = interval.map { |share| share * 100 }
        decimals = high - low < Change::NARROW ? 1 : 0
        "[#{[low, high].map { |one| number(one, decimals:) }.join(', ')}]"
      end

      # Digits after the point of what somebody typed; more are rounding errors.
      TYPED = 6

      # A share that somebody typed, such as a margin, with all of its digits: 1 %, 2.345 %.
      #: (Numeric) -> String
      def exact_percent(share) = "#{trimmed(format("%.#{TYPED}f", share * 100))} %"

      # A ratio that somebody typed as a change: +2.345 %.
      #: (Numeric) -> String
      def exact_signed(ratio)
        "#{trimmed(format("%+.#{TYPED}f", ((ratio - 1) * 100).round(TYPED)))} %"
      end

      # A number in decimals without those that say nothing: 2.50 is 2.5, 3.0 is 3, 400 stays.
      #: (String) -> String
      def trimmed(text) = text.include?(".") ? text.sub(/\.?0+\z/, "") : text

      # A share that grows while somebody watches: 3 %, 34 %.
      #: (Numeric) -> String
      def whole_percent(share) = "#{whole(share * 100)} %"

      # A ratio as a change: +0.2 %, -37 %, 3.4 times.
      #: (Float) -> String
      def signed(ratio) = Change.of(ratio).signed

      # Half of the interval of an estimate { value:, low:, high: }: "±1.1 %"; nil if it has no
      # interval, or none worth reading.
      #: (Hash[Symbol, Numeric?]?) -> String?
      def spread(estimate)
        width = half_width(estimate)
        "±#{width}" if width
      end

      # The same without its sign.
      #: (Hash[Symbol, Numeric?]?) -> String?
      def half_width(estimate)
        half = half(estimate)
        tenths(half) unless half.nil? || half > WIDEST_HALF
      end

      # The ends of an estimate's interval: "[190, 206]"; "[190, ∞)" for a bound; nil if there is
      # none.
      #: (Hash[Symbol, Numeric?]) -> String?
      def ends(estimate)
        bracket(*estimate.values_at(:low, :high).map { |one| one && figure(one) })
      end

      # "[190, 206]" of ends that are texts or numbers; "[190, ∞)" without a high end; nil without a
      # low one.
      #: (String | Numeric | nil, String | Numeric | nil) -> String?
      def bracket(low, high)
        return unless low

        high ? "[#{low}, #{high}]" : "[#{low}, ∞)"
      end

      # Whether the estimate's interval is too wide to be worth reading.
      #: (Hash[Symbol, Numeric?]?) -> bool
      def scattered?(estimate) = half(estimate).to_f > WIDEST_HALF

      # A verdict in a table cell: "37 % faster [36, 39]", "undecided [-1, 3]".
      #: (Analysis::Verdict) -> String
      def verdict(verdict)
        effect, low, high = verdict.to_h.values_at(:effect, :low, :high)
        change = Change.new({ effect:, interval: verdict.equal || (low && [low, high]) }) if effect
        case verdict.outcome
        when :faster, :slower
          "#{change.directed('faster', 'slower', 'fast')} #{change.bracket}"
        when :equivalent then "equal within #{exact_percent(verdict.margin)} #{change.interval}"
        when :undecided then undecided(change)
        when :baseline then "baseline"
        else "no verdict"
        end
      end

      # From nanoseconds: 0.15 ms, 2.5 ms, 120 ms.
      #: (Numeric) -> String
      def ms(ns) = "#{short(ns / 1e6)} ms"

      # From nanoseconds: 1.2 us.
      #: (Numeric) -> String
      def us(ns) = "#{short(ns / 1e3)} us"

      # 1 core, 8 cores.
      #: (Numeric) -> String
      def cores(count) = counted(count, "core")

      # 0.52 s, 30 s.
      #: (Numeric) -> String
      def seconds(seconds) = "#{short(seconds)} s"

      # 45 s, 1 min 50 s, 12 min.
      #: (Numeric) -> String
      def duration(seconds)
        minutes, rest = seconds.round.divmod(60)
        return "#{rest} s" if minutes.zero?

        rest.zero? || minutes >= 10 ? "#{minutes} min" : "#{minutes} min #{rest} s"
      end

      # An estimate, rounded up: 40 s, 2 min.
      #: (Numeric) -> String
      def rough_duration(seconds)
        rough = rough(seconds)
        rough < 90 ? "#{rough} s" : "#{rough / 60} min"
      end

      # The same as options take it: 40s, 2m.
      #: (Numeric) -> String
      def rough_option(seconds)
        rough = rough(seconds)
        (rough % 60).zero? ? "#{rough / 60}m" : "#{rough}s"
      end

      # Settings as one types them, in a sentence on what they would do: --budget 5m (Proposal).
      #: (**untyped) -> String
      def typed(**settings) = Proposal.typed(**settings)

      # A command in a sentence.
      #: (String, *String, **untyped) -> String
      def command(...) = Proposal.to(...).to_s

      # A share as options take it: 1%, 0.5%.
      #: (Numeric) -> String
      def option_percent(share) = exact_percent(share).delete(" ")

      # 0:46, 12:05, 1:02:00.
      #: (Numeric) -> String
      def clock(seconds)
        minutes, rest = seconds.round.divmod(60)
        hours, minutes = minutes.divmod(60)
        return format("%d:%02d", minutes, rest) if hours.zero?

        format("%d:%02d:%02d", hours, minutes, rest)
      end

      # A time given in ms since 1970, in this machine's time zone: 2026-11-21 14:05.
      #: (Integer) -> String
      def minute(at_ms) = Time.at(at_ms / 1000).strftime("%Y-%m-%d %H:%M")

      # 2026-11-21.
      #: (Integer) -> String
      def day(at_ms) = minute(at_ms)[0, 10]

      # A change in bytes: +3.1 MB, -12 kB, +90 bytes.
      #: (Integer) -> String
      def bytes(change) = "#{change.negative? ? '-' : '+'}#{size(change.abs)}"

      # A size in bytes: 3.1 MB, 12 kB, 90 bytes.
      #: (Integer) -> String
      def size(bytes)
        return "#{bytes} bytes" if bytes < 1000

        bytes < 1_000_000 ? "#{short(bytes / 1e3)} kB" : "#{short(bytes / MEGABYTE)} MB"
      end

      # From bytes, in units of 2**30: 1.5 GB.
      #: (Numeric) -> String
      def gigabytes(bytes) = "#{format('%.1f', bytes.fdiv(2**30))} GB"

      # "1 cohort", "3 cohorts", "2 processes", "1 204 requests".
      #: (Integer, String, ?String) -> String
      def counted(number, noun, many = "#{noun}s")
        "#{thousands(number)} #{number == 1 ? noun : many}"
      end

      # A number of times: once, 2 times, 2 413 times.
      #: (Numeric) -> String
      def times(count) = count == 1 ? "once" : "#{whole(count)} times"

      #: (Array[Object]) -> String
      def list(values) = values.join(", ")

      # From [[name, count], ...]: "3 timeout, 1 wrong body".
      #: (Array[[String, Integer]]) -> String
      def counts(pairs)
        pairs.map { |name, count| "#{whole(count)} #{name.tr('_', ' ')}" }.join(", ")
      end

      def half(estimate)
        value, low, high = estimate&.values_at(:value, :low, :high)
        (high - low) / 2.0 / value if value && low && high && value.positive?
      end

      def natural_decimals(size)
        return 0 if size >= 9.95 || size.zero?

        size >= 0.095 ? 1 : 2
      end

      # Estimates of long times change while a run goes on: minutes would only seem precise.
      def rough(seconds)
        return seconds.ceil(-1) if seconds < 90

        step_s = seconds > 1200 ? 300 : 60
        seconds.fdiv(step_s).ceil * step_s
      end

      def undecided(change)
        return "undecided" unless change
        return "#{change.signed}, no interval" unless change.interval

        ["undecided", *(change.amount if change.times?), change.interval].join(" ")
      end

      private_class_method :bounded, :half, :natural_decimals, :rough, :undecided
    end
  end
end
