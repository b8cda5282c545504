# frozen_string_literal: true

require "test_helper"

class WorkerUseTest < Mohs::TestCase
  def use(before, after)
    found = { before => { 1 => 5, 2 => 5 }, after => { 1 => 5, 3 => 9 } }
    Mohs::Probes::Cpu.stub(:ticks, ->(pids) { found.fetch(pids) }) do
      Mohs::Trial::WorkerUse.new.tap do |use|
        use.warmed(before)
        use.finish(after)
      end
    end
  end

  test "a worker that began after the warm-up is told from those that served since" do
    assert_equal({ at_end: 2, served: 1, replaced: 1, uneven: 0, repeated: 0,
                   most_connections: nil }, use([1, 2], [1, 3]).to_h)
  end

  test "connections are known if all were found" do
    use = Mohs::Trial::WorkerUse.new

    assert_equal [[0, 4], nil], [use.connections([4, 0], 4), use.connections([3, 0], 4)]
  end
end
