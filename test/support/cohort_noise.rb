# frozen_string_literal: true

# Cohorts of two variants on a hostile host, made up from a seed (method, section 7): boots differ
# by .4 %, blocks by 1 to 3 % (depending on the host) with a lag-1 correlation of .6, one block in
# twenty has a stall that takes half of a slice, and the host's speed drifts as 1/f noise does.
# `effect` is the true log ratio B / A.
class CohortNoise
  BLOCKS = 10
  BOOT_SD = 0.004
  LAG = 0.6
  STALLS = 0.05
  STALL = Math.log(0.5)
  RATE = 10_000.0 # responses a second
  SLICE_S = 0.04

  def initialize(seed, effect: 0.0)
    @noise = Noise.new(seed)
    @random = Random.new(seed)
    @effect = effect
    @block_sd = 0.01 + (0.02 * @random.rand)
    @octaves = Array.new(6) { @noise.normal }
  end

  # The log difference of the next cohort, as its blocks would give it.
  def difference
    boot = BOOT_SD * @noise.normal
    @block = @noise.normal
    blocks = Array.new(BLOCKS) { (@block_sd * correlated) + stalled_difference }
    @effect + boot + Mohs::Stats::Center.trimmed_mean(blocks)
  end

  # The next cohort as the slices of A and of B, in mirrored order: A B B A or B A A B.
  def slices
    @block = @noise.normal
    boots = [0.0, @effect + (BOOT_SD * @noise.normal)]
    order = Array.new(BLOCKS) { @random.rand < 0.5 ? [0, 1, 1, 0] : [1, 0, 0, 1] }
    made = order.each_with_index.flat_map do |variants, block|
      stall = @random.rand < STALLS ? @random.rand(4) : nil
      variants.each_with_index.map do |variant, place|
        [variant, slice(block, boots[variant] + drift + own + (place == stall ? STALL : 0.0))]
      end
    end
    [0, 1].map { |variant| made.filter_map { |which, slice| slice if which == variant } }
  end

  private

  # Noise of sd 1 that is correlated within a cohort; booting the next cohort takes longer than the
  # correlation lasts.
  def correlated = @block = (LAG * @block) + (Math.sqrt(1 - (LAG**2)) * @noise.normal)

  # If each of a block's four slices has this sd, so has the block: the mean of two slices less
  # that of the other two.
  def own = @block_sd * correlated

  def stalled_difference
    return 0.0 if @random.rand >= STALLS

    (@random.rand < 0.5 ? 1 : -1) * STALL / 2
  end

  # 1/f noise: a sum of noises, each with twice the memory of the one before.
  def drift
    @octaves.map!.with_index do |octave, i|
      keep = 1 - (0.5**i)
      (keep * octave) + (Math.sqrt(1 - (keep**2)) * @noise.normal)
    end
    0.02 * @octaves.sum
  end

  # Complete responses, and the time to the last of them.
  def slice(block, log_speed)
    rate = RATE * Math.exp(log_speed)
    good = (rate * SLICE_S).floor
    wall_ns = (good / rate * 1e9).round
    { block:, good:, wall_ns:, cpu_ns: (wall_ns * 0.9).round, p50_ns: (1e9 / rate).round }
  end
end
