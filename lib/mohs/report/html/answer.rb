# frozen_string_literal: true

module Mohs
  module Report
    class Html
      # The head of the page: the answer in one sentence, by how much, how sure and at what cost,
      # all on the first screen.
      class Answer
        # What may change with the speed: title, the row's figure, its unit.
        COSTS = [["memory", ->(row) { row.dig(:memory_bytes, :value)&.fdiv(1e6) }, "MB"],
                 ["CPU a request", ->(row) { row.dig(:cpu_us_per_request, :value) }, "µs"],
                 ["p99", ->(row) { row.dig(:latency_ms, :p99) }, "ms"],
                 ["boot", ->(row) { row.dig(:boot_ms, :value) }, "ms"]].freeze

        #: (Hash[Symbol, untyped]) -> void
        def initialize(document)
          @document = document
        end

        # The title of the browser window.
        #: () -> String
        def title
          what = [@document.values_at(:name, :track, :app, :server).compact.first,
                  *(@document[:run] && "run #{@document[:run]}")]
          ["mohs #{@document[:command]}", *what].compact.join(" · ")
        end

        #: () -> Markup::Element
        def to_element
          element(:header, element(:p, subject, class: "subject"),
                  element(:h1, sentence, id: "answer"), (element(:p, why, class: "why") if why),
                  list(facts), caution)
        end

        private

        def element(...) = Markup.element(...)

        def subject
          text = @document[:server] ? Subject.of_load(@document) : Subject.of(@document)
          name = @document[:name] || @document[:track]
          ["mohs #{@document[:command]}", *(name unless name == @document[:app]), text]
            .reject(&:empty?).join(" · ")
        end

        def sentence
          return @document.dig(:error, :message).to_s if @document[:error]

          headline = Views.of(@document).headline
          return headline unless headline.empty?

          "A document of mohs #{@document[:command]}, whose answer has no sentence."
        end

        def load? = @document[:rate_per_s] && @document[:duration_s]

        def why
          text = pick&.fetch(:why, nil)
          text && "Why: #{text}."
        end

        # The server that the sentence is about; nil without one.
        def pick
          name = @document[:b] || @document.dig(:recommendation, :name)
          others = rows.select { |row| measured?(row) && !row[:baseline] }
          others.find { |row| row[:variant] == name } || (others.first unless claims?)
        end

        def base = rows.find { |row| row[:baseline] && measured?(row) }

        def rows = @document[:rows].to_a

        def measured?(row) = row[:state] == "measured"

        def claims? = @document.key?(:claims)

        # [[term, text], ...]
        def facts
          return of_claims if claims?

          whole = [Gates, History].map { |kind| kind.new(@document) }.find(&:any?)
          return whole.facts if whole
          return of_rate if @document[:probes]
          return of_load if load?

          @document[:settings] ? of_settings : of_variants
        end

        def of_variants
          return [] unless pick

          slower = pick.dig(:verdict, :outcome) == "slower"
          return of_baseline if slower && base && @document[:b].nil?

          [["which", pick[:variant]], ["by how much", pick.dig(:verdict, :text)],
           ["how sure", certainty], ["at what cost", costs(base, pick)]]
        end

        # The facts if the fastest candidate is slower than the baseline.
        def of_baseline
          [["which", "#{base[:variant]}, the baseline"],
           ["by how much", "#{pick[:variant]}, the next: #{pick.dig(:verdict, :text)}"],
           ["how sure", certainty], ["at what cost", costs(pick, base)]]
        end

        def certainty
          cohorts = @document[:cohorts]
          return cohort_certainty(cohorts) if cohorts
          return Numbers.counted(rounds.to_i, "round") unless interval?

          candidates = rows.count { |row| measured?(row) && !row[:baseline] }
          all = " for all #{candidates} candidates together" if candidates > 1
          "95 % interval#{all}, from #{Numbers.counted(rounds.to_i, 'round')} of fresh servers"
        end

        def rounds = @document.dig(:rounds, :done)

        def cohort_certainty(cohorts)
          basis = "#{Numbers.counted(cohorts[:done].to_i, 'cohort')} of fresh servers, " \
                  "#{Numbers.whole(cohorts[:requests])} requests a side"
          interval = "95 % interval, valid whenever it stops" unless @document[:quick]
          [(interval if interval?), basis].compact.join("; ")
        end

        # False for an invalid verdict, whose interval proves nothing.
        def interval?
          verdict = (@document[:cohorts] ? @document : pick).fetch(:verdict).to_h
          verdict[:interval] && verdict[:outcome] != "invalid"
        end

        # ["memory 31 → 58 MB", ...]: costs of one row and of another; only the second if the first
        # is unknown.
        def costs(from, to)
          known = COSTS.filter_map do |name, figure, unit|
            was, now = [from, to].map { |row| row && figure.call(row) }
            next unless now

            ends = [was, now].compact.map { |one| Numbers.figure(one) }
            same = " for both" if was && ends.uniq.one?
            "#{name} #{ends.uniq.join(' → ')} #{unit}#{same}"
          end
          [*known, *failures(to)]
        end

        def failures(row)
          share = row.dig(:errors, :share)
          "#{Numbers.percent(share)} of its requests failed" if share&.positive?
        end

        def of_settings
          chosen = @document[:recommendation].to_h
          setting = @document[:settings].find { |one| one[:name] == chosen[:name] }
          return of_variants unless setting

          name = [chosen[:name], TuneModel.shape(chosen)].uniq.join(" · ")
          [["which", [name, *chosen[:reason]]],
           ["by how much", setting_rate(setting, chosen)],
           ["how sure", ["#{certainty_of(chosen)}; limit #{@document[:limit][:text]}",
                         "#{Numbers.counted(setting[:boots], 'boot')}, to race and to search it"]],
           ["at what cost", setting_cost(setting, chosen)]]
        end

        # With --rate, it may also be certain that no setting is enough.
        def certainty_of(chosen)
          done, planned = chosen[:boots_so_far]
          return "not final: #{done} of #{planned} boots" if planned
          return "95 % interval" if chosen[:sure] || Sentence::Tuning.insufficient?(@document)

          Phrase.text("tune_undecided", few_boots: chosen[:few_boots])
        end

        def setting_rate(setting, chosen)
          rate, bound = setting.values_at(:rate_per_s, :at_least)
          gain = bound ? least_gain(chosen) : gain_of(chosen)
          [["#{Numbers.at_least(rate[:value], bound)} requests/s", *Numbers.ends(rate)].join(" "),
           *(gain && "#{gain} against #{@document[:present]}")]
        end

        # nil without an interval.
        def gain_of(chosen)
          effect, interval = chosen.values_at(:gain, :interval)
          change = Change.new({ effect:, interval: }) if interval
          "#{change.signed} #{change.interval}" if change
        end

        def least_gain(chosen)
          change = Change.least(chosen[:interval])
          "at least #{change.signed}" if change
        end

        def setting_cost(setting, chosen)
          memory = setting.dig(:memory_bytes, :value)
          more = chosen[:memory_difference_bytes]
          price = setting.dig(:cost_per_million, :value)
          [*(memory && "#{Numbers.figure(memory / 1e6)} MB"),
           *(more && "#{Numbers.bytes(more)} against #{@document[:present]}"),
           *(price && "#{Numbers.at_most(price, setting[:at_least])} per million requests")]
        end

        def of_claims
          counts = @document[:counts].to_h
          Words::Claims::OUTCOMES.filter_map do |name, text|
            [text, counts[name.to_sym].to_s] if counts[name.to_sym].to_i.positive?
          end
        end

        def of_load
          latency = @document[:latency_ms]
          times = %i[p50 p99 max].map do |name|
            text = Numbers.latency(latency[name], latency.dig(:more_than, name))
            "#{name} #{text}#{' ms' unless text.end_with?('s')}"
          end
          failed = @document.dig(:errors, :total).to_i
          [["how fast", "#{Numbers.figure(@document[:rate_per_s])} requests/s"],
           ["latency (#{latency[:kind]})", times],
           ["errors", failed.zero? ? "none" : Numbers.whole(failed)],
           ["driver",
            @document[:driver_cores] ? "#{Numbers.figure(@document[:driver_cores])} cores" : nil]]
        end

        def of_rate
          rate, limit, capacity = @document.values_at(:rate_per_s, :limit, :capacity_per_s)
          found = rate && [Numbers.figure(rate[:value]), "requests/s",
                           *Numbers.ends(rate)].join(" ")
          [["limit", "#{limit[:figure]} below #{Numbers.figure(limit[:below_ms])} ms"],
           ["how fast", found],
           ["how sure", "#{Numbers.exact_percent(@document[:level])} interval, " \
                        "#{Numbers.counted(@document[:probes].size, 'probe')}"],
           ["closed loop", capacity && "#{Numbers.figure(capacity)} requests/s"]]
        end

        def list(facts)
          shown = facts.reject { |_, text| text.nil? || text.empty? }
          return if shown.empty?

          items = shown.map do |term, texts|
            lines = [*texts].map { |line| element(:span, line) }
            element(:div, element(:dt, term), element(:dd, lines))
          end
          element(:dl, items, class: "facts")
        end

        # What makes the figures doubtful is shown beside them.
        def caution
          bad = @document.dig(:host, :against).to_a.select { |one| one[:level] == "bad" }
          texts = [*stopped, *@document[:warnings].to_a.map { |one| one[:text] },
                   *bad.map { |one| "#{one[:label]}: #{one[:detail]}" }]
          element(:ul, texts.map { |one| element(:li, one) }, class: "caution") if texts.any?
        end

        def stopped
          state = @document[:state]
          "The run is #{state}: this is what was measured until then." if
            state && state != "finished"
        end
      end
    end
  end
end
