# frozen_string_literal: true

require_relative "sample_result"

# A made-up comparison, as the store returns it: A at 1000 requests/s, and B faster by exactly the
# log difference given for each cohort. Everything else is as in a duet on two cores.
class CompareResult < SampleResult
  RATE = 1000.0
  PLAN = 30

  # differences: one for each measured cohort. comparison: of its rules. slice: ->(facts, variant,
  # index of the slice, cohort) changes a slice; trial: ->(facts, variant, cohort) changes a trial.
  # track: of a point of a history.
  def initialize(differences, comparison: {}, budget_s: nil, state: "finished", slice: nil,
                 trial: nil, variants: [{}, {}], planned: PLAN, track: nil)
    super({ "a" => RATE, "b" => RATE }, boot_sd: 0, block_sd: 0, command: "compare")
    @differences = differences
    @comparison = comparison
    @budget_s = budget_s
    @state = state
    @change_slice = slice
    @change_trial = trial
    @declared = variants
    @planned = planned
    @track = track
  end

  def to_h
    queued = Array.new([@planned - @differences.size, 0].max) do |index|
      { round: @differences.size + index + 1, position: @differences.size + index,
        state: "queued", host: nil, trials: [], spec: { scheme: "duet" } }
    end
    { run:, cohorts: @differences.each_index.map { |position| duet(position) } + queued }
  end

  def run = super.merge(state: @state)

  def study
    variants = %w[a b].zip(@declared).map do |name, facts|
      { name:, refusal: nil, env: {}, **facts }
    end
    { app: "/home/someone/shop", requests:, env: {}, baseline: "a", variants:,
      budget_s: @budget_s, comparison: rules, track: @track }
  end

  # As stored. Gates may be texts; what a question adds may be given in place of one.
  def rules
    given = @comparison.slice(*Mohs::Compare::Rules.members)
    gates = given[:gates].to_a.map do |one|
      one.is_a?(String) ? Mohs::Compare::Condition.parse(one) : one
    end
    rules = Mohs::Compare::Rules.new(candidate: "b", **given, gates:)
    { **rules.to_study.fetch(:comparison), **@comparison.except(*given.keys) }
  end

  def plan
    cohorts = Array.new(@planned) do |position|
      { round: position + 1, position:, baseline: "a", variants: %w[a b], scheme: "duet" }
    end
    { seed: 8412, rounds: @planned, cohorts:, dropped: [] }
  end

  private

  # Two servers of each variant, one on each half; five seconds from the first boot to the end.
  def duet(position)
    rates = { "a" => RATE, "b" => RATE * Math.exp(@differences[position]) }
    places = [["a", 0], ["b", 1], ["b", 0], ["a", 1]]
    trials = places.each_with_index.map do |(name, worker), ordinal|
      server(name, rates.fetch(name), worker, ordinal, position)
    end
    { round: position + 1, position:, state: "done", spec: { scheme: "duet" },
      host: { foreign_cpu_share: 0.03 + (0.01 * (position % 2)), apart: false }, trials:,
      id: position, started_ms: position * 5000, finished_ms: (position + 1) * 5000 }
  end

  # Four connections are busy all the time.
  def latency(rate)
    { **LATENCY, p50_ns: (4e9 / rate).round, p90_ns: (5e9 / rate).round,
      p99_ns: (8e9 / rate).round, max_ns: (20e9 / rate).round }
  end

  def server(name, rate, worker, ordinal, position)
    made = trial(name, rate)
    made[:slices].each_with_index do |slice, index|
      @change_slice&.call(slice, name, index, position)
    end
    made.merge!(boot_ns: 300_000_000, ordinal:, started_ms: position * 5000,
                facts: { **FACTS, latency: latency(rate), worker:, cores: 1 })
    @change_trial&.call(made, name, position)
    made
  end
end
