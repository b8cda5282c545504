# frozen_string_literal: true

require "test_helper"

# inside/profile.rb in processes whose work is known, and its reader.
class ProfilerTest < Mohs::TestCase
  SCRIPT = <<~RUBY
    def slow(n) = n.times { |i| Math.sqrt(i) }
    LOCK = Mutex.new
    def locked = LOCK.synchronize { sleep 0.02 }
    Thread.new { loop { slow(2000) } }
    2.times { Thread.new { loop { locked } } }
    puts Process.pid
    $stdout.flush
    $stdin.read
  RUBY
  # Requests that compute, and read what is there already: no wait, but for the GVL.
  COMPUTES = <<~RUBY
    clock = -> { Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) }
    compute = -> { till = clock.call + 0.02; nil while clock.call < till }
    def tiny(from, to) = to.write("x") && from.read(1)
    5.times { Thread.new { ends = IO.pipe; loop { compute.call; tiny(*ends) } } }
    puts Process.pid
    $stdout.flush
    $stdin.read
  RUBY
  # One that waits for most of the time, and computes a little.
  WAITS = <<~RUBY
    def slow(n) = n.times { |i| Math.sqrt(i) }
    LOCK = Mutex.new
    def locked = LOCK.synchronize { sleep 0.02 }
    2.times { Thread.new { loop { slow(100_000); locked } } }
    puts Process.pid
    $stdout.flush
    $stdin.read
  RUBY
  # CPU time to spend meanwhile, however busy the machine is, and at least how long threads wait.
  SPENT_NS = 300_000_000
  WAITED_S = 0.6
  LIMIT_S = 60

  test "threads that wait are sampled where they wait, in a process of any engine" do
    profile = sampled("backtraces")
    places = waits(profile)
    assert places.any? { |place| place.include?("locked") }, places.inspect
    assert_operator profile.total("cpu"), :>=, 0
    assert(profile.frames.none? { |frame| frame.path.end_with?("attest.rb") })
  end

  test "a process that was not told to take samples says nothing" do
    error = assert_raises(Mohs::TrialError) { sampled("backtraces", profile: false) }
    assert_equal ["no_profile", :invalid], [error.reason.code, error.state]
  end

  # Its gem compiles for longer than all else here takes; the sampling of waits is tried above.
  slow_test "StackProf samples what runs, beside our thread for what waits" do
    Mohs::ServerGems.executable("stackprof")
    profile = sampled("stackprof", env: Mohs::ServerGems.env, script: WAITS)
    assert_operator profile.total("cpu"), :>, 0
    costly = stacks(profile, "cpu").max_by(&:last).first
    assert costly.any? { |frame| frame.name.include?("slow") }, costly.inspect
    line = WAITS.lines.index { |one| one.include?("def locked") } + 1
    assert(stacks(profile, "wait").any? do |frames, _|
      frames.any? { |frame| [frame.name[/\w+\z/], frame.line] == ["locked", line] }
    end)
    assert_operator profile.sampler_us, :>, 0
  end

  slow_test "a thread that waits to get the GVL back waits for nothing" do
    Mohs::ServerGems.executable("stackprof")
    from = Mohs::Clock.mono_ns
    profile = sampled("stackprof", env: Mohs::ServerGems.env, script: COMPUTES)
    waited = stacks(profile, "wait").select { |frames, _| frames.any? { |one| one.name["tiny"] } }
    assert_operator waited.sum(&:last), :<, (Mohs::Clock.mono_ns - from) / 1000
  end

  private

  def sampled(kind, env: {}, profile: true, script: SCRIPT)
    with_files("script.rb" => script) do |folder|
      file = File.join(folder, "attest.rb")
      File.write(file, inside(kind, profile))
      env = { "MOHS_INSIDE" => File.join(folder, "in"), "RUBYOPT" => "-r#{file}", **env }
      pipe = IO.popen([env, "ruby", File.join(folder, "script.rb")], "r+")
      return ask(File.join(folder, "in"), pipe.gets.to_i)
    ensure
      ::Process.kill("KILL", pipe.pid) if pipe
      pipe&.close
    end
  end

  def ask(folder, pid)
    inquiry = Mohs::Probes::Inquiry.new(folder, answer_s: LIMIT_S) # its threads compute meanwhile
    profiler = Mohs::Probes::Profiler.new(folder, inquiry)
    profiler.start([pid])
    deadline = Mohs::Clock.deadline(LIMIT_S)
    spent = Mohs::Probes::Cpu.tree_ns([pid])
    sleep WAITED_S
    sleep 0.05 until Mohs::Probes::Cpu.tree_ns([pid]) - spent > SPENT_NS ||
                     Mohs::Clock.mono_ns > deadline
    profiler.stop
  end

  # As on CRuby, or on an engine without StackProf and a GVL.
  def inside(kind, profile)
    engine = Class.new(Mohs::Rubies::Engines.named("ruby"))
    engine.const_set(:PROFILER, kind)
    engine.const_set(:GVL, kind == "stackprof")
    Mohs::Probes::Inside.script(engine:, server: Mohs::Servers::Mock, profile:)
  end

  def stacks(profile, kind)
    found = []
    profile.each_stack { |of, frames, us| found << [frames, us] if of == kind }
    found
  end

  def waits(profile)
    stacks(profile, "wait").map { |frames, _| frames.map(&:name).join(" ") }
  end
end
