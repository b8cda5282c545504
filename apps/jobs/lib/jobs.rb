# frozen_string_literal: true

require "tmpdir"

require_relative "jobs/app"
require_relative "jobs/producer"
require_relative "jobs/settings"
require_relative "jobs/tally"

# A benchmark of job queues in the form of an application, so that requests measure jobs: each
# request enqueues a batch of trivial jobs, waits until the queue has run them, checks that each
# ran exactly once, and gets a constant response. The queue's workers run in the server's own
# process. Jobs per second are JOBS times the requests per second. Jobs::Settings has the variables
# that choose the queue.
module Jobs
  class << self
    # The Rack application; starts the queue that the environment asks for.
    def boot(env)
      settings = Settings.new(env)
      @wait_s = settings.wait_ms / 1000.0
      @tally = Tally.new(settings.jobs)
      producer = Producer.new(settings, tally: @tally) { queue(settings) }
      producer.start
      App.new(tally: @tally, producer:)
    end

    # What a job does. A method of the module, because queues create the job objects themselves.
    def perform(batch, index)
      sleep(@wait_s) if @wait_s.positive?
      @tally.ran(batch, index)
    end

    # A folder for the queue's files, removed when the process ends.
    def folder
      @folder ||= Dir.mktmpdir("jobs").tap do |folder|
        owner = Process.pid
        at_exit { FileUtils.rm_rf(folder) if Process.pid == owner }
      end
    end

    private

    # Loads the queue's gems on the thread that starts it, because Litejob looks for a fiber
    # scheduler there.
    def queue(settings)
      require_relative "jobs/queues/#{settings.queue}"
      Queues.const_get(settings.queue.split("_").map(&:capitalize).join).new(settings)
    end
  end
end
