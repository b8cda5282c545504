# frozen_string_literal: true

# Comparisons of a made-up line of points, with everything that a bisection asks of a run: each
# cohort's difference is the truth plus noise of a known sd (method, section 7). Decided by the
# same statistics as real ones.
class BisectHost
  COHORT_S = 3.0

  # Stand-ins for an Analysis::Run, its Comparison and a pair of it.
  Run = Struct.new(:state, :stored, :result, keyword_init: true) do
    def with(**changes) = self.class.new(**to_h, **changes)
  end
  Compared = Struct.new(:state, :verdict, :log_differences, :pairs, keyword_init: true) do
    def looks = []

    def metric = Mohs::Analysis::Metric.fetch("throughput")

    def differences(_metric) = log_differences

    def with(**changes) = self.class.new(**to_h, **changes)
  end
  Stored = Struct.new(:key)
  Pair = Struct.new(:seconds)

  # The finding for a point that does not boot. (Not a constant, since test support loads nothing
  # of the room.)
  def self.invalid
    @invalid ||= Mohs::Analysis::Finding.new(
      code: "side_invalid", severity: :bad, subject: "B",
      values: { side: "B", variant: "b", reason: Mohs::Reason.parse("it does not boot") },
    )
  end

  # effects: log ratio of each point to the first. broken: indices of points that don't boot.
  # sequential: the test for the ends.
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

  # Does what Bisect::Measurement does in reality.
  def call(first, second, asked, budget_s)
    a, b = [first, second].map { |point| point.name.to_i }
    return run([], :invalid, :invalid) if ([a, b] & @broken).any?

    rules = Mohs::Compare::Rules.new(candidate: second.name, **asked)
    differences = []
    state = :continue
    while state == :continue
      differences << (@effects[b] - @effects[a] + (@sd * @noise.normal))
      state = decision(rules).call(differences)
      spent = budget_s && (differences.size + 1) * COHORT_S > budget_s
      state = :budget if state == :continue && spent
    end
    run(differences, state, outcome(differences, state))
  end

  private

  def decision(rules)
    rules.question.decision(@sequential, rules, last: false)
  end

  def outcome(differences, state)
    return :equivalent if state == :equivalent
    return :undecided unless state == :differs

    Mohs::Stats::Center.mean(differences).positive? ? :faster : :slower
  end

  def run(differences, state, outcome)
    interval = @sequential.interval(differences).exp
    verdict = Mohs::Analysis::Verdict.new(
      outcome:, effect: interval.value, low: interval.low, high: interval.high,
      findings: state == :invalid ? [self.class.invalid] : []
    )
    pairs = differences.map { Pair.new(COHORT_S) }
    Run.new(state: "finished", stored: Stored.new("r"),
            result: Compared.new(state:, verdict:, log_differences: differences, pairs:))
  end
end
