# frozen_string_literal: true

require "test_helper"

# What remains when mohs is ended: nothing that runs, everything that was measured, and a way to go
# on.
class InterruptTest < Mohs::TestCase
  include Mohs::Leftovers

  APP = { "config.ru" => "run ->(_) { [200, {}, [\"Hello\"]] }\n" }.freeze
  ARGUMENTS = [
    "--variant", "a::#{RUBY_VERSION}, mock", "--variant", "b::#{RUBY_VERSION}, mock:2x2",
    "--rounds", "2", "--seed", "7",
  ].freeze
  slow_test "kill -9 at any instant leaves no process, loses no trial, and resume finishes" do
    random = Random.new(Minitest.seed)
    times(2, 20).times do |kill|
      with_files(APP) do |dir|
        mohs = Mohs::MohsCommand.new(dir)
        pid = mohs.start(*ARGUMENTS)
        sleep 0.3 + (random.rand * 12)
        ::Process.kill("KILL", pid)
        mohs.finish(5)

        assert_empty leftovers(dir, 5), "kill #{kill}"
        assert_resumes(mohs)
      end
    end
  end

  test "Ctrl-C says what was measured and how to go on, with status 130" do
    with_files(APP) do |dir|
      result = stop(Mohs::MohsCommand.new(dir), at: "round 2/2")

      assert_equal 130, result.status.exitstatus, result.err
      assert_match(/mohs resume \w{4}/, result.out + result.err)
      assert_match(/^a .*baseline/, result.out)
      assert_empty leftovers(dir, 1)
    end
  end

  test "Ctrl-C while the first servers are loaded ends at once" do
    with_files(APP) do |dir|
      result = stop(Mohs::MohsCommand.new(dir), at: "round 1/2", after_s: 1.5)

      assert_equal 130, result.status.exitstatus, result.err
      assert_empty leftovers(dir, 1)
    end
  end

  { "TERM" => 143, "HUP" => 129 }.each do |name, status|
    test "#{name} leaves no process, a table, a run that can be resumed, and status #{status}" do
      with_files(APP) do |dir|
        mohs = Mohs::MohsCommand.new(dir)
        result = stop(mohs, name, at: "round 1/2", after_s: rand(0.0..2.0))

        assert_equal status, result.status.exitstatus, result.err
        assert_match(/continue: mohs resume \w{4}/, result.out)
        listed = mohs.call("list", "--json").json[:runs]
        assert_equal ["interrupted"], (listed.map { |run| run[:state] })
        assert_empty leftovers(dir, 1)
      end
    end
  end

  test "a second Ctrl-C right after the first spoils nothing: the table is there all the same" do
    with_files(APP) do |dir|
      result = stop(Mohs::MohsCommand.new(dir), at: "round 1/2", after_s: 1, times: 2)

      assert_equal [130, true], [result.status.exitstatus, result.out.include?("mohs resume")]
      assert_empty leftovers(dir, 1)
    end
  end

  slow_test "a run that was interrupted and resumed shows a table of the same kind as any other" do
    with_files(APP) do |dir|
      mohs = Mohs::MohsCommand.new(dir)
      stop(mohs, at: "round 2/2", after_s: 1) # it is told before the first server is started
      key = mohs.call("list", "--json").json[:runs].first[:run]
      resumed = mohs.call("resume", key, "--json").json
      whole = mohs.call(*ARGUMENTS, "--json").json

      assert_equal whole.keys, resumed.keys
      assert_equal kind(whole[:rows]), kind(resumed[:rows])
      assert_equal %i[state rounds baseline].map { |name| whole[name] },
                   %i[state rounds baseline].map { |name| resumed[name] }
      lost = resumed[:rows].flat_map { |row| row[:failures] }
      assert_equal([["lost", 2]], lost.map { |failure| failure.values_at(:state, :round) }.uniq)
    end
  end

  private

  # Starts it, sends it a signal so long after it has said where it is, and gives what came of it.
  def stop(mohs, signal = "INT", at:, after_s: 0, times: 1)
    pid = mohs.start(*ARGUMENTS)
    wait_for(120) { mohs.output.include?(at) } # another mohs may be measuring
    sleep after_s
    times.times { ::Process.kill(signal, pid) && sleep(0.02) }
    mohs.finish(15).tap { assert_includes mohs.output, at }
  end

  FIGURES = %i[boot_ms throughput_per_s cpu_us_per_request memory_bytes].freeze

  # Of each row what doesn't differ from run to run: its state, which figures and interval it has,
  # and the kind of its verdict.
  def kind(rows)
    rows.sort_by { |row| row[:variant] }.map do |row|
      there = FIGURES.map { |name| row[name].transform_values(&:nil?) }
      verdict = row[:verdict].transform_values(&:nil?)
      [row.keys, row[:state], row[:trials][:measured], there, verdict]
    end
  end

  # Finishes the run, and holds the trials that were finished before against those after. A mohs
  # that was killed before it had written its plan has nothing to resume.
  def assert_resumes(mohs)
    runs = mohs.call("list", "--json").json[:runs]
    return assert_empty(runs) if runs.empty?

    key = runs.first[:run]
    before = mohs.call("show", key, "--json").json
    after = mohs.call("resume", key, "--json", limit_s: 60)

    assert_ran after.status, after.err
    assert_equal "finished", after.json[:state]
    measured(before).each { |name, trials| assert_operator measured(after.json)[name], :>=, trials }
    assert_equal [2, 2], measured(after.json).values
  end

  # Trials with figures, by variant.
  def measured(document)
    document[:rows].to_h { |row| [row[:variant], row[:trials][:measured]] }
  end
end
