# frozen_string_literal: true

# Runs inside the measured server, after bundler/setup, if the application uses Rails: its log goes
# to the file MOHS_APP_LOG instead of log/production.log, unless the application sets its own
# logger. Rails runs this hook when the application's class is opened, before it is configured; this
# is the same from Rails 5 to 8.
begin
  require "active_support/lazy_load_hooks"
  ActiveSupport.on_load(:before_configuration) do
    config.paths.add("log", with: ENV.fetch("MOHS_APP_LOG"))
  end
rescue LoadError
  nil # without Rails in its bundle it is not a Rails application
end
