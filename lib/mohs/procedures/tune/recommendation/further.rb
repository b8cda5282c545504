# frozen_string_literal: true

module Mohs
  module Tune
    # A further tuning, of the setting `name` and the present one alone, which probably shows
    # whether the setting gains so much: `gain`, the ratio of its rate to the present one's by the
    # boots so far, with their error taken off (Stats::Effect#least). Since only gains that are
    # large by chance get there, the true one may be lower. `budget_s`, in seconds.
    class Further < Struct.new(:name, :gain, :budget_s, keyword_init: true)
      include Value

      # Most boots of each setting: two hours of a fast application, five of a slow one.
      MOST = 60
      private_constant :MOST

      # Nobody is told to wait longer than that.
      LONGEST_S = Cautions::LONGEST_S

      # effect: by how much the setting seems to serve more, a logarithm, over the boots so far.
      # margin: a smaller gain is not worth a change. budget: that of the tuning so far. search_s:
      # of each search at least. nil if it would take too many boots, or if the setting hardly
      # seems to serve more.
      #: (String, Stats::Effect, margin: Float, budget: Tune::Budget, search_s: Numeric) -> Tune::Further?
      def self.of(name, effect, margin:, budget:, search_s:)
        delta = effect.least
        return if effect.value.negative? || delta < Stats::Margin.log(margin)

        boots = effect.needed(delta:, alpha: Result::ALPHA, most: MOST) or return

        budget_s = budget.for_two_s(boots: [boots, Result::BOOTS].max, search_s:)
        new(name:, gain: Math.exp(delta), budget_s:) if budget_s <= LONGEST_S
      end
    end
  end
end
