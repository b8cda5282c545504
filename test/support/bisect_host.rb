# frozen_string_literal: true

# Comparisons of a made-up line of points, as documents of the shape that a bisection reads: each
# cohort's difference is the truth and noise of a known sd (method, section 7). Decided by the same
# statistics as the real ones.
class BisectHost
  COHORT_S = 3.0

  # effects: log ratio of each point to the first. broken: indices that don't boot. sequential: the
  # test of the ends.
  def initialize(effects, sd:, seed: 1, broken: [], sequential: Mohs::Stats::Sequential.new)
    @effects = effects
    @sd = sd
    @noise = Noise.new(seed)
    @broken = broken
    @sequential = sequential
  end

  def points
    @effects.each_index.map { |index| Mohs::Bisect::Point.new(name: index.to_s, id: "id#{index}") }
  end

  # What Bisect::Pair does for real.
  def call(first, second, asked, budget_s)
    a, b = [first, second].map { |point| point.name.to_i }
    return document([], "invalid", "invalid") if ([a, b] & @broken).any?

    rules = Mohs::Study::ComparisonRules.new(candidate: second.name, **asked)
    differences = []
    state = :continue
    while state == :continue
      differences << (@effects[b] - @effects[a] + (@sd * @noise.normal))
      state = decision(rules).call(differences)
      spent = budget_s && (differences.size + 1) * COHORT_S > budget_s
      state = :budget if state == :continue && spent
    end
    document(differences, state.to_s, outcome(differences, state))
  end

  private

  def decision(rules)
    return Mohs::Stats::Sides.new(**rules.step) if rules.step

    Mohs::Stats::Sequential::Decision.new(@sequential, margin: rules.margin)
  end

  def outcome(differences, state)
    return "equivalent" if state == :equivalent
    return "undecided" unless state == :differs

    Mohs::Stats::Center.mean(differences).positive? ? "faster" : "slower"
  end

  def document(differences, state, outcome)
    interval = @sequential.interval(differences).exp
    told = differences.map { |one| { differences: { throughput_per_s: one } } }
    { state: "finished", run: "r", observations: told,
      verdict: { metric: "throughput_per_s", outcome:, effect: interval.value,
                 interval: interval.low && [interval.low, interval.high],
                 reasons: state == "invalid" ? ["it does not boot"] : [] },
      cohorts: { done: differences.size, state:, seconds: differences.size * COHORT_S } }
  end
end
