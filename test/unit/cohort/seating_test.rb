# frozen_string_literal: true

require "test_helper"

class SeatingTest < Mohs::TestCase
  # A trial of so many processes and threads, whose connections are accepted as `deals` say: of
  # each, [the fewest, the most] of a process.
  def trial(processes, threads, deals)
    Struct.new(:attested, :target, :deals) do
      def count_connections(_) = deals.shift
    end.new({ workers: processes, threads: }, Struct.new(:connections).new(processes * threads),
            deals)
  end

  # The amounts with which a server was loaded. cpu_ns: of each process in each load.
  def seated(deals, processes: 4, cpu_ns: [1e7.to_i] * processes)
    loads = []
    pids = (1..processes).to_a
    spread = Mohs::Cohort::Spread.new(watched: pids, workers: pids)
    trial = trial(processes, 5, deals)
    Mohs::Cohort::Seating.call(trial, spread, counted: true, open: true) do |**amount|
      loads << amount
      Mohs::Load::StepResult.new(processes_cpu_ns: cpu_ns, errors: {})
    end
    loads
  end

  test "after some tries it keeps connections that are as even as the best of these" do
    deals = [[2, 9], [3, 7], [1, 9], [2, 8], [4, 8], [3, 9], [0, 6], [1, 9], [3, 8], [4, 7], [5, 5]]

    assert_equal 9, seated(deals).count { |one| one[:hang_up] }
    assert_equal [[5, 5]], deals
    assert_equal 1, seated([[2, 9], [5, 5], [4, 6]]).count { |one| one[:hang_up] }
  end

  # Of two processes, one deal in four has the same number for each.
  test "two processes have as many connections as threads in the end" do
    assert_equal 10, seated([*[[4, 6]] * 10, [5, 5]], processes: 2).count { |one| one[:hang_up] }
  end

  test "connections that are uneven three times are opened again, and left so" do
    loads = seated([[0, 9]] * 30, cpu_ns: [1e8.to_i, 0, 0, 0])

    assert loads.last[:hang_up]
    assert_equal(3, loads.count { |one| one[:duration_ns] })
  end

  test "connections of which a process never gets any are spread by what each does under load" do
    loads = seated([[0, 9]] * 30)

    assert_equal 19, loads.count { |one| one[:hang_up] }
    assert_equal({ duration_ns: 300_000_000 }, loads.last)
  end
end
