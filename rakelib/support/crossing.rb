# frozen_string_literal: true

require "mohs"

# How often does a t test that looks several times, at one nominal level, find a difference that
# does not exist? Computed, not simulated. For normal values x1, x2, ... of mean 0 let c = sum /
# (sqrt(n) sqrt(sum of squares)), so that t = sqrt(n - 1) c / sqrt(1 - c^2). The length of the
# vector x is independent of its direction, and c depends on the direction alone; so c is a Markov
# chain in one dimension, and with phi the angle by which the next value turns the vector (tan phi
# = x / length, of density proportional to cos^(n-1) phi),
#     c' = (sqrt(n) c cos phi + sin phi) / sqrt(n + 1) = r cos(phi - psi),
#     r = sqrt((1 + n c^2) / (n + 1)), tan psi = 1 / (sqrt(n) c).
# Integrated backwards from the last look, as Armitage, McPherson and Rowe (J. R. Stat. Soc. A 132,
# 1969) do for a known sd.
class Crossing
  # Intervals of a Curve. Four times as many change a chance by less than 1 % if the last look is
  # at 120 values or fewer, and the usual chances by less than 0.1 %.
  GRID = 80

  # Nodes and weights on [-1, 1] of the Gauss-Legendre rule with 16 points (Abramowitz and
  # Stegun, table 25.4).
  GAUSS = [
    [0.0950125098376374, 0.1894506104550685], [0.2816035507792589, 0.1826034150449236],
    [0.4580167776572274, 0.1691565193950025], [0.6178762444026438, 0.1495959888165767],
    [0.7554044083550030, 0.1246289712555339], [0.8656312023878318, 0.0951585116824928],
    [0.9445750230732326, 0.0622535239386479], [0.9894009349916499, 0.0271524594117541],
  ].flat_map { |node, weight| [[-node, weight], [node, weight]] }.freeze

  # Sds of phi beyond which nothing is left.
  FARTHEST = 6.5

  # The level is not sought any closer, since the grid is not that fine.
  CLOSE = 1e-5

  # About five are enough.
  STEPS = 30

  # An even function of c in -1..1, from its values on a grid in the angle whose sine is c: evenly
  # spaced up to the `knee`, and from there on spaced to suit a function that leaves it like a
  # square root.
  class Curve
    # Angles.
    attr_reader :knee, :reach

    # The block returns the value at each c of the grid.
    #: (Integer, knee: Float, reach: Float) { (Float) -> Float } -> void
    def initialize(grid, knee:, reach:)
      @half = grid / 2
      @knee = knee
      @reach = reach
      @values = Array.new((2 * @half) + 1) { |i| yield(Math.sin(angle(i))) }
    end

    # Between the points of the grid: the cubic (Lagrange) through the four around, all on the
    # same side of the knee.
    #: (Float) -> Float
    def at(c)
      place = place(Math.asin(c.abs))
      first = place < @half ? 0 : @half
      base = (place.to_i - 1).clamp(first, first + @half - 3)
      x = place - base - 1
      left, middle, right, far = @values[base, 4]
      (((middle * (x + 1)) - (left * x / 3)) * (1 - x) * (2 - x) / 2) +
        (((right * (2 - x)) - (far * (1 - x) / 3)) * (x + 1) * x / 2)
    end

    private

    def angle(i)
      return knee * i / @half if i < @half

      knee + ((reach - knee) * ((i - @half).fdiv(@half)**2))
    end

    def place(angle)
      return @half * angle / knee if angle < knee

      @half * (1 + Math.sqrt((angle - knee) / (reach - knee)))
    end
  end

  # The chance that any of the looks (numbers of observations, ascending, the first at least 2) of
  # a two-sided t test at level `nominal`, 0.3 at most, finds a difference from 0 if the mean is 0.
  #: (Float, Array[Integer], ?grid: Integer) -> Float
  def self.chance(nominal, looks, grid: GRID) = new(nominal, looks, grid).chance

  # The nominal level at which that chance is `alpha`: by the secant method on logarithms, where
  # the curve is almost straight, between alpha a look (Bonferroni) and alpha.
  #: (Float, Array[Integer], ?grid: Integer) -> Float
  def self.level(alpha, looks, grid: GRID)
    error = ->(log) { Math.log(chance(Math.exp(log), looks, grid:) / alpha) }
    least = Math.log(alpha / looks.size)
    before = least
    now = Math.log(alpha / Math.sqrt(looks.size))
    was = error.call(before)
    STEPS.times do
      is = error.call(now)
      break if is.abs < CLOSE || now == before

      secant = now - (is * (now - before) / (is - was))
      before, was, now = now, is, secant.clamp(least, Math.log(alpha))
    end
    Math.exp(now)
  end

  #: (Float, Array[Integer], Integer) -> void
  def initialize(nominal, looks, grid)
    @nominal = nominal
    @looks = looks
    @grid = grid
    @edges = looks.to_h { |n| [n, edge(n)] }
  end

  # The first look crosses with its nominal level. What does not cross is at c = sin a, where a has
  # a density proportional to cos^(n-2).
  #: () -> Float
  def chance
    first = @looks.first
    return @nominal if @looks.one?

    later = later_from(first)
    stood = integral(0, later.knee, later.reach) do |angle|
      (Math.cos(angle)**(first - 2)) * later.at(Math.sin(angle))
    end
    @nominal + (2 * gamma_ratio((first - 1) / 2.0) * stood)
  end

  private

  # |c| beyond which a look finds a difference.
  def edge(n)
    t = Mohs::Stats::StudentT.upper_quantile(@nominal / 2, n - 1)
    t / Math.sqrt((t * t) + n - 1)
  end

  # The chance to cross after n observations, as an even function of c.
  def later_from(n)
    last = @looks.last
    none = Curve.new(@grid, knee: knee(last), reach: reach(last)) { 0.0 }
    (last - 1).downto(n).inject(none) do |later, size|
      Curve.new(@grid, knee: knee(size), reach: reach(size)) { |c| step(later, size, c) }
    end
  end

  def reach(n) = Math.asin(@edges.fetch(n, 1.0))

  # The angle from which on the next value can cross, if it can: where r reaches the edge.
  def knee(n)
    edge = @edges.fetch(n + 1, 0.0)
    knee = Math.asin(Math.sqrt([(((n + 1) * edge * edge) - 1) / n, 0].max))
    knee.between?(0.1 * reach(n), 0.99 * reach(n)) ? knee : reach(n) / 2
  end

  # For c >= 0 the next value can only cross upwards (|t| cannot grow beyond 1 otherwise), where
  # phi is within delta of psi.
  def step(later, n, c)
    r = Math.sqrt((1 + (n * c * c)) / (n + 1))
    psi = Math.atan2(1, Math.sqrt(n) * c)
    bend, delta = [later.knee, later.reach].map { |a| Math.acos([Math.sin(a) / r, 1].min) }
    ahead = ->(phi) { (Math.cos(phi)**(n - 1)) * later.at(r * Math.cos(phi - psi)) }
    turn = [Math::PI / 2, FARTHEST / Math.sqrt(n)].min
    stays = [[-turn, psi - bend, psi - delta], [psi + delta, psi + bend, turn]].sum do |points|
      integral(*points.map { |phi| phi.clamp(-turn, turn) }, &ahead)
    end
    (gamma_ratio(n / 2.0) * stays) + turned(psi - delta, n) - turned(psi + delta, n)
  end

  # Chance that the next value turns the vector by more than phi.
  def turned(phi, n) = Mohs::Stats::StudentT.upper(Math.sqrt(n) * Math.tan(phi), n)

  # Gamma(a + 1/2) / (Gamma(a) sqrt(pi)): what makes the densities of the angles integrate to 1.
  def gamma_ratio(a)
    Math.exp(Math.lgamma(a + 0.5)[0] - Math.lgamma(a)[0]) / Math.sqrt(Math::PI)
  end

  # Integrates from the first of the points to the last, with a piece between each two.
  def integral(*points)
    points.each_cons(2).sum do |from, to|
      half = (to - from) / 2
      next 0.0 if half.zero?

      half * GAUSS.sum { |node, weight| weight * yield(from + half + (half * node)) }
    end
  end
end
