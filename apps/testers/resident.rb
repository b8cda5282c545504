# frozen_string_literal: true

require "io/wait"

module Testers
  # A tester that is started once, because starting takes longer than a load. It gets one load
  # after the other, each as a line on its standard input; its output for each ends with the line
  # "end".
  class Resident
    LAST = "end\n"
    START_S = 20

    def initialize(tool)
      @tool = tool
    end

    def call(load)
      pipe = @pipe || open
      pipe.puts([load.port, load.requests, load.connections, load.threads].join(" "))
      output, ended = read(pipe, now + load.limit_s)
      status = ended ? :ok : death
      Life.new(status: status, output: output, memory_kb: peak_kb)
    ensure
      kill unless ended
    end

    def close
      @pipe&.close
      @pipe = nil
    end

    # Starts the tester and waits until it is ready.
    def open
      @pipe = IO.popen([@tool.env, *@tool.argv(nil)], "r+", err: %i[child out])
      @pipe.sync = true
      output, ready = read(@pipe, now + START_S)
      return @pipe if ready

      kill
      raise "TESTER=#{@tool.name} does not start:\n#{output}"
    end

    private

    # [text, whether it ended with LAST]
    def read(pipe, deadline)
      output = +""
      until output.end_with?(LAST)
        left = deadline - now
        return [output, false] unless left.positive? && pipe.wait_readable(left)

        output << pipe.readpartial(4096)
      end
      [output, true]
    rescue EOFError
      @gone = true
      [output, false]
    end

    def death
      @gone ? :failed : :hung
    end

    def kill
      Process.kill(:KILL, @pipe.pid) if @pipe
    rescue Errno::ESRCH
      nil # it has just ended
    ensure
      @gone = false
      close
    end

    def peak_kb
      File.read("/proc/#{@pipe.pid}/status")[/^VmHWM:\s+(\d+)/, 1]&.to_i
    rescue SystemCallError
      nil
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
