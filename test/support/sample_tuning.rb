# frozen_string_literal: true

require_relative "sample_result"

# A made-up tuning, as the store returns it: settings of known speed, all raced for so many rounds,
# then some of them searched.
class SampleTuning
  PRESENT = "yours"
  SECONDS = 20

  # speeds: { name => requests/s of the closed loop }, the present setting first; searched: { name
  # => highest rate, or what is found, or a list with that of each round }, in `searches` rounds,
  # which vary by search_sd; failing: names that were not
  # measured in the last round of the race. shapes: { name => [processes, threads] } for names that
  # do not say it. opening: names that open `openings` rounds.
  def initialize(speeds, rounds: 3, searched: {}, searches: 3, budget_s: 600, failing: [],
                 boot_sd: 0.003, shapes: {}, opening: [], openings: 3, seconds: SECONDS,
                 search_sd: 0.01, open_searches: 0, **rules)
    @speeds = speeds
    @opening = opening
    @openings = openings
    @rounds = rounds
    @searched = searched
    @searches = searches
    @budget_s = budget_s
    @failing = failing
    @shapes = shapes
    @seconds = seconds
    @search_sd = search_sd
    @open_searches = open_searches
    @rules = { **rules, limit: Mohs::Load::Limit.parse(rules.fetch(:limit, "p99 < 200 ms")).to_h }
    @made = SampleResult.new(speeds, rounds:, boot_sd:, command: "tune")
    @noise = Noise.new(7)
  end

  def run = Mohs::Stored.run(to_h)

  def analysis = Mohs::Analysis::Run.new(run)

  def tuning = analysis.result

  def to_h
    cohorts = [*opened, *race_cohorts, *finals].map.with_index do |one, position|
      { **one, position:, spec: { **one[:spec], position: } }
    end
    study = { **@made.study, budget_s: @budget_s, tuning: @rules, variants: }
    plan = { seed: 1, rounds: cohorts.size, dropped: [], estimate_s: @budget_s,
             cohorts: cohorts.map { |cohort| { round: cohort[:round], **cohort[:spec] } } }
    { run: { **@made.run, study:, plan: }, cohorts: }
  end

  # What a search on one boot finds.
  def self.found(rate_per_s, **others)
    { outcome: "found", rate_per_s:, low: rate_per_s * 0.95, high: rate_per_s * 1.05,
      capacity_per_s: rate_per_s * 1.3, figure_ms: 190.0, beyond_share: 0.97, **others }
  end

  # What a search finds in which the limit held at every rate that was tried.
  def self.bound(rate_per_s) = found(rate_per_s, outcome: "at_least")

  private

  def variants
    @speeds.keys.map do |name|
      processes, threads = @shapes.fetch(name) { name.scan(/\d+/).map(&:to_i) }
      config = "config/puma.rb" if name == PRESENT
      { name:, refusal: nil, env: {}, server: "puma", processes:, threads:, config: }
    end
  end

  def opened
    return [] if @opening.empty?

    Array.new(@openings) do |index|
      cohort(index, @opening, opening: true) { |name| @made.trial(name) }
    end
  end

  def race_cohorts
    Array.new(@rounds) do |index|
      out = index == @rounds - 1 ? @failing : []
      names = @speeds.keys
      names = [PRESENT, *(names - @opening)] if index < opened.size
      cohort(index, names) { |name| out.include?(name) ? @made.failed(name) : @made.trial(name) }
    end
  end

  def finals
    return [] if @searched.empty?

    done = Array.new(@searches) do |index|
      cohort(@rounds + index, @searched.keys, search_s: 10) { |name| searched(name, index) }
    end
    left = Array.new(@open_searches) do |index|
      round = @searches + index
      cohort(@rounds + round, @searched.keys, search_s: 10) { |name| searched(name, round) }
    end
    [*done, *left.map { |one| queued(one) }]
  end

  def queued(cohort)
    { **cohort, state: "queued", started_ms: nil, finished_ms: nil, trials: [] }
  end

  def searched(name, round)
    trial = @made.trial(name)
    found = @searched.fetch(name)
    found = found.fetch(round) if found.is_a?(Array)
    found = self.class.found(found * Math.exp(@noise.normal * @search_sd)) if found.is_a?(Numeric)
    { **trial, facts: { **trial[:facts], found: }.compact }
  end

  def cohort(index, names, **spec, &trial)
    { round: index + 1, state: "done", host: {},
      started_ms: index * @seconds * 1000, finished_ms: (index + 1) * @seconds * 1000,
      spec: { round: index + 1, variants: names, baseline: names.first, estimate_s: @seconds,
              **spec },
      trials: names.map(&trial) }
  end
end
