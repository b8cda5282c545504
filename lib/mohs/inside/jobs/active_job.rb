# frozen_string_literal: true

# The probe job of Active Job, on the queue adapter that the application's own jobs use.
class MohsActiveJob < (defined?(ApplicationJob) ? ApplicationJob : ActiveJob::Base)
  queue_as :default

  # The adapter's name: "sidekiq".
  def self.mohs_adapter
    respond_to?(:queue_adapter_name) ? queue_adapter_name : queue_adapter.class.name.to_s
  end

  # False if a callback of the application halts the job.
  def self.mohs_enqueue(path, number)
    perform_later(path, number)
  end

  def perform(path, number)
    MohsJobs.ran(path, number)
  end
end
