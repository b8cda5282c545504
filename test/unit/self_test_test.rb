# frozen_string_literal: true

require "test_helper"

# How long a difference takes to be seen, from how much a thing differs from itself.
class SelfTestTest < Mohs::TestCase
  Resolution = Mohs::Analysis::Resolution
  BOUNDS = Mohs::Stats::Sequential.new

  # docs/method.md: sd of d_j in % => cohorts for a true difference of 1, 2, 5 %, as simulated. Sds
  # and differences at which the simulation met its own end (30 cohorts) say less than is needed.
  SIMULATED = { 0.3 => [4.2, 3.3, 3], 0.5 => [5.7, 3.9, 3.1], 0.75 => [8.2, 4.7, 3.4],
                1 => [12, 5.7, 3.6], 2 => [nil, 12, 4.9], 4.5 => [nil, nil, 10] }.freeze

  def cohorts(percent, of) = Resolution.cohorts(sd: percent / 100.0, difference: of / 100.0)

  SIMULATED.each do |sd, counts|
    test "with #{sd} % the prediction is what was simulated" do
      counts.zip([1, 2, 5]).each do |count, difference|
        assert_in_delta count, cohorts(sd, difference), 0.11, "#{difference} %" if count
      end
    end
  end

  # The table by the code that comparisons stop by: cohorts until a difference of one sd times
  # 1 / ratio is seen, mean of 300 with one seed.
  { 0.25 => 3.9, 0.5 => 5.7, 0.75 => 8.2, 1.0 => 12.0 }.each do |ratio, wanted|
    test "at a ratio of #{ratio} a comparison does stop when it was predicted to" do
      random = Random.new(4)
      counts = Array.new(300) { stopped_after(1 / ratio, random) }

      assert_in_delta wanted, Mohs::Stats::Center.mean(counts), 0.12 * wanted
    end
  end

  # Normal differences by Box and Muller, with sd 1.
  def stopped_after(mean, random)
    differences = []
    loop do
      differences << (mean + (Math.sqrt(-2 * Math.log(1 - random.rand)) *
                              Math.cos(2 * Math::PI * random.rand)))
      last = BOUNDS.next_look(differences.size).nil?
      return differences.size if last ||
                                 (BOUNDS.look?(differences.size) && BOUNDS.differs?(differences))
    end
  end

  test "beyond what was simulated it grows with the square, without a step" do
    assert_in_delta cohorts(1, 1), cohorts(1.0001, 1), 0.3
    assert_in_delta (3.5 * 4.5)**2, cohorts(4.5, 1), 1e-6
    assert_in_delta 4 * cohorts(3, 1), cohorts(6, 1), 1e-6
  end

  test "more noise never takes fewer cohorts, and never fewer than the first look" do
    counts = (1..600).map { |step| cohorts(step / 100.0, 1) }

    assert_equal counts.sort, counts
    assert_in_delta 3, counts.first
    assert_in_delta 3, cohorts(0, 5)
  end

  test "only the ratio of noise and difference matters" do
    random = Random.new(Minitest.seed)
    50.times do
      sd, difference, scale = random.rand(0.1..5), random.rand(0.5..10), random.rand(0.1..10)
      assert_in_delta cohorts(sd, difference), cohorts(sd * scale, difference * scale), 1e-6
    end
  end

  # Measures nothing: gives the differences that it was made with.
  class FakeLaboratory
    Run = Struct.new(:comparison)
    Comparison = Struct.new(:pairs)
    Pair = Struct.new(:throughput, :seconds) do
      def difference(metric) = (throughput if metric.key == :throughput_per_s)
    end

    attr_reader :declaration

    def initialize(differences)
      @differences = differences
    end

    def prepare(declaration) = @declaration = declaration

    def plan(_study) = :plan

    def measure(_study, _plan, on_event:)
      on_event.call(:finished, {})
      Run.new(Comparison.new(@differences.map { |difference| Pair.new(difference, 2.0) }))
    end
  end

  def self_test(differences, &)
    Mohs::SelfTest.new(FakeLaboratory.new(differences), app: "/app").call(&)
  end

  test "three cohorts say how long 5, 2 and 1 % take" do
    outcome = self_test([-0.005, 0.0, 0.005]) # sd 0.5 %

    assert_in_delta 0.005, outcome.sd
    assert_equal ["ok", 3, 2.0], outcome.to_h.values_at(:level, :cohorts, :cohort_s)
    assert_equal [[0.05, 3.1, 6.2], [0.02, 3.9, 7.8], [0.01, 5.7, 11.4]],
                 outcome.resolves.map(&:values)
  end

  test "a constant difference is no noise: only how it varies counts" do
    assert_in_delta self_test([-0.01, 0.0, 0.01]).sd, self_test([0.49, 0.5, 0.51]).sd
  end

  test "the level is that of the spread" do
    levels = [0.0074, 0.0075, 0.02, 0.0201].map { |sd| self_test([-sd, 0.0, sd]).level }

    assert_equal %w[ok warn warn bad], levels
  end

  test "the application is compared with itself, three cohorts long" do
    laboratory = FakeLaboratory.new([0.1, 0.2, 0.3])
    heard = []
    on_event = ->(*event) { heard << event }
    Mohs::SelfTest.new(laboratory, app: "/app", on_event:).call
    notations = laboratory.declaration[:variants].map { |_, notation| notation.to_h }
    names = notations.map { |one| one[:label] }

    assert_equal [{ most: 3 }, "/app"], laboratory.declaration.values_at(:comparison, :app)
    assert_equal 2, names.uniq.size
    assert_equal 1, notations.map { |one| one.except(:label) }.uniq.size
    assert_equal [[:finished, {}]], heard
  end

  test "an application that can't be measured is an error with the reason" do
    error = assert_raises(Mohs::EnvironmentError) do
      self_test([0.1]) { |run| "No verdict: #{run.comparison.pairs.size} cohort." }
    end

    assert_equal "No verdict: 1 cohort.", error.message
    assert_raises(Mohs::EnvironmentError) { self_test([0.1, nil, 0.2]) { "no" } }
  end
end
