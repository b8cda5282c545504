# frozen_string_literal: true

require "test_helper"

# How long a difference takes to be seen, from how much a thing differs from itself.
class SelfTestTest < Mohs::TestCase
  # Measures nothing: gives the differences that it was made with.
  class FakeExperiment
    Run = Struct.new(:result)
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
    Mohs::Compare::SelfTest.new(FakeExperiment.new(differences), app: "/app").call(&)
  end

  test "three cohorts say how long 5, 2 and 1 % take" do
    outcome = self_test([-0.005, 0.0, 0.005]) # sd 0.5 %

    assert_in_delta 0.005, outcome.sd
    assert_equal ["ok", 3, 2.0], outcome.to_h.values_at(:level, :cohorts, :cohort_s)
    assert_equal [[0.05, 4, 8.0], [0.02, 6, 12.0], [0.01, 12, 24.0]],
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
    experiment = FakeExperiment.new([0.1, 0.2, 0.3])
    heard = []
    on_event = ->(*event) { heard << event }
    Mohs::Compare::SelfTest.new(experiment, app: "/app", on_event:).call
    notations = experiment.declaration[:variants].map { |_, notation| notation.to_h }
    names = notations.map { |one| one[:label] }

    assert_equal [{ most: 3 }, "/app"], experiment.declaration.values_at(:comparison, :app)
    assert_equal 2, names.uniq.size
    assert_equal 1, notations.map { |one| one.except(:label) }.uniq.size
    assert_equal [[:finished, {}]], heard
  end

  test "an application that can't be measured is an error with the reason" do
    error = assert_raises(Mohs::EnvironmentError) do
      self_test([0.1]) { |run| "No verdict: #{run.result.pairs.size} cohort." }
    end

    assert_equal "No verdict: 1 cohort.", error.message
    assert_raises(Mohs::EnvironmentError) { self_test([0.1, nil, 0.2]) { "no" } }
  end
end
