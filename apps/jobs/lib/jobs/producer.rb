# frozen_string_literal: true

module Jobs
  # The thread on which the queue starts and its jobs are enqueued. Litejob takes the scheduler of
  # the thread that starts it, so with fibers this thread has a scheduler, and the workers are
  # fibers of it.
  class Producer
    # The block makes the queue, on that thread.
    def initialize(settings, tally:, &make)
      @settings = settings
      @tally = tally
      @make = make
      @batches = Thread::Queue.new
    end

    # Returns when the queue is running; raises the error that kept it from starting.
    def start
      outcome = Thread::Queue.new
      Thread.new do
        @settings.fibers? ? with_scheduler(outcome) : with_threads(outcome)
      rescue StandardError, ScriptError => error # the caller raises it
        outcome << error
      end
      error = outcome.pop
      raise error unless error == :started
    end

    # Enqueues the jobs of a batch while the caller goes on.
    def enqueue(batch) = @batches << batch

    private

    def with_threads(outcome)
      start_queue(outcome)
      work
    end

    # Starts the queue outside any fiber of the scheduler, as a program would at its top level.
    def with_scheduler(outcome)
      require "async"
      Fiber.set_scheduler(Async::Scheduler.new)
      start_queue(outcome)
      Fiber.schedule { work }
      Fiber.scheduler.run
    end

    def start_queue(outcome)
      queue = @make.call
      queue.start
      @enqueue = @settings.active_job? && ActiveJobJob.method(:perform_later)
      @enqueue ||= queue.method(:enqueue)
      outcome << :started
    end

    def work
      while (batch = @batches.pop)
        begin
          @tally.size.times { |index| @enqueue.call(batch, index) }
        rescue StandardError => error
          @tally.not_enqueued(error)
        end
      end
    end
  end
end
