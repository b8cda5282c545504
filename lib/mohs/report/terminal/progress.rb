# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Follows the events of a run; shared by LineProgress and LiveProgress. A subclass implements
      # how a finished thing is printed (`say`) and how the current state is shown (`update`).
      #
      # Events: :install { ruby:, line: }, :outstanding { gems:, seconds: }, :outstanding_longer
      # { seconds: }, :installed { ruby:, seconds:, state:, and a Reason: if it failed },
      # :install_stopped { installed:, left: },
      # :plan { plan:, study:, costs:, hosts:, open: } (open: the first :plan_changed announces the
      # time), :plan_changed { plan:, cut:, announced_s:, first: } (Rounds::TimeCap::Change),
      # :cohort_started { cohort:, of:, round:, variants: },
      # :trial { variant:, stage: } (and requests: and per_s: while it warms up; for stage: :measure
      # block: and of: instead of a variant, for :alone variants:; for :ended its state: and a
      # Reason:), :cohort_finished { cohort:, document: }, :finished { document: }. In a fleet,
      # :cohort_started has a host:, and :fleet_silent is sent when no host is left,
      # :host_left { host:, round:, reason: } when one did not finish a cohort, :fleet_unfinished
      # { cohorts:, hosts:, key: } after Ctrl-C if hosts go on with what they have begun;
      # :without_fleet { hosts: } when a run that a fleet began is resumed.
      class Progress
        STAGES = {
          services: "starting its services", boot: "booting", attest: "reading its settings",
          check: "checking responses", login: "logging in", warm: "warming up",
          settle: "waiting until idle", search: "searching its highest rate",
          finish: "re-reading its settings", stop: "stopping",
        }.freeze

        # Why all intervals of a run narrow when it has finished.
        WIDER = "intervals are wider until the end: they allow for stopping at any round"

        # The share by which the announced time may change without a word.
        MATTERS = 0.25

        # The purpose of the cohort that follows the verdict.
        ALONE = "measuring each alone, to check for contention"

        # again: the command line that starts the same work again.
        #: (IO, style: Terminal::Style, ?clock: Module, ?again: String?) -> void
        def initialize(out, style:, clock: Clock, again: nil)
          @again = again
          @out = out
          @style = style
          @clock = clock
          @doing = ""
        end

        # Receives an event; has the interface of a proc.
        #: (Symbol, Hash[Symbol, untyped]) -> void
        def call(name, facts)
          handler = :"on_#{name}"
          send(handler, facts) if respond_to?(handler, true)
        end

        #: () -> void
        def close; end

        private

        # A message, wrapped to as many lines as it needs.
        def note(text) = say(@style.wrap(text, indent: 2))

        def on_install(facts)
          @eta&.waits
          @doing = facts[:line].to_s.strip
          update
        end

        # The total, once all gems are resolved.
        def on_outstanding(facts)
          fetch, copy = facts.fetch(:gems).values_at(:fetch, :copy)
          parts = [("#{Numbers.counted(fetch, 'gem')} to install" if fetch.positive?),
                   ("#{Numbers.counted(copy, 'installed gem')} to copy" if copy.positive?)].compact
          return if parts.empty?

          note("#{parts.join(', ')}: about #{Numbers.duration(facts.fetch(:seconds))}")
        end

        def on_outstanding_longer(facts)
          say("installing takes longer: about #{Numbers.duration(facts.fetch(:seconds))} in all")
        end

        def on_installed(facts)
          took = Numbers.duration(facts[:seconds].to_f)
          return not_installed(facts, took) unless facts[:state] == :ok

          say("installed for #{facts[:ruby]} in #{took} (once; not counted)")
          facts[:notes].to_a.each do |finding|
            say("  #{@style.wrap(Render.text(finding.code, **finding.values), indent: 4)}")
          end
        end

        # Printed at once, so that a user who has to fix the Gemfile needn't wait for the others.
        def not_installed(facts, took)
          reason = facts.fetch(:reason)
          first = first_with(reason.cause, facts[:ruby])
          why = first ? "the same reason as #{first}" : reason.summary
          note("not installed for #{facts[:ruby]} (#{took}): #{why}")
          say("  #{@style.wrap(reason.remedy, indent: 2)}") if reason.remedy && !first
        end

        # The name for which this reason was printed before; nil if this is the first.
        def first_with(cause, name)
          firsts = @firsts ||= {}
          return firsts[cause] if firsts.key?(cause)

          firsts[cause] = name
          nil
        end

        # There is no run yet that could be resumed.
        def on_install_stopped(facts)
          installed, left = facts.fetch_values(:installed, :left)
          kept = installed.any? ? "installed and kept: #{installed.join(', ')} · " : ""
          note("stopped before anything was measured · #{kept}still to install: " \
               "#{left.join(', ')} (gems that are complete are kept)")
          say("  to go on: #{@again}") if @again
        end

        def on_plan(facts)
          replan(facts)
          announced(@plan.estimate_s)
          hosts = facts.fetch(:hosts, 1)
          say(PlanText.of(facts[:study], @plan, style: @style, hosts:, open: @open).head.chomp)
        end

        def announced(seconds)
          @announced_s = seconds
          @planned_rounds = @plan.rounds.to_i
          @told = []
        end

        # Without the failed installations the run takes a different time, and may need another
        # baseline, and another Ruby.
        def on_replanned(facts)
          before, known, open = @baseline, @names, @open
          replan(facts)
          say_instead(@names - known)
          say_baseline(facts[:study].baseline_reason) unless before == @baseline
          return if @open || @procedure&.sequential? || @plan.cohorts.none?(&:baseline)

          open ? announce_first(@plan.estimate_s) : announce(@plan.estimate_s)
        end

        # Sent when the time of the run is known, and when it would take longer than announced, or
        # less.
        def on_plan_changed(facts)
          tuned(facts[:plan]) if @procedure&.stepwise?
          @plan = facts[:plan]
          seconds = facts[:announced_s]
          @eta&.replan(@plan, announced_s: seconds)
          cuts = Render.cuts(worth_telling(facts[:cut], seconds), published: @published)
          Views::Run.dropped(cuts).each { |text| note("left out: #{text}") }
          return announce_first(seconds) if facts[:first]

          announce(seconds) if seconds && !@open
        end

        # The one announcement of a run whose time was not known when it was planned.
        def announce_first(seconds)
          @open = false
          announced(seconds)
          rounds = Numbers.counted(@plan.rounds, "round")
          note("#{rounds}, about #{Numbers.duration(seconds)} in all")
        end

        # What a tuning does next: its searches, or a round with fewer settings than are left.
        def tuned(plan)
          added = plan.cohorts.drop(@plan.cohorts.size)
          race, searching = @document&.fetch(:race), added.select(&:search_s)
          left, chosen = race&.fetch(:left), added.flat_map(&:variants).uniq
          cut = race && race[:ended].nil? && (left - chosen).any? && !@document[:wanted_per_s]
          return searches(searching, cut:) if searching.any?
          return unless race

          going_on = chosen | (left & opened(added))
          note(Render.text("tune_shrinks", names: going_on.sort.join(", "))) if
            (left - going_on).any?
        end

        # Settings that were measured in the opening of a round.
        def opened(cohorts)
          rounds = cohorts.map(&:round)
          @plan.cohorts.select { |one| one.opening && rounds.include?(one.round) }
               .flat_map(&:variants)
        end

        def searches(cohorts, cut:)
          note(Render.text("tune_searches", names: cohorts.first.variants.sort.join(", "), cut:,
                                            boots: cohorts.size, search_s: cohorts.first.search_s))
        end

        # Every variant, but rounds only once, if there are fewer than announced: they come and go
        # with the estimate, and the number of rounds shows that. Not if another time is announced,
        # with the number of rounds.
        def worth_telling(cut, seconds)
          variants, rounds = cut.partition { |one| one[:code] != "cut_rounds" }
          fewer = seconds.nil? && !@open && @plan.rounds.to_i < @planned_rounds
          rounds.any? && fewer && once("rounds") ? cut : variants
        end

        # Compares with the time that was announced first, by which a user plans. Compared with
        # the last one, a run could be "longer than announced" and then take "less time than
        # announced". Each direction is reported once, if it matters; the time left shows the rest.
        def announce(seconds)
          return if (seconds - @announced_s).abs <= @announced_s * MATTERS

          change = seconds > @announced_s ? "longer" : "less time"
          return unless once(change)

          note("it takes #{change} than announced: about #{Numbers.duration(seconds)} in all, " \
               "#{Numbers.counted(@plan.rounds, 'round')}")
        end

        # Is this the first time since the announcement?
        def once(change) = !@told.include?(change) && @told.push(change)

        def say_instead(names)
          note("measuring #{Numbers.list(names)} instead") if names.any?
        end

        def say_baseline(reason) = note("baseline #{Numbers.called(@baseline)} instead (#{reason})")

        def replan(facts)
          @plan = facts[:plan]
          @procedure = facts[:study].procedure
          @published = facts[:study].published
          @open = facts.fetch(:open, false)
          @asked = facts[:study].rounds && facts[:study].budget_s.nil?
          @baseline = facts[:study].baseline
          @names = facts[:study].variants.map(&:name)
          costs = facts.fetch(:costs) { Plan::Costs.new }
          estimator = Plan::Estimator.new(facts[:study].variants, costs)
          @eta = Plan::TimeLeft.new(@plan, estimator, clock: @clock,
                                    whole_s: (@plan.estimate_s if @procedure&.stepwise?))
        end

        def on_cohort_started(facts)
          @alone = alone?(facts)
          @cohort = planned(facts)
          @round = facts[:round]
          @eta&.started(facts[:cohort])
          @doing = facts[:variants].join(" · ")
          begun(facts) if facts[:host]
          update
        end

        # A host of a fleet works beside others: the number of cohorts done says more than a time
        # estimated for one host.
        def begun(facts)
          @of = facts[:of]
          busy[facts[:host]] = { round: facts[:round], variants: facts[:variants],
                                 since_ns: @clock.mono_ns }
          @doing = busily
        end

        def busily
          verb = busy.one? ? "measures" : "measure"
          "#{Numbers.counted(busy.size, 'host')} of the fleet #{verb}"
        end

        # A cohort of the fleet is done.
        def ended
          @done = @done.to_i + 1
          @doing = busily
        end

        # { host => what it measures, and since when }.
        def busy = @busy ||= {}

        def on_host_left(facts)
          busy.delete(facts[:host])
          @doing = busily
          what = "#{@procedure&.sequential? ? 'cohort' : 'round'} #{facts[:round]}"
          note(Render.text("host_left", what:, **facts.slice(:host, :reason)))
          update
        end

        # After Ctrl-C.
        def on_fleet_unfinished(facts) = note(Render.text("fleet_unfinished", **facts))

        # A fleet began the run that is resumed.
        def on_without_fleet(facts) = note(Render.text("without_fleet", **facts))

        # Nothing is measured: every host that worked is gone.
        def on_fleet_silent(facts) = note(Render.text("fleet_silent", **facts))

        # Sent every second while waiting for our turn; a subclass decides what to print.
        def on_wait(facts)
          @eta&.waits
          @waits_since ||= @clock.mono_ns
          waits(facts)
        end

        def other(facts)
          user = " of #{facts[:user]}" if facts[:user]
          process = " (process #{facts[:holder]}#{user})" if facts[:holder]
          place = " on #{facts[:machine]}" if facts[:machine]
          "another mohs#{place}#{process}"
        end

        def waiting(facts)
          waited = Numbers.clock((@clock.mono_ns - @waits_since) / 1e9)
          "waiting #{waited} for #{other(facts)}; announced times don't count this"
        end

        def on_trial(facts)
          return on_wait(facts) if facts[:stage] == :wait

          @waits_since = nil
          @eta&.trial(facts)
          @doing = doing(facts) || @doing
          update
        end

        def on_cohort_finished(facts)
          @eta&.finished
          ended if busy.delete(facts[:host])
          document = facts[:document]
          @compared = document if document && document[:command] == "compare"
          @document = document || @document
          stood_in(document)
          update
        end

        # The baseline did not boot, and another variant stands in. In a comparison nothing stands
        # in for A.
        def stood_in(document)
          name = document && document[:baseline]
          return if @compared || name.nil? || @baseline.nil? || name == @baseline

          @baseline = name
          say_baseline(document[:baseline_reason])
        end

        # nil for stages whose results are shown only in the final row.
        def doing(facts)
          return "measuring, block #{facts[:block]} of #{facts[:of]}" if facts[:stage] == :measure
          return anew(facts) if facts[:stage] == :alone
          return unless STAGES.key?(facts[:stage])

          "#{facts[:variant]} #{STAGES[facts[:stage]]}#{served(facts)}"
        end

        def anew(facts)
          "#{facts[:variants].join(', ')} failed beside others: booting all again, to warm up " \
            "one at a time"
        end

        # " (1 240 requests, 1 210/s)": a first figure, long before a measured one.
        def served(facts)
          return unless facts[:requests]

          rate = "#{Numbers.figure(facts[:per_s])}/s" if facts[:per_s]
          " (#{["#{Numbers.thousands(facts[:requests])} requests", *rate].join(', ')})"
        end

        # Whether this is the cohort after the verdict, which measures each variant alone.
        def alone?(facts) = @procedure&.sequential? && planned(facts)&.solo

        def planned(facts)
          @plan&.cohorts&.find { |cohort| cohort.position == facts[:cohort] }
        end

        # For a comparison: the result so far, and the time of the next look.
        def looks
          return ["cohort #{@round}"] unless @compared
          return [Change.look(@compared), "decided", ALONE] if @alone

          cohorts = @compared[:cohorts]
          void = cohorts[:void].find { |one| one[:cohort] == @round - 1 }
          return ["cohort #{@round}", "left out: #{void[:reason]}"] if void

          ["cohort #{@round}", Change.look(@compared), *gate, *next_look(cohorts)]
        end

        # Why the comparison continues although the verdict is known.
        def gate
          return if @compared.dig(:verdict, :outcome) == "undecided"

          open = @compared[:gates].select { |gate| gate[:outcome] == "inconclusive" }
          open.first(1).map do |gate|
            change = Change.new(gate) if gate[:effect]
            so_far = " (so far #{change})" if change
            "decided, but the gate #{gate[:gate]} is open#{so_far}"
          end
        end

        def next_look(cohorts)
          return unless cohorts[:state] == "continue"

          left = cohorts[:next_look].to_i - cohorts[:done]
          return unless left.positive? && cohorts[:done].positive?

          seconds = left * cohorts[:seconds] / cohorts[:done]
          "next look in about #{Numbers.duration(seconds)}"
        end

        # Whether a run shows an interval. A comparison's interval doesn't change at its end.
        def interval?(document)
          document[:command] == "run" && document[:rows].any? { |row| row[:verdict][:interval] }
        end

        # "first interval in about 40 s", until the run shows one; nil if it will have too few
        # rounds.
        def first_interval(document)
          return if !@procedure&.planned? || @eta.nil? || document.nil? || interval?(document)

          others = document[:rows].select { |row| row[:state] == "measured" && !row[:baseline] }
          times = others.filter_map { |row| interval_s(row) }
          "first interval in about #{Numbers.rough_duration(times.min)}" if times.any?
        end

        def interval_s(row)
          rounds = Analysis::Effects::ROUNDS - row[:trials][:measured]
          @eta.until_s(row[:variant], rounds) if rounds.positive?
        end

        def time_left
          return "#{@done.to_i} of #{Numbers.counted(@of, 'cohort')} done" if @of

          return PlanText::MEASURING_ROUND if @open

          @eta && "#{Numbers.clock(@eta.shown_s)} left"
        end

        def round
          stage = @procedure.stage(@cohort, @plan.cohorts) if @procedure && @cohort
          return stage if stage

          ["round #{@round}", *(@plan&.rounds if !@open || @asked)].join("/")
        end

        # The Progress of a bisection: prints each step and its result, but not each step's plan.
        # Events in addition to a run's: :step { kind:, a:, b:, left:, suspects: }, :step_done {
        # step: }.
        module BisectSteps
          private

          def on_plan(facts) = replan(facts)

          def on_step(facts)
            @compared = nil
            a, b = facts.fetch_values(:a, :b)
            @pair = "#{b.name}#{" #{b.title.inspect}" if b.title} against #{a.name}"
            say(@style.cut([@pair, *about(facts)].join(" · ")))
          end

          # The confirmation is not counted as a step left.
          def about(facts)
            return ["the two ends"] if facts[:kind] == :ends
            return ["to confirm it"] if facts[:kind] == :confirm

            ["#{facts[:suspects]} suspects", "#{Numbers.counted(facts[:left], 'step')} at most"]
          end

          def on_step_done(facts)
            step = facts[:step]
            reason = ": #{Render.call(step.finding)}" if step.verdict == "skipped"
            cohorts = Numbers.counted(step.cohorts, "cohort")
            took = Numbers.duration(step.seconds)
            say("  #{@style.wrap("#{step.verdict}#{reason} · #{cohorts} · #{took}", indent: 2)}")
          end
        end

        # The pages of `mohs gate`, in addition to the events of their runs: :page { page:, number:,
        # of:, budget_s: } when a comparison begins, :page_done { measured: } (Gate::Gating::Measured).
        module GatePages
          private

          def on_plan(facts) = replan(facts)

          def on_page(facts)
            @compared = nil
            page, number, of, budget_s = facts.fetch_values(:page, :number, :of, :budget_s)
            say(@style.cut("page #{number} of #{of} · #{page.name} · #{page.limits.join(', ')} · " \
                           "at most #{Numbers.duration(budget_s)}"))
          end

          def on_page_done(facts)
            gates = facts[:measured].gates.results
            said = gates.map { |gate| "#{gate.gate.text} #{gate.outcome}" }.join(", ")
            took = Numbers.duration(facts[:measured].seconds)
            say("  #{@style.wrap("#{said} · #{took}", indent: 2)}")
          end
        end
      end
    end
  end
end
