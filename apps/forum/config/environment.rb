# frozen_string_literal: true

require_relative "application"

Rails.application.initialize!

# On Ruby 2.0.0 and 2.3.4 one of the first thousand requests failed, on a constant that another
# thread was loading (autoload). Some of these constants need gems that are not there.
if RUBY_VERSION < "2.6"
  [Rack, Rack::Multipart].each do |rack|
    rack.constants.each do |name|
      begin
        rack.const_get(name)
      rescue LoadError, NameError
        next
      end
    end
  end
end
