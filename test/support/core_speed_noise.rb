# frozen_string_literal: true

# Two equal servers on a host whose cores slow down, made up from a seed: cohorts of a duet as the
# store returns them, with the times of the driver's pieces of work in each slice. These times have
# an error of their own. How much a request follows them differs between hosts and between cohorts
# (neighbours come and go); boots and slices differ besides.
class CoreSpeedNoise
  # Variant and half of the machine of the four servers: the first two are loaded at once, then the
  # last two.
  PLACES = [["a", 0], ["b", 1], ["b", 0], ["a", 1]].freeze
  BLOCKS = 6
  GOOD, WALL_NS = 800, 200_000_000

  # How much the cores' speed varies: in a quiet cohort, and in a restless one (one in three). A
  # core stays slow for some slices.
  QUIET_SD, RESTLESS_SD = 0.02, 0.1..0.3
  RESTLESS = 0.3
  LAG = 0.7
  MEMORY_SD = 0.05

  # How much boots differ, how much slices differ for reasons that are not measured, and the random
  # error of the times of the pieces of work.
  BOOT_SD, SLICE_SD, ERROR_SD = 0.002, 0.015, 0.02

  # How much longer a request takes for each per cent that the pieces of work take longer.
  SLOPES = { pace_ns: 0.3..1.0, memory_ns: 0.0..0.4 }.freeze
  SLOPE_SD = 0.4 # sd of its logarithm, from cohort to cohort
  TIMES_NS = { pace_ns: 800.0, memory_ns: 4500.0 }.freeze

  HOST = { foreign_cpu_share: 0.03, apart: false }.freeze

  # effect: the true log ratio B / A. own: how much longer the pieces of work take beside B, at no
  # cost to B; piece_sd: how much that varies at random from boot to boot, for A and B alike.
  # restless: the share of restless cohorts.
  def initialize(seed, effect: 0.0, own: 0.0, restless: RESTLESS, boot_sd: BOOT_SD, piece_sd: 0.0)
    @noise = Noise.new(seed)
    @piece_noise = Noise.new(seed + 1_000_000)
    @random = Random.new(seed)
    @effect = effect
    @own = own.is_a?(Hash) ? own : TIMES_NS.transform_values { own }
    @restless_sd = @random.rand(RESTLESS_SD)
    @restless = restless
    @boot_sd = boot_sd
    @piece_sd = piece_sd
    @slopes = SLOPES.transform_values { |range| @random.rand(range) }
    @cores = Array.new(2) { @noise.normal }
  end

  # The same slices within each server of a cohort, but with boots that differ by 5 %.
  #: (Mohs::Store::Cohort, Noise) -> Mohs::Store::Cohort
  def self.rebooted(cohort, noise)
    trials = cohort.trials.map do |trial|
      cost = Math.exp(0.05 * noise.normal)
      trial.with(slices: trial.slices.map { |one| one.with(wall_ns: (one.wall_ns * cost).round) })
    end
    cohort.with(trials:)
  end

  # A method, since nothing here may load the code of a room before a test needs it (`rake mutants`
  # replaces it).
  #: () -> Hash[Symbol, untyped]
  def self.spec = Mohs::Plan::CohortSpec.new(scheme: "duet", variants: %w[a b]).to_h

  #: (Integer) -> Mohs::Store::Cohort
  def cohort(position)
    boots = PLACES.map { |name, _| (@boot_sd * @noise.normal) + (name == "b" ? @effect : 0.0) }
    pieces = PLACES.map { @piece_sd * @piece_noise.normal }
    slices = Array.new(PLACES.size) { [] }
    @slow_sd = @random.rand < @restless ? @restless_sd : QUIET_SD
    @slope = @slopes[:pace_ns] * Math.exp(SLOPE_SD * @noise.normal)
    BLOCKS.times do |block|
      [[0, 1], [2, 3]].shuffle(random: @random).each do |pair|
        advance
        pair.each { |place| slices[place] << slice(block, place, boots, pieces) }
      end
    end
    row = { id: position, position:, round: position + 1, state: "done", spec: CoreSpeedNoise.spec,
            started_ms: position * 5000, finished_ms: (position + 1) * 5000, host: HOST }
    Mohs::Store::Cohort.of(row, trials: trials(position, slices))
  end

  private

  def advance
    @cores.map! { |core| (LAG * core) + (Math.sqrt(1 - (LAG**2)) * @noise.normal) }
  end

  def slice(block, place, boots, pieces)
    name, half = PLACES[place]
    slow = { pace_ns: @slow_sd * @cores[half], memory_ns: MEMORY_SD * @noise.normal }
    cost = (@slope * slow[:pace_ns]) + (@slopes[:memory_ns] * slow[:memory_ns])
    log = boots[place] + (SLICE_SD * @noise.normal) - cost
    own = name == "b" ? @own : {}
    pulse = slow.to_h do |kind, one|
      off = own.fetch(kind, 0.0) + pieces[place] + (ERROR_SD * @noise.normal)
      [kind, TIMES_NS[kind] * Math.exp(one + off)]
    end
    wall_ns = (WALL_NS / Math.exp(log)).round
    Mohs::Store::Slice.of({ block:, wall_ns:, good: GOOD, sent: GOOD, cpu_ns: wall_ns * 9 / 10,
                            driver_cpu_ns: 1_000_000, p50_ns: wall_ns / GOOD, pulse: })
  end

  def trials(position, slices)
    PLACES.each_with_index.map do |(variant, worker), ordinal|
      Mohs::Store::Trial.of({ variant:, worker:, ordinal:, state: "measured", cores: 1,
                              started_ms: position * 5000, boot_ns: 300_000_000 },
                            slices: slices[ordinal])
    end
  end

  # A store of one comparison, which also executes its cohorts: each call measures the next one. So
  # the real Runner walks them.
  class Bench
    # noise: a CoreSpeedNoise.

    def initialize(noise, planned: 30)
      @noise = noise
      result = CompareResult.new([], planned: 0, state: "running").to_h
      @empty = Mohs::Stored.run(result)
      @cohorts = Array.new(planned) do |position|
        Mohs::Store::Cohort.of({ id: position, position:, round: position + 1, state: "queued",
                                 spec: CoreSpeedNoise.spec })
      end
    end

    # The comparison as the runner left it.
    #: () -> Mohs::Compare::Result
    def walk = Mohs::Runner.new(store: self, run_id: 1, execution: self).call.result

    # How many cohorts were measured.
    #: () -> Integer
    def done = @cohorts.count(&:done?)

    def result(_run, **) = @empty.with(cohorts: @cohorts.dup)

    def cohorts(_run) = @cohorts

    def given_up(_run) = []

    def keep_look(id, look) = @cohorts[id] = @cohorts[id].with(look:)

    def release_stale(*) = nil

    def finish_run(*) = nil

    def new(cohort_id:, **) = tap { @next = cohort_id }

    def call = @cohorts[@next] = @noise.cohort(@next)
  end
end
