# frozen_string_literal: true

require "test_helper"
require_relative "../../../benchmark/calibration"
require_relative "../../../benchmark/calibration/burn"

# The loop that makes an application slower by a known amount, and how what it costs is measured.
class CalibrationLoopTest < Mohs::TestCase
  Calibration = Mohs::Calibration

  # What a config.ru says, kept.
  class Builder
    attr_reader :middleware, :app

    def use(middleware) = @middleware = middleware

    def run(app) = @app = app
  end

  # Two servers whose requests take 1 ms, and so much longer for each round; both are slowed by what
  # happens to the machine, and one slice in twenty by a stall of its own.
  class FakeServers
    PER_ROUND = 1e-4
    Result = Struct.new(:good, :wall_ns, :cpu_ns, :span_ns)

    def initialize
      @rounds = [0, 0]
      @random = Random.new(7)
    end

    attr_reader :cpus

    def run(cpus:, driver_cpus:)
      @cpus = [cpus, driver_cpus]
      yield self
    end

    def burn(rounds) = @rounds = rounds

    def load(duration_ns:, warm_up: false)
      machine = warm_up ? 1 : 1 + @random.rand
      @rounds.map do |rounds|
        cost_ns = 1e6 * (1 + (rounds * PER_ROUND))
        wait = machine * (@random.rand < 0.05 && !warm_up ? 2 : 1)
        good = (duration_ns / (cost_ns * wait)).ceil
        Result.new(good, (good * cost_ns * wait).round, (good * cost_ns / 2).round)
      end
    end
  end

  def truth(server, seconds: 60)
    Calibration::Truth.new(server:, seconds:, random: Random.new(3)).call
  end

  test "the cost of a round is found in spite of stalls" do
    found = truth(FakeServers.new)
    dose = Calibration::Dose.new([found])
    assert_in_delta 200, dose.rounds(2), 6
    assert_in_delta(-Math.log(1.02), dose.effect(200, :cpu), 1e-4)
    assert_operator found[:error], :<, 0.005
    assert_equal 150, found[:blocks], "60 s of two slices of 200 ms"
  end

  test "each server has half of the machine, and its load is on that half" do
    server = FakeServers.new
    truth(server, seconds: 1)
    halves, drivers = server.cpus
    assert_equal 2, halves.size
    assert_empty halves.first & halves.last
    assert(halves.zip(drivers).all? { |half, driver| half.include?(driver) })
  end

  test "a loop that is not served is reported" do
    server = FakeServers.new
    def server.burn(_rounds) = nil
    error = assert_raises(Mohs::Error) { truth(server, seconds: 1) }
    assert_includes error.message, "is the loop served?"
  end

  test "requests reach the application after the loop" do
    app = MohsBurn.new(->(env) { [200, {}, [env["PATH_INFO"]]] })
    assert_equal ["/posts"], app.call({ "PATH_INFO" => "/posts" }).last
  end

  test "the rounds come from the environment, and can be switched while it serves" do
    with_burn("5") do
      app = MohsBurn.new(->(_) { [200, {}, []] })
      assert_equal 5, app.instance_variable_get(:@rounds)
      assert_equal [200, ["1200"]], app.call({ "PATH_INFO" => "/mohs-burn/1200" }).values_at(0, 2)
      assert_equal 1200, app.instance_variable_get(:@rounds)
    end
  end

  def with_burn(rounds)
    ENV["BURN"] = rounds
    yield
  ensure
    ENV.delete("BURN")
  end

  APP = { "app/config.ru" => "class Own; def self.call(_) = HELLO; HELLO = 1; end\nrun Own\n",
          "app/Gemfile" => "source \"https://rubygems.org\"\n", "app/lib/x.rb" => "" }.freeze

  test "an application with the loop in front keeps all its files" do
    with_files(APP) do |dir|
      burning = Calibration::BurningApp.new(File.join(dir, "app"), into: File.join(dir, "made"))
      2.times { burning.build } # again: nothing changes
      assert_equal %w[Gemfile config.ru lib], Dir.children(burning.dir).sort
      assert_path_exists File.join(burning.dir, "lib/x.rb")
      builder = Builder.new
      builder.instance_eval(File.read(File.join(burning.dir, "config.ru")))
      assert_equal MohsBurn, builder.middleware
      assert_equal 1, builder.app.call({})
    end
  end
end
