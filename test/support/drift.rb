# frozen_string_literal: true

# Noise that a host's speed has (docs/method.md): as much from minute to minute as from second to
# second, a sum of drifts of different lengths. sd: its standard deviation.
class Drift
  LENGTHS_S = Array.new(12) { |octave| 0.1 * (2**octave) }

  def initialize(noise, sd)
    @noise = noise
    @sd = sd / Math.sqrt(LENGTHS_S.size)
    @parts = LENGTHS_S.map { noise.normal }
  end

  def after(seconds)
    @parts = LENGTHS_S.zip(@parts).map do |length_s, part|
      kept = Math.exp(-seconds / length_s)
      (kept * part) + (Math.sqrt(1 - (kept**2)) * @noise.normal)
    end
    @sd * @parts.sum
  end
end
