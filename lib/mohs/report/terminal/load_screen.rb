# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The final screen of `mohs load`, from its document.
      class LoadScreen
        INDENT = 2
        # More is not promised: the host would set other limits first.
        MOST = 10

        #: (Hash[Symbol, untyped], style: Terminal::Style) -> void
        def initialize(document, style:)
          @document = document
          @style = style
        end

        #: () -> String
        def to_s
          lines = [@style.paint(:bold, @style.wrap(sentence)), *errors, *latency, connections,
                   driver, *troubles]
          "#{lines.compact.join("\n")}\n"
        end

        private

        def requests = @document[:requests]

        def sentence
          sent, good = requests.values_at(:sent, :good)
          rate = Numbers.figure(@document[:rate_per_s])
          seconds = format("%.1f", @document[:duration_s])
          share = sent == good ? "all" : number(good)
          "#{rate} requests/s for #{seconds} s: #{number(sent)} sent, #{share} answered #{answers}."
        end

        # What was right, in words: as precise as what was checked.
        def answers
          return "as each request should be" unless @document[:answers].one?

          answer = @document[:answers].first
          bytes = "#{number(answer[:length])} bytes"
          body = { "body" => " with the same #{bytes}", "length" => " with #{bytes}",
                   "status" => ", the body another each time" }.fetch(answer[:kind])
          "#{answer[:status]}#{body}"
        end

        def errors
          total, by_class = @document[:errors].values_at(:total, :by_class)
          return [] if total.zero?

          classes = by_class.sort_by { |_, count| -count }
                            .map { |name, count| "#{name} #{number(count)}" }
          [painted(:red, "errors #{number(total)}: #{classes.join(', ')}")]
        end

        def latency
          values = @document[:latency_ms]
          return [] unless values[:p50]

          named = { min: "min", p50: "p50", p90: "p90", p99: "p99", p999: "p99.9", max: "max" }
          figures = named.map { |key, name| "#{name} #{Numbers.figure(values[key])}" }
          ["latency (#{values[:kind]}, ms)   #{figures.join('   ')}", histogram(values)].compact
        end

        def histogram(values)
          bars = @document[:histogram].map { |bar| bar[:count] }
          return if bars.size < 2

          from, to = values.values_at(:min, :max).map { |value| Numbers.figure(value) }
          "  #{from} ▏#{Sparkline.of(bars)}▏ #{to}"
        end

        def connections
          counts = @document[:connections]
          told = %i[asked opened lost].map { |key| "#{number(counts[key])} #{key}" }.join(", ")
          each = counts.values_at(:requests_min, :requests_max).map { |count| number(count) }
          "connections #{told} · #{each.join(' to ')} requests each"
        end

        def driver
          threads, cores = @document.values_at(:threads, :driver_cores)
          return unless cores

          whose = threads == 1 ? "its core" : "each of its #{threads} cores"
          share = Numbers.percent(cores / threads)
          ["driver #{share} of #{whose}#{spare(threads / cores)}", *little].join(" · ")
        end

        # A driver that is itself busy measures itself.
        def spare(times)
          return "" if times < 2

          "; at this rate it could send #{[times.floor, MOST].min} times as much"
        end

        def little
          check = @document[:checks].find { |candidate| candidate[:name] == "little_law" }
          "Little's law #{check[:detail]}" if check && check[:ok]
        end

        def troubles
          @document[:checks].reject { |check| check[:ok] }.map do |check|
            painted(:yellow, "#{check[:name].tr('_', ' ')}: #{check[:detail]}")
          end
        end

        def painted(colour, text) = @style.paint(colour, @style.wrap(text, indent: INDENT))

        def number(value) = Numbers.thousands(value)
      end
    end
  end
end
