# frozen_string_literal: true

module Mohs
  module Rounds
    # The plan of a run, printed before it: its rounds, and how long they take.
    class PlanText < Report::Terminal::PlanText
      # What stands for the time of a run until it is known.
      MEASURING_ROUND = "measuring how long a round takes"

      # How many rounds there will be, for people.
      #: (Study, Plan) -> String
      def self.rounds(study, plan)
        early = study.procedure.until_decided? && plan.rounds > Result::LEAST
        "#{'at most ' if early}#{Report::Numbers.counted(plan.rounds, 'round')}"
      end

      private

      # A resumed run may have nothing left to do.
      def shape
        return "already complete" if @plan.cohorts.empty?

        size = [Report::Numbers.counted(@plan.variants.size, "variant"), *length].join(", ")
        "#{size} · baseline: #{baseline} (#{@study.baseline_reason})"
      end

      # While the time is open, only what the user asked for is known.
      def length
        rounds = PlanText.rounds(@study, @plan)
        return [rounds, "about #{estimate}"] unless @open

        asked = @study.rules
        return "at most #{Report::Numbers.duration(asked.budget_s)}" if asked.budget_s

        [*(rounds if asked.rounds), MEASURING_ROUND]
      end

      # A name of several words would run into the reason.
      def baseline
        name = @study.baseline
        name.include?(" ") ? name.inspect : [Report::Numbers.called(name), *what].join(", ")
      end

      # What the baseline is, if it is `yours`: the reason is about its Ruby.
      def what
        base = @study.variant(@study.baseline)
        ruby_of(base) if base&.ruby && yours?(base) && base.name == Study::Notation::YOURS
      end

      def yours = (super unless what)

      # Variants that --all adds, then the others by reason.
      def omitted
        more, others = Array(@study.omitted).partition { |one| one[:why].nil? }
        reasons = others.group_by { |one| one[:why] }.map { |why, all| "#{names(all)}: #{why}" }
        reasons.unshift("#{names(more)} (--all measures them, --variant picks)") if more.any?
        "not measured: #{reasons.join('; ')}" if reasons.any?
      end

      def rows = [["round", "about", "variants, in boot order"], *cohorts(&:round)]
    end
  end
end
