# frozen_string_literal: true

# Runs inside a profiled server, behind attest.rb: takes samples of its stacks from the line
# "<word> profile_start" to "<word> profile_stop", and writes them to $MOHS_INSIDE/<pid>.profile as
# Profile.parse reads them. StackProf samples what runs on CRuby, where PROFILER is "stackprof"; a
# thread of ours samples those that wait, and on other engines those that run as well.
module MohsInside
  # Microseconds of CPU time between two samples of StackProf; seconds between two of ours.
  CPU_INTERVAL_US = 1000
  SAMPLE_S = 0.005

  # Seconds after which a sample of ours is late. On CRuby our thread is late where another
  # computes, and gets the GVL when one releases it; threads that wait to get it back are asleep
  # too, where they don't wait at all.
  LATE_S = SAMPLE_S + 0.001

  class << self
    def profile_start
      @profile_stacks = Hash.new(0)
      @profile_frames = {}
      start_stackprof if PROFILER == "stackprof"
      @sampling = true
      @sampler = Thread.new { sample_threads }
      @sampler.name = "mohs profile"
      { "profiler" => PROFILER }
    end

    def profile_stop
      @sampling = false
      @sampler.join
      add_stackprof if PROFILER == "stackprof"
      file = File.join(folder, "#{Process.pid}.profile")
      File.open(file, "w") { |out| write_profile(out) }
      { "stacks" => @profile_stacks.size }
    end

    private

    def start_stackprof
      require "stackprof"
      StackProf.start(mode: :cpu, interval: CPU_INTERVAL_US, raw: true)
    end

    # Each sample counts for the time since the one before: a busy process delays them. Late ones
    # count for nothing where there is a GVL.
    def sample_threads
      last = profile_clock
      while @sampling
        asleep = profile_clock
        sleep SAMPLE_S
        now = profile_clock
        late = now - asleep > LATE_S && GVL
        sample_each(((now - last) * 1_000_000).round) unless late
        last = now
      end
      @sampler_s = sampler_cpu_s
    end

    def sampler_cpu_s
      return thread_cpu_s if respond_to?(:thread_cpu_s)

      Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)
    end

    def profile_clock
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    def sample_each(weight)
      (Thread.list - [@thread, @sampler]).each do |thread|
        kind = sampled_as(thread.status)
        locations = thread.backtrace_locations if kind
        next if locations.nil? || locations.empty?

        add_stack(kind, weight, locations.reverse.map do |one|
          [one.label, one.absolute_path || one.path, one.lineno]
        end)
      end
    end

    # nil: not to be sampled here.
    def sampled_as(status)
      return "wait" if status == "sleep"

      "cpu" if status == "run" && PROFILER != "stackprof"
    end

    # Frames are [name, path, line]. What we do ourselves is no work of the server's.
    def add_stack(kind, weight, frames)
      return if frames.any? { |_, path, _| path == __FILE__ }

      ids = frames.map { |frame| @profile_frames[frame] ||= @profile_frames.size }
      @profile_stacks[[kind, ids]] += weight
    end

    # Its raw samples are lists, one behind another: length, frames (the outermost first), count;
    # their lines are in a list of the same form.
    def add_stackprof
      StackProf.stop
      results = StackProf.results
      raw, lines, frames = results.values_at(:raw, :raw_lines, :frames)
      at = 0
      while raw && at < raw.size
        last = at + raw[at] + 1
        stack = (at + 1...last).map do |index|
          [*frames[raw[index]].values_at(:name, :file), lines[index]]
        end
        add_stack("cpu", raw[last] * CPU_INTERVAL_US, stack)
        at = last + 1
      end
    end

    def write_profile(out)
      out.puts("profiler\t#{PROFILER}", "sampler\t#{(@sampler_s * 1_000_000).round}")
      @profile_frames.each do |frame, id|
        fields = frame.map { |field| field.to_s.tr("\t\n", "  ") }
        out.puts(["frame", id, *fields].join("\t"))
      end
      @profile_stacks.each do |(kind, ids), weight|
        out.puts(["stack", kind, weight, ids.join(" ")].join("\t"))
      end
    end
  end
end
