# frozen_string_literal: true

require "test_helper"

# Samples of a server's stacks: read from what its processes wrote, kept, and written for others.
class ProfileTest < Mohs::TestCase
  ONE = <<~TEXT
    profiler\tstackprof
    sampler\t70
    frame\t0\t<main>\t/app/config.ru\t3
    frame\t7\tInteger#times\t<cfunc>\t0
    stack\tcpu\t3000\t0 7
    stack\twait\t500\t0
  TEXT
  OTHER = <<~TEXT
    profiler\tstackprof
    sampler\t30
    frame\t0\tInteger#times\t<cfunc>\t0
    frame\t1\t<main>\t/app/config.ru\t3
    stack\tcpu\t2000\t1 0
    stack\tcpu\t1000\t1
  TEXT

  def profile = Mohs::Profile.parse([ONE, OTHER])

  def stacks(profile)
    found = []
    profile.each_stack { |kind, frames, us| found << [kind, frames.map(&:name), us] }
    found
  end

  test "samples of several processes are one profile, each with numbers of its own for frames" do
    assert_equal [["cpu", ["<main>", "Integer#times"], 5000], ["wait", ["<main>"], 500],
                  ["cpu", ["<main>"], 1000]], stacks(profile)
    assert_equal [2, 6000, 500, 100],
                 [profile.frames.size, profile.total("cpu"), profile.total("wait"),
                  profile.sampler_us]
  end

  test "it comes back from where it is kept" do
    back = Mohs::Profile.load(profile.dump)
    assert_equal [profile.profiler, profile.sampler_us, profile.frames, stacks(profile)],
                 [back.profiler, back.sampler_us, back.frames, stacks(back)]
  end

  # That file runs inside measured servers, and can't be loaded here.
  test "a sample stands for as many microseconds as inside/profile.rb says" do
    text = File.read(File.join(Mohs.root, "lib/mohs/inside/profile.rb"))
    cpu_us, seconds = %w[CPU_INTERVAL_US SAMPLE_S].map do |name|
      text[/^ +#{name} = (\S+)$/, 1].to_f
    end

    assert_equal({ "stackprof" => cpu_us, "backtraces" => seconds * 1e6 },
                 Mohs::Profile::STEPS_US)
    assert_in_delta 6.0, profile.samples(profile.total("cpu"))
    engines = Mohs::Rubies::Engines.constants.map { |name| Mohs::Rubies::Engines.const_get(name) }
    profilers = engines.grep(Class).map { |engine| engine::PROFILER }
    assert_empty profilers - Mohs::Profile::STEPS_US.keys
  end

  test "without a sample there is none" do
    assert_nil Mohs::Profile.parse([])
    assert_nil Mohs::Profile.parse(["profiler\tbacktraces\n"])
  end

  test "a speedscope file has a profile of each kind, with frames by their positions" do
    file = JSON.parse(Mohs::Profile::Speedscope.new(profile, name: "3.1.2").to_s)
    assert_match(/speedscope/, file["$schema"])
    assert_equal [{ "name" => "<main>", "file" => "/app/config.ru", "line" => 3 },
                  { "name" => "Integer#times", "file" => "<cfunc>" }], file.dig("shared", "frames")
    cpu, wait = file["profiles"]
    assert_equal ["sampled", "3.1.2 (cpu)", "microseconds", 0, 6000, [[0, 1], [0]], [5000, 1000]],
                 cpu.values_at("type", "name", "unit", "startValue", "endValue", "samples",
                               "weights")
    assert_equal [[[0]], [500]], wait.values_at("samples", "weights")
  end
end
