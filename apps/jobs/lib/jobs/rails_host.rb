# frozen_string_literal: true

require "logger"
require "rails"
require "action_controller/railtie" # eager loading takes a controller of Rails' own
require "active_job/railtie"

module Jobs
  # The smallest Rails application, needed by queues that are engines. Queues with a database load
  # Active Record first.
  class RailsHost < Rails::Application
    # Connections to the database: for the workers, the producer, and the queue's own threads.
    POOL = Settings::WORKERS + 5

    config.load_defaults 7.2
    config.root = Jobs.folder
    config.eager_load = true
    config.logger = Logger.new($stderr)
    config.log_level = :warn

    # Nothing here is signed or encrypted; Rails only insists on having one.
    config.secret_key_base = "0" * 128

    # Boots the application; if `url` is given, on that database.
    def self.boot(url = nil)
      ENV["DATABASE_URL"] = [url, "pool=#{POOL}"].join(url.include?("?") ? "&" : "?") if url
      initialize!
      require_relative "active_job"
    end
  end
end
