# frozen_string_literal: true

module Testers
  # Starts a tester for each load, and never waits for it longer than the load allows.
  class Runner
    # How often a tester is looked at, and how often if its memory is read.
    EVERY_S = 0.05
    MEMORY_S = 0.01
    # How long after its end its output may still come.
    LAST_WORDS_S = 1

    # `stop`: how one that knows no number of requests is stopped: KILL, or INT so that it reports.
    # memory: whether its peak is looked for, which takes some of the time of a core.
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

    # Of a tester that has ended. What it may have left behind could hold its output open.
    def text(reading)
      reading.kill unless reading.join(LAST_WORDS_S)
      reading[:text].to_s.dup.force_encoding("UTF-8").scrub
    end

    def status(waiter)
      waiter.value.success? || @stopped ? :ok : :failed
    end

    # Waits until it has ended, if need be because it was told so.
    def ended?(waiter, deadline)
      until waiter.join(pause)
        return false if now > deadline

        @peak_kb = [@peak_kb, peak_kb(waiter.pid)].compact.max if @memory
        stop(waiter) if stops? && @truth.done?(@memory ? 0 : EVERY_S)
      end
      true
    end

    # None before one waits for the server to be done.
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

    # Nobody else waits for it, so its number is its own until the waiter has it.
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
