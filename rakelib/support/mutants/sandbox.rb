# frozen_string_literal: true

module Mutants
  # Runs a block in a forked process and returns what the block returns. The child has its own
  # process group, prints nothing, and ends within its limits: `cpu_s` of CPU time, so that a busy
  # machine makes no difference, and `wall_s` in case it sleeps. Nothing it started outlives it.
  class Sandbox
    MEMORY_BYTES = 3 << 30

    #: (cpu_s: Integer, wall_s: Numeric) -> void
    def initialize(cpu_s:, wall_s:)
      @cpu_s = cpu_s
      @wall_s = wall_s
    end

    # What the block returned; nil if the child didn't end by itself and in time.
    #: () { () -> untyped } -> untyped
    def call(&block)
      reader, writer = IO.pipe(binmode: true)
      pid = fork { child(reader, writer, &block) }
      writer.close
      read(reader)
    ensure
      stop(pid) if pid
      reader.close
    end

    private

    def child(reader, writer)
      Process.setpgid(0, 0)
      reader.close
      [$stdin, $stdout, $stderr].each { |stream| stream.reopen(File::NULL, "r+") }
      Process.setrlimit(:CPU, @cpu_s, @cpu_s + 1)
      Process.setrlimit(:AS, MEMORY_BYTES)
      writer.write(Marshal.dump(yield))
      writer.close
    ensure
      exit!(0) # past at_exit, where minitest waits
    end

    def read(reader)
      deadline = now + @wall_s
      text = +""
      while (left = deadline - now).positive? && reader.wait_readable(left)
        part = reader.read_nonblock(1 << 16, exception: false)
        return text.empty? ? nil : Marshal.load(text) if part.nil? # rubocop:disable Security/MarshalLoad

        text << part if part.is_a?(String)
      end
    end

    def stop(pid)
      [-pid, pid].each do |target|
        Process.kill(:KILL, target)
      rescue Errno::ESRCH
        nil # the group isn't there yet, or has ended
      end
      Process.wait(pid)
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
