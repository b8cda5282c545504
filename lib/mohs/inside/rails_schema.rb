# frozen_string_literal: true

# Runs in a Rails application's db:prepare, after bundler/setup: keeps db/schema.rb as it is. In
# development, Rails rewrites it after each migration; the setting moved in Rails 7.
begin
  require "active_support/lazy_load_hooks"
  ActiveSupport.on_load(:after_initialize) do
    if defined?(ActiveRecord)
      moved = ActiveRecord.respond_to?(:dump_schema_after_migration=)
      (moved ? ActiveRecord : ActiveRecord::Base).dump_schema_after_migration = false
    end
  end
rescue LoadError
  nil # without Rails in its bundle it is not a Rails application
end
