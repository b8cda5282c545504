# frozen_string_literal: true

module Testers
  # Starts a tester for each load, and never waits longer than the load allows.
  class Runner
    # How often to look at a tester, without and with reading its memory.
    EVERY_S = 0.05
    MEMORY_S = 0.01
    # How long after the tester's end its output may still arrive.
    LAST_WORDS_S = 1

    # `stop`: how to stop a tester that can't be given a number of requests: KILL, or INT so that
    # it reports. memory: whether to look for the tester's peak memory, which takes some of a
    # core's time.
    def initialize(tool, truth, stop: :KILL, memory: false)
      @tool = tool
      @truth = truth
      @stop = stop
      @memory = memory
    end

    def call(load)
      deadline = now + load.limit_s
      @peak_kb = nil
      @stopped = false
      pid, output = start(load)
      waiter = Process.detach(pid)
      hung = !ended?(waiter, deadline)
      finish(waiter)
      Life.new(status: hung ? :hung : status(waiter), output: text(output), memory_kb: @peak_kb)
    ensure
      finish(waiter) if waiter
    end

    def close; end

    private

    # [pid, thread that reads its output]
    def start(load)
      reader, writer = IO.pipe
      pid = Process.spawn(@tool.env, *@tool.argv(load).map(&:to_s),
                          in: File::NULL, %i[out err] => writer)
      writer.close
      [pid, Thread.new { read(reader) }]
    end

    def read(reader)
      Thread.current[:text] = +""
      loop { Thread.current[:text] << reader.readpartial(65_536) }
    rescue EOFError
      nil
    ensure
      reader.close
    end

    # The output of a tester that has ended. A process that it left behind may hold its output
    # open.
    def text(reading)
      reading.kill unless reading.join(LAST_WORDS_S)
      reading[:text].to_s.dup.force_encoding("UTF-8").scrub
    end

    def status(waiter)
      waiter.value.success? || @stopped ? :ok : :failed
    end

    # Waits until the tester has ended, and stops it if it can't count requests itself. Returns
    # false at the deadline.
    def ended?(waiter, deadline)
      until waiter.join(pause)
        return false if now > deadline

        @peak_kb = [@peak_kb, peak_kb(waiter.pid)].compact.max if @memory
        stop(waiter) if stops? && @truth.done?(@memory ? 0 : EVERY_S)
      end
      true
    end

    # No pause before a tester is stopped, since #ended? waits for the server then.
    def pause
      return MEMORY_S if @memory

      stops? ? 0 : EVERY_S
    end

    def stops?
      !@tool.counts? && !@stopped
    end

    def stop(waiter)
      @stopped = true
      kill(@stop, waiter)
    end

    def finish(waiter)
      kill(:KILL, waiter)
      waiter.join
    end

    # Nobody else waits for the tester, so its pid is not reused until the waiter has it.
    def kill(signal, waiter)
      Process.kill(signal, waiter.pid) if waiter.alive?
    rescue Errno::ESRCH
      nil # it has just ended
    end

    def peak_kb(pid)
      File.read("/proc/#{pid}/status")[/^VmHWM:\s+(\d+)/, 1]&.to_i
    rescue SystemCallError
      nil # it has just ended
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
