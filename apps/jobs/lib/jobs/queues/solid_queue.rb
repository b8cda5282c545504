# frozen_string_literal: true

require "rails"
require "active_record/railtie"
require_relative "../rails_host"
require "solid_queue"

module Jobs
  module Queues
    # Solid Queue, in this process, on a SQLite file. Records of jobs are deleted once they have
    # run, so that the tables keep their size.
    class SolidQueue
      SCHEMA = "lib/generators/solid_queue/install/templates/db/queue_schema.rb"

      # As in a new Rails 8 application, whose default queue this is: transactions take the lock
      # when they begin, and while one thread waits for it, others go on. Otherwise workers fail.
      SETTINGS = "default_transaction_mode=immediate"
      module Waiting
        LIMIT_MS = 5000

        def configure_connection
          super
          @raw_connection.busy_handler_timeout = LIMIT_MS
        end
      end

      def initialize(_settings); end

      def start
        ActiveSupport.on_load(:active_record_sqlite3adapter) { prepend(Waiting) }
        RailsHost.config.solid_queue.preserve_finished_jobs = false
        RailsHost.boot("sqlite3:#{File.join(Jobs.folder, 'queue.sqlite3')}?#{SETTINGS}")
        ActiveRecord::Schema.verbose = false
        load(File.join(Gem.loaded_specs.fetch("solid_queue").full_gem_path, SCHEMA))
        ActiveJobJob.queue_adapter = :solid_queue
        worker = ::SolidQueue::Worker.new(queues: ["default"], threads: Settings::WORKERS,
                                          polling_interval: Settings::POLL_S)
        worker.start
        at_exit { worker.stop }
      end
    end
  end
end
