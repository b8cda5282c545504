# frozen_string_literal: true

require "sidekiq"

module Jobs
  module Queues
    # Sidekiq, in this process, on the Redis of REDIS_URL. Its log, two lines per job, is off.
    class Sidekiq
      # The trivial job.
      class Job
        include ::Sidekiq::Job

        def perform(batch, index) = Jobs.perform(batch, index)
      end

      def initialize(settings)
        @settings = settings
      end

      def start
        start_active_job if @settings.active_job?
        embedded = ::Sidekiq.configure_embed do |config|
          config.logger.level = Logger::WARN
          config.queues = %w[default]
          config.concurrency = Settings::WORKERS
        end
        embedded.run
        at_exit { embedded.stop }
      end

      def enqueue(batch, index) = Job.perform_async(batch, index)

      private

      def start_active_job
        require_relative "../rails_host"
        require "sidekiq/rails"
        RailsHost.boot
        ActiveJobJob.queue_adapter = :sidekiq
      end
    end
  end
end
