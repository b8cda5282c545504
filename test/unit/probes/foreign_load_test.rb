# frozen_string_literal: true

require "test_helper"

class ForeignLoadTest < Mohs::TestCase
  Times = Struct.new(:utime, :stime, :cutime, :cstime)

  # user nice system idle iowait irq softirq steal guest, in ticks of 10 ms: 2 cores over 10 s.
  BEFORE = "cpu  1000 0 500 9000 100 0 0 10 0 0\ncpu0 1 1 1\n"
  AFTER = "cpu  1400 0 600 10450 130 0 0 30 0 0\ncpu0 1 1 1\n"

  test "what was busy and not ours is foreign" do
    assert_equal({ foreign_cpu_share: 0.1, steal_share: 0.01 }, share(Times.new(1, 1, 1, 0)))
  end

  test "our own children count as ours" do
    assert_in_delta 0.0, share(Times.new(1, 1, 2, 1)).fetch(:foreign_cpu_share)
  end

  test "a machine on which no time has passed is quiet" do
    with_files("stat" => BEFORE) do |folder|
      load = Mohs::Probes::ForeignLoad.new(stat: File.join(folder, "stat"), times: -> {
        Times.new(0, 0, 0, 0)
      })

      assert_equal({ foreign_cpu_share: 0.0, steal_share: 0.0 }, load.call)
    end
  end

  test "the real machine gives shares" do
    shares = Mohs::Probes::ForeignLoad.new.tap { sleep 0.05 }.call

    assert(shares.values.all? { |share| (0.0..1.0).cover?(share) })
  end

  private

  def share(after)
    with_files("stat" => BEFORE) do |folder|
      path = File.join(folder, "stat")
      times = [Times.new(0, 0, 0, 0), after]
      load = Mohs::Probes::ForeignLoad.new(stat: path, times: -> { times.shift }, ticks_per_s: 100)
      File.write(path, AFTER)
      return load.call
    end
  end
end
