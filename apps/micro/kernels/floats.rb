# frozen_string_literal: true

module Micro
  # Five bodies that attract each other, simulated for some steps: float arithmetic in objects.
  class Floats < Computed
    EXPECTED = "-40.655704646"
    STEPS = 2000
    TIME = 0.0005

    Body = Struct.new(:x, :y, :z, :vx, :vy, :vz, :mass)

    private

    # The total energy after the last step.
    def compute
      bodies = Array.new(5) { |index| body(index) }
      STEPS.times { advance(bodies) }
      format("%.9f", energy(bodies))
    end

    # Bodies on a spiral, the heaviest in the middle.
    def body(index)
      speed = 0.1 * index
      Body.new(index * 1.5, index * index * 0.7, index * -0.3, speed, 0.4 - speed, 0.0,
               10.0 / (1 + (index * index)))
    end

    def advance(bodies)
      bodies.each_with_index do |one, index|
        (index + 1).upto(bodies.size - 1) { |at| attract(one, bodies[at]) }
      end
      bodies.each do |one|
        one.x += TIME * one.vx
        one.y += TIME * one.vy
        one.z += TIME * one.vz
      end
    end

    def attract(one, other)
      dx, dy, dz = one.x - other.x, one.y - other.y, one.z - other.z
      square = (dx * dx) + (dy * dy) + (dz * dz) + 0.01
      pull = TIME / (square * Math.sqrt(square))
      push(one, -pull * other.mass, dx, dy, dz)
      push(other, pull * one.mass, dx, dy, dz)
    end

    def push(body, pull, dx, dy, dz)
      body.vx += pull * dx
      body.vy += pull * dy
      body.vz += pull * dz
    end

    def energy(bodies)
      moving = bodies.inject(0.0) do |sum, one|
        sum + (0.5 * one.mass * ((one.vx * one.vx) + (one.vy * one.vy) + (one.vz * one.vz)))
      end
      bodies.combination(2).inject(moving) do |sum, (one, other)|
        sum - (one.mass * other.mass / Math.sqrt(((one.x - other.x)**2) + ((one.y - other.y)**2) +
                                                 ((one.z - other.z)**2) + 0.01))
      end
    end
  end
end
