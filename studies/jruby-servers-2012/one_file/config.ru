# frozen_string_literal: true

require "logger" # Rails 6.1 uses it without requiring it
require "rails"
require "action_controller/railtie"

# A Rails application of one file and one template.
class OneFile < Rails::Application
  config.load_defaults Rails.gem_version.segments.first(2).join(".")
  config.eager_load = true
  config.consider_all_requests_local = false

  # Nothing is written into this folder: in an installed gem it may be read-only.
  config.logger = Logger.new($stderr)
  config.log_level = :warn

  # Nothing here is signed or encrypted; Rails only wants that there be one.
  config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { "0" * 128 }
end

class HelloController < ActionController::Base
  # Every response ends its connection, under each server: Unicorn can't do otherwise.
  def index
    @greeting = "Hello, world"
    response.headers["Connection"] = "close"
  end
end

OneFile.initialize!
OneFile.routes.draw { root to: "hello#index" }

run OneFile
