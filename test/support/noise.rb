# frozen_string_literal: true

# Seeded normal deviates (Box and Muller 1958).
class Noise
  def initialize(seed)
    @random = Random.new(seed)
  end

  def normal = Math.sqrt(-2 * Math.log(1 - @random.rand)) * Math.cos(2 * Math::PI * @random.rand)
end
