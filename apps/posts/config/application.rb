# frozen_string_literal: true

require "logger" # Rails 6.1 uses it without requiring it
require "rails"
require "action_controller/railtie"
require "active_record/railtie"

require_relative "../db/prepare"

# A Rails API of one table: GET /posts/1.json.
module Posts
  class Application < Rails::Application
    config.load_defaults Rails.gem_version.segments.first(2).join(".") # as in a new application
    config.api_only = true
    config.eager_load = Rails.env.production?
    config.consider_all_requests_local = false

    # Nothing is written into this folder: in an installed gem it may be read-only.
    config.logger = Logger.new($stderr)
    config.log_level = :warn
    config.active_record.dump_schema_after_migration = false

    # Nothing here is signed or encrypted; Rails only insists on having one.
    config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { "0" * 128 }
  end
end
