# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The final screen of `mohs load`, from its document.
      class LoadScreen < Screen
        NAMED = { min: "min", p50: "p50", p90: "p90", p99: "p99", p999: "p99.9", max: "max" }.freeze

        # A shorter end of the load is not worth a line.
        DRAIN_SHARE = 0.05

        #: () -> String
        def to_s
          lines = [loaded, headline(sentence), *drain, *errors, *latency, *service,
                   *histogram, *batches, *scenario, arrivals, *steps, connections, starved, driver,
                   *warnings]
          "#{lines.compact.join("\n")}\n"
        end

        #: () -> Array[Array[Array[String]]]
        def tables = [latencies, cells]

        #: () -> Array[[String, String]]
        def remarks
          total, by_class = @document[:errors].values_at(:total, :by_class)
          return failed_checks if total.zero?

          [["errors", say("load_errors", total:, classes: classes(by_class))], *failed_checks]
        end

        # nil, as the answer says it.
        #: () -> nil
        def basis = nil

        # The latencies: those of the load's kind and, in an open loop, the service times, too.
        #: () -> Array[Array[String]]
        def latencies
          kinds = @document[:open_loop] ? %i[latency_ms service_ms] : %i[latency_ms]
          rows = @document.values_at(*kinds).map do |values|
            [values[:kind], *NAMED.keys.map { |key| figure(values, key) }]
          end
          [["latency, ms", *NAMED.values], *rows]
        end

        # The rates of an open loop that has several; [] for other loads.
        #: () -> Array[Array[String]]
        def cells
          rows = @document[:steps].map { |step| row(step) }
          rows.any? ? [STEPS, *rows] : []
        end

        # The answer.
        #: () -> String
        def sentence
          sent, good = requests.values_at(:sent, :good)
          seconds = format("%.1f", @document[:duration_s])
          share = good && sent == good ? "all" : number(good)
          say("load_answered", rate: @document[:rate_per_s], seconds:, sent:, share:, answers:)
        end

        private

        def requests = @document[:requests]

        def say(code, **values) = Phrase.text(code, **values)

        # What came when some connections had nothing more to send, if that took long.
        def drain
          drain_s, drained, duration_s = @document.values_at(:drain_s, :drained, :duration_s)
          return [] unless drain_s && drain_s > DRAIN_SHARE * duration_s

          code = drained.positive? ? "load_drained" : "load_uneven"
          @style.wrap(say(code, seconds: drain_s, drained:, duration_s:), indent: INDENT)
        end

        # The definition of a correct response in words, as precise as the check.
        def answers
          return say("load_as_expected") unless @document[:answers].one?

          answer = @document[:answers].first
          body = say("load_#{answer[:kind]}", length: answer[:length])
          text = say("load_each_with", text: answer[:expect].inspect) if expected?(answer)
          "#{answer[:status]}#{body}#{text}"
        end

        # Whether to name the expected text: an identical body contains it anyway, and other tools
        # don't look for it.
        def expected?(answer)
          answer[:expect] && %w[length status].include?(answer[:kind])
        end

        def errors
          total, by_class = @document[:errors].values_at(:total, :by_class)
          return [] if total.zero?

          [painted(:red, say("load_errors", total:, classes: classes(by_class))), *first_wrong]
        end

        # The first incorrect response, for a user who reads that there was one.
        def first_wrong
          failed = @document[:errors][:first_wrong] or return
          @style.wrap(say("load_first_wrong", **failed.slice(:status, :bytes)), indent: INDENT)
        end

        def latency
          values = @document[:latency_ms]
          return [] unless values.values_at(*NAMED.keys).any? || values[:more_than]&.any?

          [figures(values), *unanswered(values[:unanswered])]
        end

        # Why some figures are bounds.
        def unanswered(count)
          return unless count&.positive?

          unsent = @document[:open_loop]&.fetch(:unsent)
          @style.wrap(say("load_unanswered", count:, unsent:), indent: INDENT)
        end

        def batches
          BatchTable.new(*@document.values_at(:batches, :batch_figures), style: @style).lines
        end

        def scenario
          scenario = @document[:scenario] or return []
          ScenarioTable.new(scenario, style: @style).lines
        end

        # In an open loop, the service times beside the response times.
        def service
          values = @document[:service_ms]
          return [] unless @document[:open_loop] && (values[:p50] || values[:more_than]&.any?)

          [figures(@document[:service_ms])]
        end

        def figures(values)
          words = NAMED.map { |key, name| "#{name} #{figure(values, key)}" }
          @style.flow(["latency (#{values[:kind]}, ms)", *words], gap: "   ", indent: INDENT)
        end

        def figure(values, key) = Numbers.latency(values[key], values.dig(:more_than, key))

        def arrivals
          facts = @document[:open_loop] or return
          parts(LoadIntent.rate(rates, facts[:arrivals], burst: facts[:burst]),
                say("load_queued", count: facts[:queued]), *lag)
        end

        def rates
          stages = @document[:steps].empty? ? [@document[:open_loop]] : @document[:steps]
          stages.map { |stage| stage.values_at(:rate_per_s, :to_per_s) }
        end

        STEPS = ["requests/s due", "answered/s", "p50, ms", "p99, ms", "max, ms", "late",
                 "errors"].freeze

        # A line for each rate.
        def steps
          rows = cells
          rows.any? ? Columns.new(rows, figures: (0..)).lines.map { |line| "  #{line}" } : []
        end

        def row(step)
          [LoadIntent.ends(*step.values_at(:rate_per_s, :to_per_s)),
           Numbers.figure(step[:answered_per_s]),
           *%i[p50 p99 max].map { |key| figure(step[:response_ms], key) },
           number(step[:late]), number(step[:errors])]
        end

        def lag
          p50, p99 = @document[:send_lag_ms].values_at(:p50, :p99)
          say("load_lag", p50:, p99:) if p50
        end

        def histogram = LoadHistogram.new(@document[:histogram], style: @style).lines

        def connections
          counts = @document[:connections]
          totals = %i[asked opened lost].map { |key| "#{number(counts[key])} #{key}" }.join(", ")
          return "connections #{totals}" if @document[:steps].any?

          each = counts.values_at(:requests_min, :requests_max).map { |count| number(count) }
          parts("connections #{totals}", "#{each.join(' to ')} requests each")
        end

        def starved
          count, longest_ms = @document[:starved]&.values_at(:connections, :longest_ms)
          return unless count

          enough = @document[:connections][:asked] - count
          @style.wrap(say("load_starved", count:, seconds: longest_ms / 1000, enough:),
                      indent: INDENT)
        end

        def driver
          threads, cores = @document.values_at(:threads, :driver_cores)
          return unless cores
          return "#{driver_name} #{Numbers.figure(cores)} cores" unless threads

          whose = threads == 1 ? "its core" : "each of its #{threads} cores"
          share = Numbers.tenths(cores / threads)
          parts("#{driver_name} #{share} of #{whose}", *headroom, *little)
        end

        # The name of another tool, or "driver".
        def driver_name
          name = @document[:driver]
          [nil, "native"].include?(name) ? "driver" : name
        end

        def headroom = held("headroom")&.then { |detail| "headroom #{detail}" }

        def little = held("little_law")&.then { |detail| "Little's law #{detail}" }

        # The detail of a check that passed.
        def held(name)
          check = @document[:checks].find { |candidate| candidate[:name] == name }
          check[:detail] if check && check[:ok]
        end

        def parts(*texts) = @style.wrap(texts.join(" · "), indent: INDENT)

        def number(value) = Numbers.whole(value)

        # The latencies of a load as bars, from its document's histogram. Each row's range is wider
        # than the previous one by the same factor, so that both the many fast and the few slow
        # responses can be seen.
        class LoadHistogram
          # Bars of the document that make up a row.
          TOGETHER = 3
          # The fastest responses share a row if they are at most this share of all.
          FASTEST = 0.01
          WIDEST = 40
          EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].freeze
          HEAD = ["from ms", "answers", "share", ""].freeze
          WIDTHS = [9, 11, 7].freeze

          #: (Array[Hash[Symbol, untyped]], style: Terminal::Style) -> void
          def initialize(histogram, style:)
            @bars = histogram
            @style = style
            @total = histogram.sum { |bar| bar[:count] }
          end

          # [] if there is nothing to compare.
          #: () -> Array[String]
          def lines
            return [] if @bars.size < 2 || @total.zero?

            most = rows.map { |row| row[:count] }.max
            [line(HEAD), *rows.map { |row| line([*figures(row), bar(row[:count].fdiv(most))]) }]
          end

          private

          def rows = @rows ||= merged(@bars.each_slice(TOGETHER).map { |bars| sum(bars) })

          def sum(bars) = { from_ms: bars.first[:from_ms], count: bars.sum { |bar| bar[:count] } }

          def merged(rows)
            seen = 0
            first = rows.index { |row| (seen += row[:count]) > FASTEST * @total }
            first < 2 ? rows : [sum(rows.first(first)), *rows.drop(first)]
          end

          def figures(row)
            count = row[:count]
            [Numbers.figure(row[:from_ms]), Numbers.thousands(count),
             count.zero? ? "" : Numbers.tenths(count.fdiv(@total))]
          end

          # Small counts stay visible.
          def bar(share)
            room = (@style.width - WIDTHS.sum - 3).clamp(8, WIDEST)
            eighths = (share * room * 8).ceil
            ("█" * (eighths / 8)) + EIGHTHS[eighths % 8]
          end

          def line(cells)
            *numbers, bar = cells
            "#{numbers.zip(WIDTHS).map { |cell, width| cell.rjust(width) }.join}   #{bar}".rstrip
          end
        end

        # The batches of a load's document: the first and the last, a summary of those between, and
        # a line of bars for all of them.
        class BatchTable
          COURSE = %i[first lowest median highest last].freeze
          TITLES = { answered_per_s: "answered/s", p50_ms: "p50, ms", p99_ms: "p99, ms" }.freeze
          # Bars of that line; with less room there is no line.
          BARS = (8..64)

          #: (Array[Hash[Symbol, untyped]], Hash[Symbol, Hash[Symbol, untyped]]?, style: Terminal::Style) -> void
          def initialize(batches, figures, style:)
            @batches = batches
            @figures = figures
            @style = style
          end

          # [] if there are no batches.
          #: () -> Array[String]
          def lines
            return [] if @batches.empty?

            rows = [[title, *COURSE.map(&:to_s)], *TITLES.map { |key, name| [name, *cells(key)] }]
            title, *texts = Columns.new(rows, figures: (0..)).lines
            room = @style.width - title.length - Columns::GAP.length
            [title, *texts.zip(values.map { |one| drawn(one, room) })
                          .map { |text, line| (text + Columns::GAP + line).rstrip }]
          end

          private

          def title
            count, size = @batches.size, @batches.first[:requests]
            "#{Numbers.thousands(count)} batch#{'es' if count > 1} of #{Numbers.thousands(size)}"
          end

          # The values of each figure, in the order of the lines.
          def values
            [@batches.map { |batch| batch[:answered_per_s] }, times(:p50), times(:p99)]
          end

          # A bound is drawn like a value.
          def times(name)
            @batches.map do |batch|
              batch[:latency_ms][name] || batch.dig(:latency_ms, :more_than, name)
            end
          end

          def cells(key)
            bounds = @figures[key].fetch(:more_than, {})
            COURSE.map { |name| Numbers.latency(@figures[key][name], bounds[name]) }
          end

          # Neighbouring batches share a bar if there are more batches than bars.
          def drawn(values, room)
            return "" if room < BARS.min

            together = values.size.fdiv([room, BARS.max].min).ceil
            bars = values.map(&:to_f).each_slice(together)
            Sparkline.of(bars.map { |some| some.sum / some.size })
          end
        end

        # The steps of a load's scenario, from its document: a line about actions, and a table.
        class ScenarioTable < Screen
          TITLES = ["action", "step", "sent", "right", "p50 ms", "p99"].freeze
          FIGURES = (2..).freeze # right-aligned columns
          INDENT = "  "

          #: () -> Array[String]
          def lines = [actions, *table]

          private

          def actions
            begun, finished = @document[:actions].values_at(:begun, :finished)
            logins = @document[:logins]
            ["#{Numbers.whole(begun)} actions begun, " \
             "#{Numbers.whole(finished)} finished with every step right",
             *("#{Numbers.whole(logins)} clients logged in" if logins)].join(" · ")
          end

          def table
            rows = [TITLES, *@document[:steps].map { |step| cells(step) }]
            title, *lines = Columns.new(rows, figures: FIGURES).lines.map { |line| INDENT + line }
            [title, *lines.zip(@document[:steps]).flat_map { |line, step| [line, *errors(step)] }]
          end

          def cells(step)
            counts = step.values_at(:sent, :good).map { |count| Numbers.whole(count) }
            times = %i[p50 p99].map do |name|
              Numbers.latency(step[:"#{name}_ms"], step.dig(:more_than, name))
            end
            request = @style.cut(step[:request], @style.width / 2) # the rest is for the figures
            [step[:action] || Numbers::NONE, request, *counts, *times]
          end

          def errors(step)
            return [] if step[:errors][:total].zero?

            @style.paint(:red, "#{INDENT * 2}#{classes(step[:errors][:by_class])}")
          end
        end
      end
    end
  end
end
