# frozen_string_literal: true

require "logger"
require "rails"
require "active_job/railtie"
require "active_record/railtie"
require "action_controller/railtie"
require "action_cable/engine"
require "solid_cable"

require_relative "../db/prepare"

# A chat on ActionCable. Whoever joins ChatChannel hears what anybody in it says:
#
#   say, with a text:   comes to all that have joined the channel of the same room
#   echo, with a text:  comes back to the connection alone
#
# The environment variable CHAT_ADAPTER chooses what carries messages between connections and
# processes: async (within one process, the default), redis, or solid_cable (a SQLite file).
module Chat
  ADAPTER = ENV.fetch("CHAT_ADAPTER", "async")

  # Of one room. "chat" is the room of those who name none.
  def self.stream(room) = "chat #{room}"

  class Application < Rails::Application
    config.load_defaults Rails.gem_version.segments.first(2).join(".") # as in a new application
    config.eager_load = Rails.env.production?
    config.consider_all_requests_local = false

    # Nothing is written into this folder: in an installed gem it may be read-only.
    config.logger = Logger.new($stderr)
    config.log_level = :warn
    config.active_record.dump_schema_after_migration = false

    # Nothing here is signed or encrypted; Rails only insists on having one.
    config.secret_key_base = ENV.fetch("SECRET_KEY_BASE") { "0" * 128 }

    config.after_initialize { Chat::Database.prepare if ADAPTER == "solid_cable" }
  end
end
