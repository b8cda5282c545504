# frozen_string_literal: true

require "active_job"

module Jobs
  # The trivial job as an Active Job class.
  class ActiveJobJob < ActiveJob::Base
    queue_as :default

    def perform(batch, index) = Jobs.perform(batch, index)
  end
end
