# frozen_string_literal: true

# Litestack makes a folder as soon as it is loaded.
ENV["LITESTACK_DATA_PATH"] = Jobs.folder
require "litestack/litejob"

module Jobs
  module Queues
    # Litejob, on a SQLite file. Its log, three lines per job, is off.
    class Litejob
      # Litejob's default sleeps, but with POLL_S as the longest.
      SLEEPS_S = [0.001, 0.005, Settings::POLL_S].freeze

      # The trivial job. Litejob's module is included below, because including it starts a queue
      # with default options if there is none.
      class Job
        def perform(batch, index) = Jobs.perform(batch, index)
      end

      def initialize(settings)
        @settings = settings
      end

      def start
        queue = ["default", 1, *("spawn" if @settings.spawn?)]
        Litejobqueue.new(path: File.join(Jobs.folder, "queue.sqlite3"), logger: nil,
                         workers: Settings::WORKERS, sleep_intervals: SLEEPS_S, queues: [queue])
        verify
        Job.include(::Litejob)
        start_active_job if @settings.active_job?
      end

      def enqueue(batch, index) = Job.perform_async(batch, index)

      private

      # Raises if Litejob, which chooses by itself, chose otherwise.
      def verify
        wanted = @settings.fibers? ? :fiber : :threaded
        chosen = Litescheduler.backend
        raise "Litejob chose #{chosen}, not #{wanted}" unless chosen == wanted
      end

      def start_active_job
        require_relative "../active_job"
        require "active_job/queue_adapters/litejob_adapter"
        ActiveJob::Base.logger = nil
        ActiveSupport::IsolatedExecutionState.isolation_level = :fiber if @settings.fibers?
        ActiveJobJob.queue_adapter = :litejob
      end
    end
  end
end
