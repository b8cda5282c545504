# frozen_string_literal: true

# Runs inside a profiled server, after attest.rb: samples its stacks from the line "<word>
# profile_start" to "<word> profile_stop", and writes them to $MOHS_INSIDE/<pid>.profile in the
# format of Profile.parse. If PROFILER is "stackprof" (CRuby), StackProf samples running threads;
# our own thread samples waiting threads and, on other engines, running ones too.
module MohsInside
  # Microseconds of CPU time between two samples of StackProf; seconds between two of our own.
  CPU_INTERVAL_US = 1000
  SAMPLE_S = 0.005

  # Seconds after which a sample of our own is late. On CRuby our thread is late if another one
  # computes, because it gets the GVL only when that one releases it; by then, threads that wait to
  # get the GVL back look asleep too, in places where they don't wait at all.
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

    # Each sample counts for the time since the previous one: a busy process delays samples. If
    # there is a GVL, late samples don't count.
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

    # nil: not sampled here.
    def sampled_as(status)
      return "wait" if status == "sleep"

      "cpu" if status == "run" && PROFILER != "stackprof"
    end

    # Frames are [name, path, line]. What our own code does is not the server's work.
    def add_stack(kind, weight, frames)
      return if frames.any? { |_, path, _| path == __FILE__ }

      ids = frames.map { |frame| @profile_frames[frame] ||= @profile_frames.size }
      @profile_stacks[[kind, ids]] += weight
    end

    # Its raw samples are consecutive lists: length, frames (outermost first), count; the frames'
    # line numbers are in a list of the same form.
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
