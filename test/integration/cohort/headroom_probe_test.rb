# frozen_string_literal: true

require "test_helper"

# What the driver could do at most: asked of our own driver, once.
class HeadroomProbeTest < Mohs::TestCase
  Trial = Struct.new(:recording, :target, :answers, keyword_init: true)

  # Counts how often it was made.
  class Counted < Mohs::Drivers.fetch("native")
    class << self
      attr_accessor :made
    end

    def initialize(**options)
      self.class.made << options
      super
    end
  end

  def setup
    Counted.made = []
    @cpus = Mohs::Process::CpuSet.available
    skip "a single core has no headroom to ask for" if @cpus.size < 2
    @layout = Mohs::Cohort::Layout.for("apart", ["a"], cpus: @cpus)
  end

  def trial(recording: Object.new)
    target = Mohs::Load::Target.new(host: "127.0.0.1", port: 1, connections: 3)
    Trial.new(recording:, target:, answers: [Struct.new(:length).new(17)])
  end

  test "it is asked once, of who was measured, on the driver's core" do
    headroom = Mohs::Cohort::HeadroomProbe.new(driver: Counted.method(:new))
    assert_nil headroom.call([trial(recording: nil)], @layout)
    found = headroom.call([trial(recording: nil), trial], @layout)

    assert_operator found, :>, 0
    assert_equal found, headroom.call([trial], @layout)
    assert_equal found, headroom.call([], @layout)
    assert_equal [[@cpus.last]], Counted.made.map { |options| options[:cpus] }
  end

  test "in place of a scenario's steps it answers plain requests" do
    scenario = Mohs::Load::Scenario::File.load(File.join(Mohs.root, "apps/forum/scenario.yml"))
    target = Mohs::Load::Target.new(host: "127.0.0.1", port: 1, connections: 3, scenario:)
    one = trial.tap { |trial| trial.target = target }

    headroom = Mohs::Cohort::HeadroomProbe.new(driver: Counted.method(:new))
    assert_operator headroom.call([one], @layout), :>, 0
  end
end
