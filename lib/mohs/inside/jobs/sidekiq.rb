# frozen_string_literal: true

# The probe job of Sidekiq's own API; before 6.3 a job was called a worker.
class MohsSidekiqJob
  include(defined?(::Sidekiq::Job) ? ::Sidekiq::Job : ::Sidekiq::Worker)

  def self.mohs_adapter
    nil
  end

  # Nil if a middleware of the application stops it.
  def self.mohs_enqueue(path, number)
    perform_async(path, number)
  end

  def perform(path, number)
    MohsJobs.ran(path, number)
  end
end
