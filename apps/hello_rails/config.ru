# frozen_string_literal: true

require "logger" # Rails 6.1 uses it without requiring it
require "rails"
require "action_controller/railtie"

# The smallest Rails application: one action that renders a constant. What is measured beyond
# apps/hello is what Rails itself takes.
class HelloRails < Rails::Application
  config.load_defaults Rails.gem_version.segments.first(2).join(".")
  config.eager_load = true
  config.consider_all_requests_local = false

  # Nothing is written into this folder: in an installed gem it may be read-only.
  config.logger = Logger.new($stderr)
  config.log_level = :warn

  # Nothing here is signed or encrypted; Rails only wants that there be one.
  config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { "0" * 128 }
end

# Behind all of the middleware of a new application.
class HelloController < ActionController::Base
  def show
    render plain: "Hello, world\n"
  end
end

HelloRails.initialize!
HelloRails.routes.draw { root to: "hello#show" }

run HelloRails
