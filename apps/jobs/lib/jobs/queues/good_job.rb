# frozen_string_literal: true

require "erb"

require "rails"
require "active_record/railtie"
require_relative "../rails_host"
require "good_job"

module Jobs
  module Queues
    # GoodJob, in this process, on the PostgreSQL of DATABASE_URL. Records of jobs are deleted once
    # they have run, so that the tables keep their size.
    class GoodJob
      MIGRATION = "lib/generators/good_job/templates/install/migrations/create_good_jobs.rb.erb"

      def initialize(_settings); end

      def start
        RailsHost.config.good_job.max_threads = Settings::WORKERS
        RailsHost.config.good_job.preserve_job_records = false
        RailsHost.boot(ENV.fetch("DATABASE_URL"))
        create_tables
        ActiveJobJob.queue_adapter = ::GoodJob::Adapter.new(execution_mode: :async_all)
        at_exit { ::GoodJob.shutdown }
      end

      private

      # Creates the tables with the gem's own migration template.
      def create_tables
        template = File.read(File.join(Gem.loaded_specs.fetch("good_job").full_gem_path, MIGRATION))
        path = File.join(Jobs.folder, "create_good_jobs.rb")
        File.write(path, ERB.new(template).result_with_hash(migration_version: "[7.2]"))
        load(path)
        ActiveRecord::Migration.verbose = false
        CreateGoodJobs.migrate(:up)
      end
    end
  end
end
