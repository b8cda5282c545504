# frozen_string_literal: true

require "test_helper"

# The sentinel from Ruby, and what its figures mean.
class FixedWorkProbeTest < Mohs::TestCase
  include Mohs::DoctorHelper

  CPUS = Mohs::Process::CpuSet.available

  test "every core spins for as long as it was asked to" do
    spins = Mohs::Doctor::FixedWorkProbe.call(cpus: CPUS, seconds: 0.3)

    assert_equal CPUS, spins.map(&:cpu)
    spins.each do |spin|
      assert_equal 3, spin.bins.size
      assert_operator spin.wall_ns, :>=, 300 * MS
      assert_includes 0.0..1.01, spin.cpu_share
      assert_includes 0.0..1.0, spin.away_share
      assert_operator spin.longest_ns, :<=, spin.away_ns
    end
  end

  test "Ruby goes on meanwhile, and an interrupt ends it at once" do
    spinning = Thread.new { Mohs::Doctor::FixedWorkProbe.call(cpus: CPUS, seconds: 60) }
    spinning.report_on_exception = false
    sleep 0.05
    assert_predicate spinning, :alive?
    spinning.raise(Interrupt)

    assert_raises(Interrupt) { spinning.join(30) }
  end

  test "no thread is left of it" do
    before = Dir.children("/proc/self/task") # some of other tests' may end meanwhile
    Mohs::Doctor::FixedWorkProbe.call(cpus: CPUS, seconds: 0.1)

    assert_empty Dir.children("/proc/self/task") - before
  end

  test "a CPU that isn't there, and times beyond a minute, are refused" do
    assert_raises(Errno::EINVAL) { Mohs::Doctor::FixedWorkProbe.call(cpus: [1023], seconds: 0.1) }
    assert_raises(Errno::EINVAL) { Mohs::Doctor::FixedWorkProbe.call(cpus: [], seconds: 0.1) }
    assert_raises(Errno::EINVAL) { Mohs::Doctor::FixedWorkProbe.call(cpus: CPUS, seconds: 61) }
    assert_raises(TypeError) { Mohs::Core.spin(nil, 1) }
  end

  test "shares and variation are of the wall time and of the mean" do
    seen = spin(away: 0.25, cpu_share: 0.75, bins: [90, 100, 110])

    assert_in_delta 0.25, seen.away_share
    assert_in_delta 0.75, seen.cpu_share
    assert_in_delta 0.1, seen.variation
    assert_nil spin(bins: [0, 0]).variation
  end

  test "cores vary against each other by the spread of the difference of their shares" do
    one = spin(bins: [90, 100, 110])

    assert_in_delta 0.2, one.against(spin(bins: [11, 10, 9]))
    assert_in_delta 0.0, one.against(spin(bins: [9, 10, 11]))
    assert_in_delta 0.1, one.against(spin(bins: [5, 5, 5]))
    assert_nil one.against(spin(bins: [0, 0, 0]))
  end

  test "correlation is 1 with itself, -1 with its mirror, and the same for any unit" do
    one, mirror = spin(bins: [1, 2, 4, 3]), spin(bins: [4, 3, 1, 2])

    assert_in_delta 1, one.correlation(one)
    assert_in_delta(-1, one.correlation(mirror))
    other = spin(bins: [3, 1, 2, 2])
    assert_in_delta one.correlation(other), spin(bins: [10, 20, 40, 30]).correlation(other)
    assert_in_delta one.correlation(other), other.correlation(one)
    assert_nil one.correlation(spin(bins: [5, 5, 5, 5]))
  end
end
