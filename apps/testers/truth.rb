# frozen_string_literal: true

require "io/wait"
require "rbconfig"
require "tmpdir"

module Testers
  # The server in C (truth.c), compiled when it is opened; it ends with its master. What it reports
  # of the last load is the truth.
  class Truth
    SOURCE = File.join(__dir__, "truth.c")
    OPTIONS = %w[-O2 -std=gnu11 -D_GNU_SOURCE].freeze

    # Counts of a load; first_ns and last_ns are those of its first request and last response.
    Counts = Struct.new(:answered, :errors, :opened, :used, :first_ns, :last_ns) do
      def seconds
        (last_ns - first_ns) / 1e9
      end

      def per_s
        answered / seconds
      end
    end

    attr_reader :port

    def initialize
      Dir.mktmpdir("testers") do |folder|
        program = File.join(folder, "truth")
        compile(program)
        @pipe = IO.popen([program], "r+b")
        @port = Integer(line)
      end
    end

    def pid
      @pipe.pid
    end

    # Forgets everything before and closes every connection. #done? becomes true when `target`
    # requests are answered.
    def start(delay_ns: 0, slow_ns: 0, nth_slow: 0, nth_error: 0, target: 0)
      @done = false
      order("start #{delay_ns} #{slow_ns} #{nth_slow} #{nth_error} #{target}")
      line until @line == "ready\n" # a "done" of the load before may come first
      @line = nil
    end

    # Waits at most that many seconds.
    def done?(seconds)
      @done ||= @pipe.wait_readable(seconds) && line == "done\n"
    end

    def counts
      order("counts")
      Counts.new(*told.split.map { |word| Integer(word) })
    end

    # [[came, left]] for each response, in ns of the monotonic clock.
    def answers
      order("times")
      @pipe.read(Integer(told) * 16).unpack("Q*").each_slice(2).to_a
    end

    def stop
      @pipe.close
    end

    private

    def compile(program)
      compiler = RbConfig::CONFIG.fetch("CC").split
      return if system(*compiler, *OPTIONS, "-o", program, SOURCE, exception: false)

      raise "apps/testers needs a C compiler (#{compiler.first}): apt install gcc"
    end

    def order(text)
      @pipe.write("#{text}\n")
    end

    # Reads the line that answers an order; the line "done" of the load may come before it.
    def told
      line
      return @line unless @line == "done\n"

      @done = true
      line
    end

    def line
      @line = @pipe.gets or raise "the truth server has ended"
    end
  end
end
