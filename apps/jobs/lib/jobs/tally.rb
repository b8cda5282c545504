# frozen_string_literal: true

module Jobs
  # Counts how often each job of a batch ran. Jobs report from the queue's threads or fibers, while
  # the request waits on its own thread.
  class Tally
    attr_reader :size

    def initialize(size)
      @size = size
      @mutex = Mutex.new
      @ended = ConditionVariable.new
      @batch = 0
      @strays = 0
      begin_batch
    end

    # Begins a batch and returns its number. From then on, a job of an earlier batch is an error.
    def begin_batch
      @mutex.synchronize do
        @runs = Array.new(size, 0)
        @pending = size
        @failure = nil
        @batch += 1
      end
    end

    # Records that a job ran.
    def ran(batch, index)
      @mutex.synchronize do
        next @strays += 1 unless batch == @batch && index.between?(0, size - 1)

        @runs[index] += 1
        next if @runs[index] > 1

        @pending -= 1
        @ended.signal if @pending.zero?
      end
    end

    # Records that a job of the batch could not be enqueued.
    def not_enqueued(error)
      @mutex.synchronize do
        @failure = "not enqueued: #{error.message} (#{error.class})"
        @ended.signal
      end
    end

    # Waits until each job of the batch has run, but at most limit_s seconds. Returns what went
    # wrong, with this batch or with earlier jobs that ran meanwhile; nil if each job ran once.
    def await(limit_s)
      deadline = now_s + limit_s
      @mutex.synchronize do
        while @pending.positive? && @failure.nil? && (left = deadline - now_s).positive?
          @ended.wait(@mutex, left)
        end
        faults(limit_s).then { |texts| texts.join("; ") unless texts.empty? }
      end
    end

    private

    def faults(limit_s)
      strays, @strays = @strays, 0
      twice = @runs.count { |runs| runs > 1 }
      lost = "#{@pending} of #{size} jobs did not run within #{limit_s} s" if @pending.positive?
      [@failure || lost, *("#{twice} of #{size} jobs ran more than once" if twice.positive?),
       *("#{strays} jobs ran that are not of this batch" if strays.positive?)].compact
    end

    def now_s = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
