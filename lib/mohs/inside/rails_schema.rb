# frozen_string_literal: true

# Runs beside a Rails application's db:prepare, behind bundler/setup: db/schema.rb stays as it is.
# In development Rails writes it anew after each migration; the setting moved in Rails 7.
begin
  require "active_support/lazy_load_hooks"
  ActiveSupport.on_load(:after_initialize) do
    if defined?(ActiveRecord)
      moved = ActiveRecord.respond_to?(:dump_schema_after_migration=)
      (moved ? ActiveRecord : ActiveRecord::Base).dump_schema_after_migration = false
    end
  end
rescue LoadError
  nil # without Rails in its bundle it is no Rails application
end
