# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # The plan, printed before the run.
      class PlanText
        # What stands for the time of a run until it is known.
        MEASURING_ROUND = "measuring how long a round takes"

        # The line for a comparison in which a side is refused.
        #: (Array[Study::Variant]) -> String
        def self.incomparable(variants)
          "nothing can be compared: #{variants.filter_map(&:refusal_text).join('; ')}"
        end

        # hosts: how many of a fleet share its cohorts. open: its time is announced later, when the
        # first cohort shows how long a round takes.
        #: (Study, Plan, style: Terminal::Style, ?hosts: Integer, ?open: bool) -> void
        def initialize(study, plan, style:, hosts: 1, open: false)
          @study = study
          @plan = plan
          @style = style
          @hosts = hosts
          @open = open
        end

        # The lines above the progress: the subject and the shape of the run, then, as far as they
        # apply, the warm-up, cold starts, profiles, the process that runs jobs, private services,
        # connections that have to wait, each thing that was dropped, what mohs did not choose, and
        # each restriction of the application that is ignored.
        #: () -> String
        def head
          lines = [subject, shape, *race, *warm_up, *cold_start, *profile, *worker,
                   *services, *crowding, *dropped, *omitted, *forbidden]
          lines.map { |line| "#{@style.wrap(line, indent: 2)}\n" }.join
        end

        # The whole plan, cohort by cohort, with the reason for each refused variant; for a
        # comparison, look by look.
        #: () -> String
        def to_s
          return head if @plan.cohorts.none?(&:baseline) && @study.comparison

          rows = @study.comparison ? looks : cohorts
          "#{head}\n#{Columns.new(rows)}#{refused}"
        end

        private

        def subject
          subject = Subject.of(app: File.basename(@study.app), requested: Subject.requested(@study),
                               connections: @study.shared_connections)
          ["mohs #{VERSION}", subject, "seed #{@plan.seed}"].join(" · ")
        end

        # A resumed run may have nothing left to do.
        def shape
          return tuning if @study.tuning
          return "already complete" if @plan.cohorts.empty?
          return comparison if @study.comparison

          size = [Numbers.counted(@plan.variants.size, "variant"), *length].join(", ")
          "#{size} · baseline: #{baseline} (#{@study.baseline_reason})"
        end

        # While the time is open, only what the user asked for is known.
        def length
          rounds = Numbers.counted(@plan.rounds, "round")
          return [rounds, "about #{estimate}"] unless @open
          return "at most #{Numbers.duration(@study.budget_s)}" if @study.budget_s

          [*(rounds if @study.rounds), MEASURING_ROUND]
        end

        # A name of several words would run into the reason.
        def baseline
          name = @study.baseline
          name.include?(" ") ? name.inspect : Numbers.called(name)
        end

        # The number of rounds isn't known in advance.
        def tuning
          settings = Numbers.counted(measurable, "setting")
          present = @study.variant(@study.baseline)
          by_default = " (#{Servers.fetch(present.server).label}'s default)" unless present.config
          "#{settings}, #{@study.tuning.limit}, about #{Numbers.duration(@plan.estimate_s)} · " \
            "now: #{@study.baseline}#{by_default}"
        end

        # How many settings are not refused.
        def measurable = @study.variants.count { |one| !one.refusal }

        # How a tuning spends its time, if the race takes its whole share.
        def race
          return unless @study.tuning && @plan.cohorts.first&.position&.zero?

          settings = Analysis::Tuning.most_searched(measurable)
          budget = Analysis::Tuning::Budget.new(@plan.estimate_s)
          needed_s = Analysis::Tuning::SearchTime::LEAST_S # the limit may need more
          searches = budget.searches_after_race(settings, needed_s:)
          Render.text("tune_plan", race_s: budget.race_s, **searches.to_h)
        end

        # A comparison lasts until it is decided; only the time of the next look is known.
        def comparison
          return PlanText.incomparable(@study.variants) if @plan.cohorts.none?(&:baseline)

          whole = @study.cores ? "in turns" : "in turns on the whole machine"
          scheme = { Plan::Scheme::DUET => "side by side, on half of the machine each",
                     Plan::Scheme::WHOLE => whole }.fetch(@plan.cohorts.first.scheme, "in turns")
          "#{Numbers.called(@study.baseline)} (A) and " \
            "#{Numbers.called(@study.comparison.candidate)} (B) #{scheme} · " \
            "#{upcoming} about #{estimate}#{too_late}"
        end

        def estimate
          shared = " on #{@hosts} hosts" if @hosts > 1
          "#{Numbers.duration(@plan.estimate_s)}#{shared}"
        end

        # A resumed run already has cohorts.
        def upcoming
          return "each alone," if @plan.cohorts.all?(&:solo)

          @plan.cohorts.first.position.zero? ? "first look in" : "next look in"
        end

        def too_late
          budget_s = @study.budget_s
          return unless budget_s && budget_s < @plan.estimate_s

          ", after the end of the budget of #{Numbers.duration(budget_s)}"
        end

        def warm_up
          most_s = @study.warm_up_s
          given = "each server warms up for at most #{Numbers.duration(most_s)}" if most_s
          said = [*given, *compiling(most_s)]
          said.join("; ") if said.any?
        end

        # How long variants take that compile in the background: minutes, for each boot.
        def compiling(most_s)
          slow = able.select { |one| rule(one)[:background] }
          return if slow.empty? || @study.cold_start

          short, enough = slow.partition { |one| most_s && most_s < cost_s(one) }
          [*until_warm(enough, most_s), *too_short(short)]
        end

        def until_warm(variants, most_s)
          return if variants.empty?

          times = variants.map do |one|
            "#{about(one)}, at most #{Numbers.duration(most_s || rule(one)[:cap_s])})"
          end
          "#{Numbers.list(times)}: each boot is loaded until its compilers are idle and its rate " \
            "is level"
        end

        def too_short(variants)
          return if variants.empty?

          "too short for #{Numbers.list(variants.map { |one| "#{about(one)})" })}: without " \
            "figures while the rate still rises"
        end

        def about(variant) = "#{variant.name} (about #{Numbers.rough_duration(cost_s(variant))}"

        def able = @study.variants.reject(&:refusal).select { |one| planned?(one) }

        def planned?(variant) = @plan.cohorts.any? { |one| one.variants.include?(variant.name) }

        def rule(variant) = engine(variant).warm_up(nil)

        def cost_s(variant) = engine(variant).cost(variant.flags, variant.ruby.to_s)[:warm_up_s]

        def engine(variant) = Rubies::Engines.named(variant.engine)

        def cold_start
          batches, requests = @study.cold_start&.to_a
          return unless batches

          "each server is recorded from its first request on: " \
            "#{Numbers.counted(batches, 'batch', 'batches')} of #{Numbers.whole(requests)}"
        end

        def profile
          "samples of the servers' stacks are taken, which makes them slower" if @study.profile
        end

        def worker
          command = @study.jobs&.worker
          "jobs are run by a process beside each server: #{command}" if command
        end

        def services
          asked = @study.services.to_a.map do |one|
            name = Services.fetch(one[:name])::TITLE
            one[:by] ? "#{name} (#{one[:by]} asks for it, and none is there)" : name
          end
          "each server has a private #{Numbers.list(asked)}" if asked.any?
        end

        # With the application's own configuration, its slots are known only after it has booted.
        def crowding
          return if @study.own_config || @study.tuning

          able = @study.variants.reject { |one| one.refusal || one.rate }
          found = Analysis::ConnectionsExceedThreads.call(able.to_h do |one|
            [one.name, [@study.connections_of(one), one.slots]]
          end)
          found && Render.call(found)
        end

        def refused
          texts = @study.variants.filter_map(&:refusal_text)
          texts.map { |text| "#{@style.wrap("refused: #{text}", indent: 2)}\n" }.join
        end

        def dropped
          cuts = Render.dropped(@plan, published: @study.published)
          Views::Run.dropped(cuts).map { |text| "left out: #{text}" }
        end

        # Variants that --all adds, then the others by reason.
        def omitted
          more, others = Array(@study.omitted).partition { |one| one[:why].nil? }
          reasons = others.group_by { |one| one[:why] }.map { |why, all| "#{names(all)}: #{why}" }
          reasons.unshift("#{names(more)} (--all measures them, --variant picks)") if more.any?
          "not measured: #{reasons.join('; ')}" if reasons.any?
        end

        def forbidden
          Array(@study.forbidden).group_by { |one| one[:why] }.map do |why, all|
            "measured all the same: #{names(all)}: #{why} does not allow " \
              "#{all.one? ? 'it' : 'them'}"
          end
        end

        def names(omitted) = omitted.map { |one| one[:name] }.join(", ")

        def cohorts
          rows = @plan.cohorts.select(&:baseline).map do |cohort|
            [round(cohort), Numbers.duration(cohort.estimate_s), cohort.variants.join(" · ")]
          end
          head = @study.tuning ? "stage" : "round"
          [[head, "about", "variants, in boot order"], *rows]
        end

        def round(cohort)
          @study.tuning ? TuningStage.of(cohort, @plan.cohorts) : cohort.round.to_s
        end

        def looks
          numbers = Plan::Pairs.looks(@study.comparison)
          numbers = numbers.first(1) if @study.comparison.quick
          rows = numbers.map.with_index { |count, index| look(count, index, numbers.size) }
          within = rows.take_while { |_, seconds, _| seconds <= (@study.budget_s || seconds) }
          rows = [*within, over(within)] if within.size < rows.size
          [%w[after about look], *rows.map { |at, time, text| [at, Numbers.duration(time), text] }]
        end

        def look(count, index, size)
          text = "the last: decided or not" if index == size - 1
          text = "the first: decided if the difference is clear" if index.zero?
          seconds = @plan.seconds_of(count, hosts: @hosts).ceil
          [Numbers.counted(count, "cohort"), seconds, text.to_s]
        end

        def over(within)
          budget_s = @study.budget_s
          [within.empty? ? "no look" : "", budget_s,
           "then the budget of #{Numbers.duration(budget_s)} is over"]
        end
      end
    end
  end
end
