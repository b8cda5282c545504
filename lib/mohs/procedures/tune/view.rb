# frozen_string_literal: true

module Mohs
  module Tune
    # A tuning: the answer, the settings that remained, the reasons, and what to write into the
    # server's file.
    class View < Report::Views::OfRows
      KIND = "tune"
      # Their loads differ, so their curves can't be drawn in one picture.
      SECTIONS = [Section, RacedSection, *Report::Sections::OF_VARIANTS,
                  Report::Sections::Remarks, Report::Sections::Provenance].freeze

      # States of settings that can't be recommended; searched settings that are too large can't
      # be, either.
      UNFIT = %w[refused failed too_large].freeze

      LEAST_FIRST = [%i[boot], %i[figure], %i[busy], %i[cost], %i[memory]].freeze

      # Ratios: an interval that has both says nothing.
      VAGUE = [2 / 3.0, 1.5].freeze

      private

      def cautions = @document[:warnings].map { |one| remark("caution", one[:text]) }

      def remarks
        [check, model, checked, dropped, *cut, same, unsearched, *unfit, beyond, steps, *why_best,
         *binding, *left_out, *to_use, proxy, *notes].compact
      end

      def facts
        chosen = @document[:recommendation].to_h
        setting = settings.find { |one| one[:name] == chosen[:name] }
        return super unless setting

        name = [chosen[:name], *Document.unnamed_shape(setting)].join(" · ")
        [["which", [name, *chosen[:reason]]],
         ["by how much", setting_rate(setting, chosen)],
         ["how sure", ["#{certainty_of(chosen)}; limit #{@document[:limit][:text]}",
                       "#{boots(setting)}, to race and to search it"]],
         ["at what cost", setting_cost(setting, chosen)]]
      end

      def boots(setting) = Report::Numbers.counted(setting[:boots], "boot")

      # With --rate, it may also be certain that no setting is enough.
      def certainty_of(chosen)
        done, planned = chosen[:boots_so_far]
        return "not final: #{done} of #{planned} boots" if planned
        return "95 % interval" if chosen[:sure] || Headline.insufficient?(@document)

        say("tune_undecided", few_boots: chosen[:few_boots])
      end

      def setting_rate(setting, chosen)
        rate, bound = setting.values_at(:rate_per_s, :at_least)
        gain = bound ? least_gain(chosen) : gain_of(chosen)
        known = "#{Bounds.at_least(rate[:value], bound)} requests/s"
        [[known, *Report::Numbers.ends(rate)].join(" "),
         *(gain && "#{gain} against #{@document[:present]}")]
      end

      # nil without an interval.
      def gain_of(chosen)
        effect, interval = chosen.values_at(:gain, :interval)
        change = Report::Change.new({ effect:, interval: }) if interval
        "#{change.signed} #{change.interval}" if change
      end

      def least_gain(chosen)
        change = Report::Change.least(chosen[:interval])
        "at least #{change.signed}" if change
      end

      def setting_cost(setting, chosen)
        memory = setting.dig(:memory_bytes, :value)
        more = chosen[:memory_difference_bytes]
        cost = setting.dig(:cost_per_million, :value)
        [*(memory && "#{Report::Numbers.figure(memory / 1e6)} MB"),
         *(more && "#{Report::Numbers.bytes(more)} against #{@document[:present]}"),
         *(cost && "#{Bounds.at_most(cost, setting[:at_least])} per million requests")]
      end

      def log = nil

      def next_lines
        [*suggestions, stopped, show("show again")].compact
      end

      def settings = @document[:settings]

      # Settings that have a rate or may still get one.
      def shown
        states = %w[searched modelled raced]
        states << "waiting" unless @document[:state] == "finished"
        settings.select { |one| states.include?(one[:state]) }
      end

      # The columns that have content.
      def tables
        rows = shown.map { |one| row(one) }
        known = columns.select { |one| rows.any? { |cells| !cells[one.key].whole.empty? } }
        rows.any? ? [table(:settings, known, rows, least_first: LEAST_FIRST, runs_on: true)] : []
      end

      def columns
        [column(:name, "setting"), column(:rate, "requests/s at the limit", figure: true),
         column(:busy, "requests/s, all threads busy", name: "requests/s with all threads busy",
                                                       figure: true),
         column(:figure, "#{@document[:limit][:figure]}, ms", name: @document[:limit][:figure],
                                                              figure: true),
         column(:memory, "memory", figure: true), column(:boot, "boot", figure: true),
         column(:cost, "per million", figure: true), column(:group, "group")]
      end

      # Rates against memory; of one or two settings the table says more.
      def pictures
        known = settings.select { |one| one[:rate_per_s]&.fetch(:value)&.positive? }
        known = known.select { |one| one[:memory_bytes] && one[:fits] }
        return {} if known.size <= Result::FEW

        { frontier: known.map do |one|
          { name: name(one), x: one[:memory_bytes][:value], y: one[:rate_per_s][:value],
            frontier: @document[:frontier].include?(one[:name]) }
        end }
      end

      def row(one)
        { name: cell(name(one)), rate: cell(rate(one), value: one.dig(:rate_per_s, :value)),
          busy: cell(busy(one)), group: cell(group(one)),
          figure: estimate(one[:figure_ms]) { |ms| Report::Numbers.figure(ms) },
          memory: estimate(one[:memory_bytes]) do |bytes|
            "#{Report::Numbers.whole(bytes / Report::Numbers::MEGABYTE)} MB"
          end,
          boot: estimate(one[:boot_ms]) { |ms| "#{Report::Numbers.whole(ms)} ms" },
          cost: estimate(one[:cost_per_million]) do |cost|
            Bounds.at_most(cost, one[:at_least])
          end }
      end

      def estimate(one)
        one ? cell(yield(one[:value]), value: one[:value]) : Report::View::Cell::EMPTY
      end

      def name(one)
        return one[:name] unless one[:present]

        shape = Document.unnamed_shape(one)
        return [one[:name], *("(#{shape})" if shape)].join(" ") if one[:config]

        "#{one[:name]} (#{Servers.fetch(one[:server]).label}'s default)"
      end

      def rate(one)
        estimate = one[:rate_per_s] or return unknown(one)
        return "none" if estimate[:value].zero?

        with_ends(estimate, bound: one[:at_least])
      end

      # The rate with all threads busy, until a setting has one within the limit that searches
      # found: the two were measured at different times.
      def busy(one)
        counted = one[:rate_per_s] && !@document[:model]
        counted || one[:busy_per_s].nil? ? "" : with_ends(one[:busy_per_s])
      end

      def searched? = settings.any? { |one| one[:rate_per_s] }

      def with_ends(estimate, bound: false)
        known = Bounds.at_least(estimate[:value], bound)
        [known, *Report::Numbers.ends(estimate)].join(" ")
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

        Headline.insufficient?(@document) ? "serves most" : "undecided"
      end

      # What the exit status of --check means.
      def check
        return unless @document[:check]

        most = @document.dig(:recommendation, :interval)&.last
        remark("check", say(check_code, best: @document[:present_is_best],
                                        why: @document[:present_unknown],
                                        wanted: Headline.wanted(@document),
                                        margin: @document[:limit][:margin],
                                        most_gain: (most - 1 if most && most > 1)))
      end

      def check_code
        present = settings.find { |one| one[:present] }
        large = present[:memory_bytes] && !present[:fits] && present[:state] != "failed"
        return "tune_check_memory" if large && @document[:present_is_best] == false

        @document[:wanted_per_s] ? "tune_check_rate" : "tune_check"
      end

      # Where the rates come from, if not from searches.
      def model
        return unless @document[:model]

        name = @document.dig(:recommendation, :name)
        one = settings.find { |setting| setting[:name] == name } || settings.first
        share = one[:share_of_busy] or return
        remark("why", say("tune_by_model", name: one[:name], limit: @document[:limit][:text],
                                           **share.slice(:low, :high), **@document[:model]))
      end

      def checked
        known = settings.select { |one| one[:checked_per_s] }
        return if known.empty?

        texts = known.map { |one| "#{one[:name]} #{with_ends(one[:checked_per_s])}" }
        remark("checked", say("tune_checked", found: texts.join(", ")))
      end

      def dropped
        gone = settings.select { |one| one[:state] == "dropped" }
        return if gone.empty?

        names = gone.map { |one| one[:name] }.join(", ")
        json = Report::Proposal.to("show", @document[:run], json: true)
        remark("dropped", "#{names}: slower than the best with all threads busy (#{json} has by " \
                          "how much)")
      end

      def cut
        gone = settings.select { |one| one[:state] == "cut" }
        gone.group_by { |one| one[:boots] }.map do |boots, same|
          names = same.map { |one| one[:name] }.join(", ")
          remark("cut", say("tune_cut", names:, rounds: Report::Numbers.counted(boots, "round")))
        end
      end

      # The setting that the present one's file sets.
      def same
        names = settings.select { |one| one[:state] == "same" }.map { |one| one[:name] }
        remark("same", say("tune_same", names: names.join(", "),
                                        present: @document[:present])) if names.any?
      end

      # Settings that were left when the race ended but were not searched.
      def unsearched
        return unless searched?

        names = settings.select { |one| one[:state] == "raced" && !one[:reason] }
                        .map { |one| one[:name] }
        remark("left", say("tune_unsearched", names: names.join(", "))) if names.any?
      end

      # One line for all with the same cause, in the words of the first; of older runs only the
      # sentence may be known.
      def unfit
        out = settings.select do |one|
          UNFIT.include?(one[:state]) || (one[:rate_per_s] && !one[:fits]) ||
            (one[:state] == "raced" && one[:reason])
        end
        out.group_by { |one| one[:cause] || one[:reason] }.values.map do |same|
          names = same.map { |one| one[:name] }.join(", ")
          remark("why", "#{names}: #{same.first[:reason] || 'not measured'}")
        end
      end

      def beyond
        known = shown.select { |one| one[:beyond] && one[:rate_per_s]&.fetch(:value)&.positive? }
        return if known.empty?

        settings = known.map do |one|
          { name: name(one), rate: one[:rate_per_s][:value], **one[:beyond] }
        end
        remark("beyond", say("tune_beyond", times: @document[:beyond], settings:))
      end

      # Neighbouring settings, first by their highest rates within the limit, then by their rates
      # in the race.
      def steps
        parts = @document[:steps].group_by { |one| one[:by] }.sort.map do |by, same|
          texts = same.map { |one| step(one) }
          "#{'with all threads busy ' if by == 'race'}#{texts.join(', ')}"
        end
        remark("beside", parts.join("; ")) if parts.any?
      end

      def step(one)
        name, ratio, interval = one.values_at(:name, :ratio, :interval)
        return say("tune_step_none", name:, limit: @document[:limit][:text]) if
          ratio.zero?

        effect = Report::Change.new({ effect: ratio, interval: })
        change = effect.directed("more", "less")
        return say("tune_step_vague", name:) if vague?(interval)

        bracket = effect.sure? && !effect.times? ? effect.bracket : effect.interval
        say("tune_step", name:, change:, interval: [nil, *bracket].join(" "),
                         sure: effect.sure?)
      end

      # Whether the interval leaves open if the setting serves half as much or twice as much.
      def vague?(interval) = interval && interval.first < VAGUE.min && interval.last > VAGUE.max

      def why_best
        waiting = @document[:waiting]
        texts = [*@document.dig(:recommendation, :reason),
                 *(say("tune_waiting", **waiting) if waiting), *threads]
        texts.map { |text| remark("why", text) }
      end

      # Measured rates beside predicted ones.
      def threads
        scaling = @document[:scaling]
        scaling ? [say("tune_threads", **scaling.slice(:processes, :levels))] : []
      end

      def binding = @document[:binding].map { |one| remark("limited", "by #{one[:text]}") }

      # One line for all numbers of processes with the same cause.
      def left_out
        causes = @document[:left_out].group_by do |one|
          [one[:code], one[:values].except(:processes)]
        end
        causes.values.map do |same|
          counts = same.map { |one| one[:values][:processes] }.uniq
          remark("left out", "#{Report::Numbers.list(counts.map(&:to_s))} processes: " \
                             "#{same.first[:reason]}")
        end
      end

      def to_use
        use = @document.dig(:recommendation, :to_use) or return []
        env = use[:env].map { |variable| variable.join("=") }
        lines = [*file(use), *options(use), *("environment: #{env.join(' ')}" if env.any?)]
        name = @document[:recommendation][:sure] ? "to use" : "to try"
        [remark(name, lines.join("; ")),
         *([remark("preload", use[:preloading])] if use[:preloading])]
      end

      # Under which condition the rate is true of users that come through a proxy.
      def proxy
        connections = @document.dig(:recommendation, :connections) or return
        remark("proxy", say("tune_proxy", connections:))
      end

      def file(use)
        return if use[:lines].empty?

        "#{use[:lines].join(' / ')} in #{use[:file]} (--write FILE writes them)"
      end

      def options(use)
        words = [*use[:flags], *use[:argv]]
        "options: #{words.join(' ')}" if words.any?
      end
    end
  end
end
