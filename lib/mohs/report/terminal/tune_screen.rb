# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The document of `mohs tune` for people: the answer, the settings that remained, the reasons,
      # and what to write into the server's file.
      class TuneScreen < Screen
        HEAD = ["setting", "requests/s at the limit", "requests/s, all threads busy", "%s, ms",
                "memory", "boot", "per million", "group"].freeze

        # States of settings that can't be recommended; searched settings that are too large can't
        # be, either.
        UNFIT = %w[refused failed too_large].freeze

        # Columns that a narrow terminal leaves out: boot, the limited figure.
        LEAST_FIRST = [5, 3].freeze
        PLOT_ROWS = 8

        # Half of an interval, in percentage points: a narrower interval gets no more digits.
        LEAST_HALF = 0.001

        # Ratios: an interval that has both says nothing.
        VAGUE = [2 / 3.0, 1.5].freeze

        # Wider intervals say nothing: half of a request queues, or none of it does; the rate falls
        # from the third thread on (1 / sqrt(0.1)), or never.
        WIDE = { contention: 0.5, coherency: 0.1 }.freeze

        #: () -> String
        def to_s
          paragraphs(head, named(cautions), table, plot, named(remarks))
        end

        # What a person sees while the tuning goes on.
        #: () -> String
        def so_far = paragraphs(headline, named(cautions), table)

        # The columns that have content and fit.
        #: () -> Array[Array[String]]
        def cells
          rows = shown.map { |one| row(one) }
          return [] if rows.empty?

          head = HEAD.map { |title| title.sub("%s", @document[:limit][:figure]) }
          known = head.each_index.reject { |at| rows.all? { |cells| cells[at].empty? } }
          cells = [head, *rows].map { |row| row.values_at(*known) }
          least_first = LEAST_FIRST.filter_map { |at| known.index(at)&.then { |place| [place] } }
          fit = Columns.fitting(cells, least_first:, width: @style.width)
          cells.map { |row| row.values_at(*fit) }
        end

        #: () -> Array[[String, String]]
        def remarks
          [*check, *dropped, *cut, *unsearched, *unfit, *beyond, *steps, *why, *binding,
           *left_out, *to_use, *notes, *Terminal.suggestions(@document), *stopped,
           ["run", "#{@document[:run]} · show again: mohs show #{@document[:run]}"]]
        end

        private

        def settings = @document[:settings]

        # Settings that have a rate or may still get one.
        def shown
          states = %w[searched raced]
          states << "waiting" unless @document[:state] == "finished"
          settings.select { |one| states.include?(one[:state]) }
        end

        def table
          rows = cells
          Columns.new(rows, figures: (1..rows.first.size - 2)).to_s.chomp if rows.any?
        end

        # nil for one or two settings: the table says more.
        def plot
          known = settings.select { |one| one[:rate_per_s]&.fetch(:value)&.positive? }
          known = known.select { |one| one[:memory_bytes] && one[:fits] }
          return if known.size <= Analysis::Tuning::FEW

          points = known.map do |one|
            { name: name(one), x: one[:memory_bytes][:value], y: one[:rate_per_s][:value],
              front: @document[:frontier].include?(one[:name]) }
          end
          FrontPlot.new(points, height: PLOT_ROWS, style: @style).lines.join("\n")
        end

        def row(one)
          [name(one), rate(one), busy(one), value(one[:figure_ms]) { |ms| Numbers.figure(ms) },
           value(one[:memory_bytes]) { |bytes| "#{Numbers.whole(bytes / Numbers::MEGABYTE)} MB" },
           value(one[:boot_ms]) { |ms| "#{Numbers.whole(ms)} ms" },
           value(one[:cost_per_million]) { |cost| Numbers.at_most(cost, one[:at_least]) },
           group(one)]
        end

        def value(estimate) = estimate ? yield(estimate[:value]) : ""

        def name(one)
          shape = TuneModel.shape(one)
          return one[:name] unless one[:present]
          return [one[:name], *("(#{shape})" unless shape.empty?)].join(" ") if one[:config]

          "#{one[:name]} (#{Servers.fetch(one[:server]).label}'s default)"
        end

        def rate(one)
          estimate = one[:rate_per_s] or return unknown(one)
          return "none" if estimate[:value].zero?

          figure(estimate, bound: one[:at_least])
        end

        # The rate with all threads busy, until a setting has one within the limit: the two were
        # measured at different times.
        def busy(one) = one[:rate_per_s] || one[:busy_per_s].nil? ? "" : figure(one[:busy_per_s])

        def searched? = settings.any? { |one| one[:rate_per_s] }

        def figure(estimate, bound: false)
          [Numbers.at_least(estimate[:value], bound), *Numbers.ends(estimate)].join(" ")
        end

        def unknown(one)
          return "" unless one[:state] == "raced"
          return "no rate found" if one[:reason]

          searched? ? "not searched" : ""
        end

        def group(one)
          picked = one[:name] == @document.dig(:recommendation, :name)
          [*one[:group], *("<- #{picked_as}" if picked)].join(" ")
        end

        # What the recommendation is worth. With --rate the best may not be enough.
        def picked_as
          return "recommended" if @document[:recommendation][:sure]

          Sentence::Tuning.insufficient?(@document) ? "serves most" : "undecided"
        end

        # What the exit status of --check means.
        def check
          return [] unless @document[:check]

          most = @document.dig(:recommendation, :interval)&.last
          [["check", Phrase.text(check_code, best: @document[:present_is_best],
                                             why: @document[:present_unknown],
                                             wanted: Sentence::Tuning.wanted(@document),
                                             margin: @document[:limit][:margin],
                                             most_gain: (most - 1 if most && most > 1))]]
        end

        def check_code
          present = settings.find { |one| one[:present] }
          large = present[:memory_bytes] && !present[:fits] && present[:state] != "failed"
          return "tune_check_memory" if large && @document[:present_is_best] == false

          @document[:wanted_per_s] ? "tune_check_rate" : "tune_check"
        end

        def cautions = @document[:warnings].map { |one| ["caution", one[:text]] }

        def dropped
          gone = settings.select { |one| one[:state] == "dropped" }
          return [] if gone.empty?

          names = gone.map { |one| one[:name] }.join(", ")
          [["dropped", "#{names}: slower than the best with all threads busy (mohs show " \
                       "#{@document[:run]} --json has by how much)"]]
        end

        def cut
          gone = settings.select { |one| one[:state] == "cut" }
          gone.group_by { |one| one[:boots] }.map do |boots, same|
            names = same.map { |one| one[:name] }.join(", ")
            ["cut", Phrase.text("tune_cut", names:, rounds: Numbers.counted(boots, "round"))]
          end
        end

        # Settings that were left when the race ended but were not searched.
        def unsearched
          return [] unless searched?

          names = settings.select { |one| one[:state] == "raced" && !one[:reason] }
                          .map { |one| one[:name] }
          names.empty? ? [] : [["left", Phrase.text("tune_unsearched", names: names.join(", "))]]
        end

        def unfit
          out = settings.select do |one|
            UNFIT.include?(one[:state]) || (one[:state] == "searched" && !one[:fits]) ||
              (one[:state] == "raced" && one[:reason])
          end
          out.group_by { |one| one[:reason] }.map do |reason, same|
            ["why", "#{same.map { |one| one[:name] }.join(', ')}: #{reason || 'not measured'}"]
          end
        end

        def beyond
          known = shown.select { |one| one[:beyond] && one[:rate_per_s]&.fetch(:value)&.positive? }
          return [] if known.empty?

          settings = known.map do |one|
            { name: name(one), rate: one[:rate_per_s][:value], **one[:beyond] }
          end
          [["beyond", Phrase.text("tune_beyond", times: @document[:beyond], settings:)]]
        end

        # Neighbouring settings, first by their highest rates within the limit, then by their rates
        # in the race.
        def steps
          parts = @document[:steps].group_by { |one| one[:by] }.sort.map do |by, same|
            texts = same.map { |one| step(one) }
            "#{'with all threads busy ' if by == 'race'}#{texts.join(', ')}"
          end
          parts.empty? ? [] : [["beside", parts.join("; ")]]
        end

        def step(one)
          name, ratio, interval = one.values_at(:name, :ratio, :interval)
          return Phrase.text("tune_step_none", name:, limit: @document[:limit][:text]) if
            ratio.zero?

          effect = Change.new({ effect: ratio, interval: })
          change = effect.directed("more", "less")
          return Phrase.text("tune_step_vague", name:) if vague?(interval)

          bracket = effect.sure? && !effect.times? ? effect.bracket : effect.interval
          Phrase.text("tune_step", name:, change:, interval: [nil, *bracket].join(" "),
                                   sure: effect.sure?)
        end

        # Whether the interval leaves open if the setting serves half as much or twice as much.
        def vague?(interval) = interval && interval.first < VAGUE.min && interval.last > VAGUE.max

        def why
          waiting = @document[:waiting]
          texts = [*@document.dig(:recommendation, :reason),
                   *(Phrase.text("tune_waiting", **waiting) if waiting), *threads]
          texts.map { |text| ["why", text] }
        end

        # Measured rates beside predicted ones, and the scaling law.
        def threads
          scaling = @document[:scaling] or return []
          [Phrase.text("tune_threads", **scaling.slice(:processes, :levels)), law(scaling)]
        end

        def law(scaling)
          terms = scaling.slice(*WIDE.keys)
          return Phrase.text("tune_usl_vague") if terms.any? { |name, one| wide?(one, WIDE[name]) }

          Phrase.text("tune_usl", **terms.transform_values { |one| coefficient(one) },
                                  peak: scaling[:peak_threads],
                                  highest: scaling[:levels].last[:threads])
        end

        def wide?(estimate, most) = estimate[:low] && estimate[:high] - estimate[:low] > most

        # "22 % [19, 25]", with as many digits as the interval allows.
        def coefficient(estimate)
          value, *ends = estimate.values.compact.map { |share| share * 100 }
          return Numbers.percent(value / 100) if ends.empty?

          half = [(ends.last - ends.first) / 2, LEAST_HALF].max
          decimals = [1 - Math.log10(half).floor, 0].max
          value, *ends = [value, *ends].map { |one| Numbers.number(one, decimals:) }
          "#{value} % [#{ends.join(', ')}]"
        end

        def binding = @document[:binding].map { |one| ["limited", "by #{one[:text]}"] }

        def left_out
          @document[:left_out].group_by { |one| one[:reason] }.map do |reason, same|
            counts = same.map { |one| one[:values][:processes] }.uniq
            ["left out", "#{Numbers.list(counts.map(&:to_s))} processes: #{reason}"]
          end
        end

        def to_use
          use = @document.dig(:recommendation, :to_use) or return []
          env = use[:env].map { |variable| variable.join("=") }
          lines = [*file(use), *options(use), *("environment: #{env.join(' ')}" if env.any?)]
          name = @document[:recommendation][:sure] ? "to use" : "to try"
          [[name, lines.join("; ")], ["preload", use[:preloading]]].select(&:last)
        end

        def file(use)
          return if use[:lines].empty?

          "#{use[:lines].join(' / ')} in #{use[:file]} (--write FILE writes them)"
        end

        def options(use)
          words = [*use[:flags], *use[:argv]]
          "options: #{words.join(' ')}" if words.any?
        end

        def notes = @document[:notes].to_a.map { |note| note.values_at(:name, :text) }

        def stopped
          return [] if %w[finished running].include?(@document[:state])

          [["stopped", "continue: mohs resume #{@document[:run]}"]]
        end
      end
    end
  end
end
