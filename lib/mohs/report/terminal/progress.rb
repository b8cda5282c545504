# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Follows the events of a run; shared by LineProgress and LiveProgress. A subclass implements
      # how a finished thing is printed (`say`) and how the current state is shown (`update`).
      #
      # Events: :install { ruby:, line: }, :outstanding { gems:, seconds: }, :outstanding_longer
      # { seconds: }, :installed { ruby:, seconds: (nil if it was not tried, as another has failed),
      # state:, and a Reason: if it failed },
      # :install_stopped { installed:, left: },
      # :plan { plan:, study:, costs:, hosts:, open: } (open: the first :plan_changed announces the
      # time), :plan_changed { plan: } (and what the procedure adds to it),
      # :cohort_started { cohort:, of:, round:, variants: },
      # :trial { variant:, stage: } (and requests: and per_s: while it warms up; for stage: :measure
      # block: and of: instead of a variant, before it for :outlook slices_s: and waiting_s:
      # (Cohort::Schedule#seconds), for :alone variants:; for :ended its state: and a
      # Reason:), :cohort_finished { cohort:, document: }, :finished { document: }. In a fleet,
      # :cohort_started has a host:, and :fleet_silent is sent when no host is left,
      # :host_left { host:, round:, reason: } when one did not finish a cohort, :fleet_unfinished
      # { cohorts:, hosts:, key: } after Ctrl-C if hosts go on with what they have begun;
      # :without_fleet { hosts: } when a run that a fleet began is resumed.
      class Progress
        STAGES = {
          services: "starting its services",
          prepare: "filling its databases",
          boot: "booting", attest: "reading its settings",
          check: "checking responses", login: "logging in", warm: "warming up",
          settle: "waiting until idle",
          finish: "re-reading its settings", stop: "stopping",
        }.freeze

        # again: the command line that starts the same work again.
        #: (IO, style: Terminal::Style, ?clock: Module, ?again: String?) -> void
        def initialize(out, style:, clock: Clock, again: nil)
          @again = again
          @out = out
          @style = style
          @clock = clock
          @doing = ""
          renew
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

        # What the procedure says begins anew, with the plan of another run.
        def renew(open: false)
          kind = @procedure ? @procedure.progress_text : ProgressText
          @text = kind.new(@study, @plan, style: @style, eta: @eta, open:)
          @round = nil
        end

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
          return not_installed(facts) unless facts[:state] == :ok

          took = Numbers.duration(facts[:seconds].to_f)
          say("installed for #{facts[:ruby]} in #{took} (once; not counted)")
          facts[:notes].to_a.each do |finding|
            say("  #{@style.wrap(Render.text(finding.code, **finding.values), indent: 4)}")
          end
        end

        # Printed at once, so that a user who has to fix the Gemfile needn't wait for the others.
        def not_installed(facts)
          took = facts[:seconds]&.then { |seconds| " (#{Numbers.duration(seconds.to_f)})" }
          reason = facts.fetch(:reason)
          first = first_with(reason.cause, facts[:ruby])
          why = first ? "the same reason as #{first}" : reason.summary
          note("not installed for #{facts[:ruby]}#{took}: #{why}")
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
          begin_run(facts)
          hosts, open = facts.fetch(:hosts, 1), facts.fetch(:open, false)
          guessed = facts.key?(:costs) && !facts[:costs].know?(@study.variants)
          say(PlanText.of(@study, @plan, style: @style, hosts:, open:, guessed:).head.chomp)
        end

        def begin_run(facts)
          replan(facts)
          renew(open: facts.fetch(:open, false))
        end

        # Without the failed installations the run takes a different time, and may need another
        # baseline, and another Ruby.
        def on_replanned(facts)
          before, known = @baseline, @names
          replan(facts)
          say_instead(@names - known)
          say_baseline(@study.baseline_reason) unless before == @baseline
          said = @text.replanned(@study, @plan, eta: @eta, open: facts.fetch(:open, false))
          said.each { |text| note(text) }
        end

        def on_plan_changed(facts)
          said = @text.changed(facts)
          @plan = facts[:plan]
          @eta&.replan(@plan, announced_s: facts[:announced_s])
          said.each { |text| note(text) }
        end

        def say_instead(names)
          note("measuring #{Numbers.list(names)} instead") if names.any?
        end

        def say_baseline(reason) = note("baseline #{Numbers.called(@baseline)} instead (#{reason})")

        def replan(facts)
          @plan = facts[:plan]
          @study = facts[:study]
          @procedure = @study.procedure
          @baseline = @study.baseline
          @names = @study.variants.map(&:name)
          costs = facts.fetch(:costs) { Plan::Costs.new }
          estimator = Plan::Estimator.new(@study.variants, costs)
          kind = @procedure.time_left || Plan::TimeLeft
          @eta = kind.new(@plan, estimator, clock: @clock, whole_s: @procedure.whole_s(@plan))
        end

        def on_cohort_started(facts)
          @text.started(facts)
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
          what = "#{@text.class::UNIT} #{facts[:round]}"
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
          "waiting #{waited} for #{other(facts)}; not counted in announced times"
        end

        def on_trial(facts)
          return on_wait(facts) if facts[:stage] == :wait

          @waits_since = nil
          @eta&.trial(facts)
          @text.outlook(facts).each { |text| note(text) } if facts[:stage] == :outlook
          @doing = doing(facts) || @doing
          update
        end

        def on_cohort_finished(facts)
          @eta&.finished
          ended if busy.delete(facts[:host])
          @text.finished(facts)
          stood_in(facts[:document])
          update
        end

        # The baseline did not boot, and another variant stands in.
        def stood_in(document)
          name = document && document[:baseline]
          return if name.nil? || @baseline.nil? || name == @baseline || !@procedure.stand_in?

          @baseline = name
          say_baseline(document[:baseline_reason])
        end

        # nil for stages whose results are shown only in the final row.
        def doing(facts)
          return "measuring, block #{facts[:block]} of #{facts[:of]}" if facts[:stage] == :measure
          return anew(facts) if facts[:stage] == :alone

          stage = stage(facts[:stage])
          "#{facts[:variant]} #{stage}#{served(facts)}" if stage
        end

        def stage(name)
          return @text.class::LAST_LOAD if name == :last_load

          by = " (#{@study.prepared_by})" if name == :prepare
          "#{STAGES[name]}#{by}" if STAGES.key?(name)
        end

        def anew(facts)
          "#{Wording.names(facts[:variants])} failed beside others: booting all again, to warm " \
            "up one at a time"
        end

        # " (1 240 requests, 1 210/s)": a first figure, long before a measured one.
        def served(facts)
          return unless facts[:requests]

          rate = "#{Numbers.figure(facts[:per_s])}/s" if facts[:per_s]
          " (#{["#{Numbers.thousands(facts[:requests])} requests", *rate].join(', ')})"
        end

        def time_left
          return "#{@done.to_i} of #{Numbers.counted(@of, 'cohort')} done" if @of

          @text.pending || (@eta && "#{Numbers.clock(@eta.shown_s)} left")
        end
      end
    end
  end
end
