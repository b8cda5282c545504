# frozen_string_literal: true

module Mohs
  module Repro
    # What a run says about a claim that variants survive their load, or that one crashes. One crash
    # decides. Boots without a crash agree with a claim of survival if they bound the chance of a
    # crash tightly enough, and never contradict a claim of a crash: a variant that crashes in one
    # boot of ten survives three boots in 73 of 100 runs. A server that was refused, or whose
    # figures are invalid for another reason, neither survived nor crashed.
    class Survival < Evidence
      # How often the upper end for the chance of a crash may be too low.
      ALPHA = 0.05
      # Reasons of servers that responded, and then ended by themselves or gave no correct response
      # any more.
      CRASHES = %w[died_in_checks died_under_load no_right_answers].freeze

      # There is no ratio, so no p-value to adjust.
      #: () -> bool
      def counted? = false

      #: () -> bool
      def tested? = false

      #: () -> Repro::Judgement
      def judgement
        return hindered(@test.obstacle) if @test.obstacle
        return hindered(note("repro_nothing")) unless @run

        crashed = names.find { |name| crashes(name).any? }
        crashed ? decided(!survives?, crash(crashed), crashed) : survived
      end

      private

      def survives? = @statement.kind == "survives"

      def survived
        missing = unmeasured
        return hindered(missing) if missing

        sure = survives? && @run.state == "finished" && bound <= @statement.high
        sure ? decided(true, seen, weakest) : judged(Judge::UNDECIDED, [seen])
      end

      # The bound has to hold for each variant, so the variant with the fewest boots decides.
      def seen
        asked = @statement.high
        needed = (Math.log(ALPHA) / Math.log(1 - asked)).ceil if asked && bound > asked
        note("repro_survived", boots: names.sum { |name| boots(name) }, variant: weakest,
                               fewest: boots(weakest), bound:, at_most: asked, needed:)
      end

      def weakest = names.min_by { |name| boots(name) }

      # The upper end of the interval of Clopper and Pearson (1934) for no crash in that many boots.
      def bound = 1 - (ALPHA**1.fdiv(boots(weakest)))

      def names = @test.levels.map(&:variant).uniq

      def crashes(name)
        failures = rows[name]&.failures.to_a
        failures.select { |failure| CRASHES.include?(failure.reason&.code) }
      end

      def crash(name)
        note("repro_crashed", variant: name, crashes: crashes(name).size, boots: boots(name),
                              reason: crashes(name).first.reason)
      end

      # Boots that were measured or crashed.
      def boots(name) = rows[name].trials[:measured] + crashes(name).size

      def decided(as_claimed, finding, variant)
        outcome, versions = @test.weigh(as_claimed ? Judge::AGREES : Judge::CONTRADICTED,
                                        shown_by: [variant])
        judged(outcome, [finding, *versions])
      end
    end
  end
end
