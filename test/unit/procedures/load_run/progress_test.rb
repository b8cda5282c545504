# frozen_string_literal: true

require "test_helper"
require "stringio"

# The line of a load under way, on a clock that tests move on.
class LoadProgressTest < Mohs::TestCase
  Tick = Struct.new(:mono_ns)

  def setup
    @clock = Tick.new(0)
    @out = StringIO.new(+"")
    @counts = [0] * 592
    @completed = 0
  end

  def progress(width: 100, ascii: false, **options)
    style = Mohs::Report::Terminal::Style.new(width:, ascii:)
    Mohs::LoadRun::Progress.new(@out, style:, clock: @clock, **options)
  end

  # `step`: of the times of the `count` answers that came meanwhile (core/times.h).
  def look(progress, seconds:, count:, step: 272, failed: 0, waiting: nil)
    @clock.mono_ns = (seconds * 1e9).to_i
    @counts[step] += count
    @completed += count
    times = Mohs::Load::Times.new(@counts.dup)
    waiting &&= Mohs::Load::Times.new(waiting)
    live = Mohs::Load::Live.new(step: 0, completed: @completed, failed:, times:,
                                waiting:)
    progress.call(:live, { live: })
  end

  test "on a terminal one line is redrawn: rate, its course, latencies, errors" do
    progress = progress(live: true)
    look(progress, seconds: 0.1, count: 50)
    look(progress, seconds: 0.5, count: 950)
    look(progress, seconds: 1.0, count: 500, failed: 3)
    progress.close

    lines = @out.string.split("\r").drop(1)
    times = "p50 1.08  p99 1.08  max 1.08 ms"
    failed = "p50 1.08  p99 1.08  max > 1.08 ms"
    assert_equal ["  0.5 s      2 000/s   █#{' ' * 23}   #{times}   errors 0\e[K",
                  "  1.0 s      1 000/s   █▄#{' ' * 22}   #{failed}   errors 3\e[K", "\e[K"], lines
  end

  test "latencies are those of the last second" do
    progress = progress(live: true)
    look(progress, seconds: 0.3, count: 100, step: 336)
    6.times { |number| look(progress, seconds: 0.6 + (number * 0.3), count: 100) }

    drawn = @out.string.split("\r")
    assert_match(/p50 1\.08 .* max 17\.3/, drawn[3])
    assert_match(/max 1\.08 ms/, drawn.last)
  end

  test "requests that have no answer yet count with the time that they have waited" do
    progress = progress(live: true)
    waiting = [0] * 592
    waiting[464] = 5 # 4.4 s
    [0.3, 0.6].each { |seconds| look(progress, seconds:, count: 50, waiting:) }

    assert_match(/p50 1\.08  p99 4 \d\d\d  max 4 \d\d\d ms/, @out.string.split("\r").last)
  end

  test "what failed in the last second ranks last, and the line keeps its width" do
    progress = progress(live: true, width: 80)
    7.times { |number| look(progress, seconds: 0.3 * (number + 1), count: 50, failed: 20) }
    look(progress, seconds: 2.4, count: 50, failed: 3000)
    first, *, quiet, last = @out.string.split("\r").drop(1)

    assert_match(/p50 1\.08  p99 > 1\.08  max > 1\.08 ms   errors 20\e/, first)
    assert_match(/p50 1\.08  p99 1\.08  max 1\.08 ms   errors 20\e/, quiet)
    assert_match(/p50 > 1\.08  p99 > 1\.08  max > 1\.08 ms   errors 3 000\e/, last)
    assert_operator last.delete_suffix("\e[K").size, :<=, 80
  end

  test "elsewhere a line is written every five seconds" do
    progress = progress(live: false, width: 80)
    [1, 4.9, 5.1, 8, 10.2].each { |seconds| look(progress, seconds:, count: 1000) }
    progress.close

    lines = @out.string.lines
    assert_equal [5.1, 10.2], lines.map(&:to_f)
    assert_match(/\A  5\.1 s +588\/s   █ +p50 1\.08  p99 .* ms   errors 0\n\z/, lines.first)
    refute_match(/[\e\r]/, @out.string)
  end

  test "a narrow terminal has it in one line, one without UTF-8 in ASCII" do
    { 70 => "  1.0 s      1 000/s   p50 1.08  p99 1.08  max 1.08 ms   errors 0",
      30 => "  1.0 s      1 000/s   p50 1.~" }.each do |width, line|
      look(progress(live: true, width:, ascii: true), seconds: 1, count: 1000)

      assert_equal "\r#{line}\e[K", @out.string
      setup
    end
  end

  test "what a driver doesn't tell is a dash; of one that tells nothing there is no line" do
    { 10 => true, nil => false }.each do |completed, result|
      progress = progress(live: true)
      @clock.mono_ns += 1_000_000_000
      live = Mohs::Load::Live.new(step: 0, completed:, failed: 0)
      progress.call(:live, { live: })
      progress.close
      assert_equal result, @out.string.include?("p50 –  p99 –  max – ms"), @out.string
      @out.truncate(0)
    end
  end
end
