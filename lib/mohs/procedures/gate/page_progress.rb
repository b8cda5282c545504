# frozen_string_literal: true

module Mohs
  module Gate
    # The pages of `mohs gate`, in addition to the events of their runs: :page { page:, number:,
    # of:, budget_s: } when a comparison begins, :page_done { measured: } (Gate::Gating::Measured).
    module PageProgress
      private

      def on_plan(facts) = replan(facts)

      def on_page(facts)
        renew
        page, number, of, budget_s = facts.fetch_values(:page, :number, :of, :budget_s)
        say(@style.cut("page #{number} of #{of} · #{page.name} · #{page.limits.join(', ')} · " \
                       "at most #{Report::Numbers.duration(budget_s)}"))
      end

      def on_page_done(facts)
        gates = facts[:measured].gates.results
        said = gates.map { |gate| "#{gate.gate} #{gate.outcome}" }.join(", ")
        took = Report::Numbers.duration(facts[:measured].seconds)
        say("  #{@style.wrap("#{said} · #{took}", indent: 2)}")
      end
    end
  end
end
