# frozen_string_literal: true

require "test_helper"

class TuneGridTest < Mohs::TestCase
  def grid(...) = Mohs::Tune::Grid.new(...)

  # Numbers of processes of these cells.
  def processes(cells) = cells.map(&:processes).uniq

  test "one to as many processes as cores, each with the usual numbers of threads" do
    found = grid(cores: 2).candidates
    assert_equal [1, 2], processes(found)
    assert_equal [[1, 1], [1, 2], [1, 3], [1, 5], [1, 8], [1, 16]],
                 found.first(6).map { |cell| [cell.processes, cell.threads] }
    assert_equal 12, found.size
    assert_equal 24, grid(cores: 4).candidates.size
  end

  test "of many cores some numbers of processes, evenly, and always one and all" do
    { 1 => [1], 3 => [1, 2, 3], 4 => [1, 2, 3, 4], 6 => [1, 2, 3, 5, 6], 8 => [1, 2, 4, 6, 8],
      16 => [1, 4, 8, 12, 16] }.each do |cores, wanted|
      assert_equal wanted, processes(grid(cores:).candidates), cores
    end
  end

  test "more processes than cores can't be judged here: it says what that would take" do
    found = grid(cores: 2)
    beyond = found.cells - found.candidates
    assert_equal [3, 5], processes(beyond)
    assert_equal ["more_processes_than_cores", { processes: 3, cores: 2 }],
                 beyond.first.reason.cause
    assert_equal 2, beyond.map { |cell| cell.reason.cause }.uniq.size
    assert_equal [2, 3], processes(grid(cores: 1).cells - grid(cores: 1).candidates)
  end

  test "a quota allows as many processes as whole cores, and one at least" do
    { 2.5 => [1, 2], 3 => [1, 2, 3], 0.5 => [1], 8.0 => [1, 2, 4, 6, 8] }.each do |quota, wanted|
      assert_equal wanted, processes(grid(cores: 8, quota_cores: quota).candidates), quota
    end
    found = grid(cores: 8, quota_cores: 1.5)
    assert_equal ["more_processes_than_quota", { processes: 2, cores: 1.5 }],
                 found.cells.find { |cell| cell.processes == 2 }.reason.cause
    others = [grid(cores: 8, quota_cores: 8.5), grid(cores: 8)]
    assert_equal [1, nil, nil], [found, *others].map(&:most_by_quota)
  end

  test "reasons have no words" do
    assert_nil grid(cores: 1).cells.last.reason.summary
  end
end
