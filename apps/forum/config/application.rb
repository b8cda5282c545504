# frozen_string_literal: true

require "logger" # Rails 6.1 uses it without requiring it
require "rails"
require "action_controller/railtie"
require "active_record/railtie"

require_relative "../db/prepare"
require_relative "sessions"

# A forum: people log in, read topics, reply to them and open new ones. Everything is an HTML page.
module Forum
  class Application < Rails::Application
    # As in a new application. These two came with Rails 5.
    version = Rails::VERSION::STRING[/\A\d+\.\d+/]
    config.load_defaults(version) if config.respond_to?(:load_defaults)
    config.eager_load = Rails.env.production?
    config.consider_all_requests_local = false
    config.allow_concurrency = true if version < "5" # as in production: no lock around requests
    if config.respond_to?(:public_file_server)
      config.public_file_server.enabled = false
    else
      config.serve_static_files = false
    end

    # Nothing is written into this folder: in an installed gem it may be read-only.
    config.logger = Logger.new($stderr)
    config.log_level = :error # a wrong token, say, is a warning
    config.active_record.dump_schema_after_migration = false

    # Sessions are cookies, which every process has to be able to read.
    config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { "0" * 128 }
    config.session_store Sessions, key: "_forum"
    config.action_dispatch.cookies_serializer = :json
  end
end
