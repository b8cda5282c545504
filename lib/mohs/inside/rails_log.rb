# frozen_string_literal: true

# Runs inside the measured server, behind bundler/setup, if the application is a Rails one: its log
# goes to the file MOHS_APP_LOG instead of log/production.log, unless the application sets a logger
# of its own. Rails runs this hook when the application's class is opened, before it configures
# itself; the same from Rails 5 to 8.
begin
  require "active_support/lazy_load_hooks"
  ActiveSupport.on_load(:before_configuration) do
    config.paths.add("log", with: ENV.fetch("MOHS_APP_LOG"))
  end
rescue LoadError
  nil # without Rails in its bundle it is no Rails application
end
