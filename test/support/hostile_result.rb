# frozen_string_literal: true

require_relative "sample_result"

# A made-up run on a host like the one that the method was measured on: boots that differ, drift
# that all trials of a cohort share (a random walk and an autocorrelated part), and stalls, each of
# which takes half of a slice. Slices are in mirrored order, as in a real cohort.
class HostileResult < SampleResult
  DRIFT_SD = 0.05
  LAG = 0.6
  STALLED = 0.0125 # of slices: a twentieth of the blocks, four slices each
  STALL = Math.log(0.5)

  # stalled: share of the slices.
  def initialize(rates, boot_sd: 0.004, block_sd: 0.01, stalled: STALLED, **options)
    super(rates, boot_sd:, block_sd:, **options)
    @stalled = stalled
    @coin = Random.new(options.fetch(:seed))
  end

  def cohort(round, names = @rates.keys)
    @levels = names.to_h do |name|
      [name, Math.log(@rates.fetch(name)) + (@boot_sd * @noise.normal)]
    end
    @host = @recent = 0.0
    slices = Array.new(@blocks) { |block| loaded(block, names) }.flatten(1).group_by(&:first)
    super.tap do |made|
      made[:trials].each do |trial|
        trial[:slices] = [warm_up, *slices.fetch(trial[:variant]).map(&:last)]
      end
    end
  end

  private

  # One block: an order drawn at random, and its mirror image.
  def loaded(block, names)
    order = names.shuffle(random: @coin)
    (order + order.reverse).map do |name|
      [name, slice(block, Math.exp(@levels.fetch(name) + disturbance))]
    end
  end

  def disturbance
    @recent = (LAG * @recent) + (@block_sd * Math.sqrt(1 - (LAG**2)) * @noise.normal)
    @host += DRIFT_SD / (2 * @blocks) * @noise.normal
    @host + @recent + (@coin.rand < @stalled ? STALL : 0)
  end
end
