# frozen_string_literal: true

module Mohs
  module Report
    class Terminal
      # Follows the events of a run; what LineProgress and LiveProgress have in common. A subclass
      # says how a finished thing is told (`say`) and how the present state is (`update`).
      #
      # Events: :install { ruby:, line: }, :installed { ruby:, seconds:, state: }, :plan { plan:,
      # study: }, :cohort_started { cohort:, of:, round:, variants: }, :trial { variant:, stage:,
      # live: }, :cohort_finished { cohort:, document: }, :finished { document: }.
      class Progress
        STAGES = {
          boot: "boots", attest: "is looked at", check: "is checked", warm: "warms up",
          measure: "is measured", finish: "is looked at again", stop: "stops",
        }.freeze

        #: (IO, style: Terminal::Style, ?clock: Module) -> void
        def initialize(out, style:, clock: Clock)
          @out = out
          @style = style
          @clock = clock
          @doing = ""
        end

        # The receiver of events, as a proc would be.
        #: (Symbol, Hash[Symbol, untyped]) -> void
        def call(name, facts)
          handler = :"on_#{name}"
          send(handler, facts) if respond_to?(handler, true)
        end

        #: () -> void
        def close; end

        private

        def on_install(facts)
          @doing = facts[:line].to_s.strip
          update
        end

        def on_installed(facts)
          took = Numbers.duration(facts[:seconds].to_f)
          failed = facts[:state].to_s == "ok" ? "" : ": it failed, that row says why"
          say("installed for #{facts[:ruby]} in #{took} (once; not counted)#{failed}")
          facts[:notes].to_a.each { |note| say("  #{note}") }
        end

        def on_plan(facts)
          @plan = facts[:plan]
          @clockwork = Clockwork.new(@plan, clock: @clock)
          say(PlanText.new(facts[:study], @plan, style: @style).head.chomp)
        end

        def on_cohort_started(facts)
          @round = facts[:round]
          @clockwork&.started(facts[:cohort])
          @doing = facts[:variants].join(" · ")
          update
        end

        def on_trial(facts)
          @doing = doing(facts)
          update
        end

        def on_cohort_finished(facts)
          @clockwork&.finished(facts[:cohort])
          update
        end

        def doing(facts)
          stage = STAGES.fetch(facts[:stage], facts[:stage].to_s)
          requests = facts[:live] && facts[:live][:completed]
          count = " (#{Numbers.thousands(requests)} requests)" if requests
          "#{facts[:variant] || 'the cohort'} #{stage}#{count}"
        end

        def time_left = @clockwork && "#{Numbers.clock(@clockwork.left_s)} left"

        def round = ["round #{@round}", *@plan&.rounds].join("/")
      end
    end
  end
end
