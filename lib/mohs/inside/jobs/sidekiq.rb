# frozen_string_literal: true

# The probe job of Sidekiq's own API; before 6.3, jobs were called workers.
class MohsSidekiqJob
  include(defined?(::Sidekiq::Job) ? ::Sidekiq::Job : ::Sidekiq::Worker)
  extend MohsJobs::Own

  def perform(path, number)
    MohsJobs.ran(path, number)
  end
end
