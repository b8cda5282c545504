# frozen_string_literal: true

# The same routes by Rack alone or, with FRAMEWORK=rails, by Rails without a database: what Rails
# takes of a request is the difference between the two.
#
#     /             renders a constant
#     /static.txt   sends a file
#     /delay?ms=N   waits, as for a database
#     /cpu?count=N  calculates
module Routes
  HELLO = "Hello, world\n"
  MS = 10
  COUNT = 10_000
  MOST = 1_000_000 # a slip of the keyboard must not take a minute

  def self.delay(text)
    ms = number(text, MS)
    sleep(ms / 1000.0)
    "waited #{ms} ms\n"
  end

  def self.cpu(text)
    sum = 0
    1.upto(number(text, COUNT)) { |n| sum = ((sum * 31) + n) % 1_000_003 }
    "#{sum}\n"
  end

  def self.number(text, default)
    text ? [text[/\A\d{1,9}\z/].to_i, MOST].min : default
  end
end

case ENV.fetch("FRAMEWORK", "rack")
when "rack"
  # Without middleware and router.
  module Plain
    SENDER = defined?(Rack::Files) ? Rack::Files : Rack::File # before Rack 2.1
    FILES = SENDER.new(File.expand_path("public", __dir__))

    def self.call(env)
      query = env["QUERY_STRING"].to_s
      case env["PATH_INFO"]
      when "/" then text(Routes::HELLO)
      when "/static.txt" then FILES.call(env)
      when "/delay" then text(Routes.delay(query[/\Ams=(.*)\z/, 1]))
      when "/cpu" then text(Routes.cpu(query[/\Acount=(.*)\z/, 1]))
      else text("no such route\n", status: 404)
      end
    end

    def self.text(body, status: 200)
      [status, { "content-type" => "text/plain", "content-length" => body.bytesize.to_s }, [body]]
    end
  end

  run Plain
when "rails"
  require "logger" # Rails 6.1 uses it without requiring it
  require "rails"
  require "action_controller/railtie"

  # The smallest Rails application.
  class RailsRoutes < Rails::Application
    version = Rails::VERSION::STRING[/\A\d+\.\d+/]
    config.load_defaults(version) if config.respond_to?(:load_defaults) # since Rails 5.1
    config.eager_load = true
    config.consider_all_requests_local = false
    config.allow_concurrency = true if version < "5" # as in production: no lock around requests

    # Nothing is written into this folder: in an installed gem it may be read-only.
    config.logger = Logger.new($stderr)
    config.log_level = :warn

    # Nothing here is signed or encrypted; Rails only wants that there be one.
    config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { "0" * 128 }
  end

  # Behind all of the middleware of a new application, which sends the file.
  class RoutesController < ActionController::Base
    def hello
      render plain: Routes::HELLO
    end

    def delay
      render plain: Routes.delay(params[:ms])
    end

    def cpu
      render plain: Routes.cpu(params[:count])
    end
  end

  RailsRoutes.initialize!
  RailsRoutes.routes.draw do
    root to: "routes#hello"
    get "delay", to: "routes#delay"
    get "cpu", to: "routes#cpu"
  end

  run RailsRoutes
else
  abort "FRAMEWORK=#{ENV['FRAMEWORK']}: rack or rails"
end
