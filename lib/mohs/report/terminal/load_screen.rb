# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The final screen of `mohs load`, from its document.
      class LoadScreen
        INDENT = 2
        # More is not promised: the host would set other limits first.
        MOST = 10
        NAMED = { min: "min", p50: "p50", p90: "p90", p99: "p99", p999: "p99.9", max: "max" }.freeze

        # When requests fall due, in words: "100 to 500 requests/s due at random (Poisson)". stages:
        # each [rate at its start, at its end | nil]; none where each has a time of its own.
        #: (Array[[Numeric, Numeric?]], Symbol | String, ?burst: Integer) -> String
        def self.rate(stages, arrivals, burst: 1)
          return "requests due at given times" if arrivals.to_s == "times"

          rates = stages.map { |from, to| ends(from, to) }.join(", ")
          kind = " at random (Poisson)" if arrivals.to_s == "poisson"
          together = ", #{burst} at once" if burst > 1
          "#{rates} requests/s due#{kind}#{together}"
        end

        # A rate, or both ends of one that rises.
        #: (Numeric, Numeric?) -> String
        def self.ends(from, to)
          [from, *to].uniq.map { |rate|
            rate == rate.round ? Numbers.thousands(rate.round) : rate.to_s
          }.join(" to ")
        end

        #: (Hash[Symbol, untyped], style: Terminal::Style) -> void
        def initialize(document, style:)
          @document = document
          @style = style
        end

        #: () -> String
        def to_s
          lines = [@style.paint(:bold, @style.wrap(sentence)), *errors, *latency, *service,
                   *histogram, *batches, *scenario, arrivals, *steps, connections, driver,
                   *troubles]
          "#{lines.compact.join("\n")}\n"
        end

        private

        def requests = @document[:requests]

        def sentence
          sent, good = requests.values_at(:sent, :good)
          rate = Numbers.figure(@document[:rate_per_s])
          seconds = format("%.1f", @document[:duration_s])
          share = good && sent == good ? "all" : number(good)
          "#{rate} requests/s for #{seconds} s: #{number(sent)} sent, #{share} answered #{answers}."
        end

        # What was right, in words: as precise as what was checked.
        def answers
          return "as expected" unless @document[:answers].one?

          answer = @document[:answers].first
          bytes = "#{number(answer[:length])} bytes"
          body = { "body" => " with the same #{bytes}", "length" => " with #{bytes}",
                   "status" => ", the body different each time",
                   "unchecked" => "" }.fetch(answer[:kind])
          "#{answer[:status]}#{body}"
        end

        def errors
          total, by_class = @document[:errors].values_at(:total, :by_class)
          return [] if total.zero?

          classes = by_class.sort_by { |_, count| -count }
                            .map { |name, count| "#{name} #{number(count)}" }
          [painted(:red, "errors #{number(total)}: #{classes.join(', ')}"), *first_wrong]
        end

        # What a person asks for who is told that there was one.
        def first_wrong
          specimen = @document[:errors][:first_wrong] or return
          status = " had status #{specimen[:status]} and" if specimen[:status].positive?
          began = specimen[:bytes] == "".inspect ? "an empty body" : "began #{specimen[:bytes]}"
          @style.wrap("the first wrong answer#{status} #{began}", indent: INDENT)
        end

        def latency
          values = @document[:latency_ms]
          return [] unless values.values_at(*NAMED.keys).any?

          [figures(values)]
        end

        def batches = BatchTable.new(@document[:batches], style: @style).lines

        def scenario
          scenario = @document[:scenario] or return []
          ScenarioTable.new(scenario, style: @style).lines
        end

        # Beside the response times, what of them was the server's.
        def service
          return [] unless @document[:open_loop] && @document[:service_ms][:p50]

          [figures(@document[:service_ms])]
        end

        def figures(values)
          words = NAMED.map { |key, name| "#{name} #{Numbers.figure(values[key])}" }
          @style.flow(["latency (#{values[:kind]}, ms)", *words], gap: "   ", indent: INDENT)
        end

        def arrivals
          facts = @document[:open_loop] or return
          parts(self.class.rate(rates, facts[:arrivals], burst: facts[:burst]),
                "#{number(facts[:queued])} waited for a connection", *lag)
        end

        def rates
          stages = @document[:steps].empty? ? [@document[:open_loop]] : @document[:steps]
          stages.map { |stage| stage.values_at(:rate_per_s, :to_per_s) }
        end

        STEPS = ["requests/s due", "answered/s", "p50, ms", "p99, ms", "max, ms", "late",
                 "errors"].freeze

        # A line for each.
        def steps
          rows = @document[:steps].map { |step| row(step) }
          return [] if rows.empty?

          Columns.new([STEPS, *rows], figures: (0..)).lines.map { |line| "  #{line}" }
        end

        def row(step)
          [self.class.ends(*step.values_at(:rate_per_s, :to_per_s)),
           Numbers.figure(step[:answered_per_s]),
           *step[:response_ms].values_at(:p50, :p99, :max).map { |time| Numbers.figure(time) },
           number(step[:late]), number(step[:errors])]
        end

        def lag
          p50, p99 = @document[:send_lag_ms].values_at(:p50, :p99)
          return unless p50

          "the others sent #{Numbers.figure(p50)} ms after they were due " \
            "(p99 #{Numbers.figure(p99)})"
        end

        def histogram = LoadHistogram.new(@document[:histogram], style: @style).lines

        def connections
          counts = @document[:connections]
          told = %i[asked opened lost].map { |key| "#{number(counts[key])} #{key}" }.join(", ")
          return "connections #{told}" if @document[:steps].any?

          each = counts.values_at(:requests_min, :requests_max).map { |count| number(count) }
          parts("connections #{told}", "#{each.join(' to ')} requests each")
        end

        def driver
          threads, cores = @document.values_at(:threads, :driver_cores)
          return unless cores
          return "#{driver_name} #{Numbers.figure(cores)} cores" unless threads

          whose = threads == 1 ? "its core" : "each of its #{threads} cores"
          share = Numbers.tenths(cores / threads)
          parts("#{driver_name} #{share} of #{whose}#{spare(threads / cores)}", *headroom, *little)
        end

        # The name of another tool.
        def driver_name
          name = @document[:driver]
          [nil, "native"].include?(name) ? "driver" : name
        end

        # A driver that is itself busy measures itself. As its CPU time tells, where it was not
        # tried.
        def spare(times)
          return "" if times < 2 || headroom

          "; at this rate it could send #{[times.floor, MOST].min} times as much"
        end

        def headroom = held("headroom")&.then { |detail| "headroom #{detail}" }

        def little = held("little_law")&.then { |detail| "Little's law #{detail}" }

        # The detail of a check that is content.
        def held(name)
          check = @document[:checks].find { |candidate| candidate[:name] == name }
          check[:detail] if check && check[:ok]
        end

        def troubles
          @document[:checks].reject { |check| check[:ok] }.map do |check|
            painted(:yellow, "#{check[:name].tr('_', ' ')}: #{check[:detail]}")
          end
        end

        def parts(*texts) = @style.wrap(texts.join(" · "), indent: INDENT)

        def painted(colour, text) = @style.paint(colour, @style.wrap(text, indent: INDENT))

        def number(value) = Numbers.whole(value)
      end
    end
  end
end
