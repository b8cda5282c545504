# frozen_string_literal: true

# Runs inside JRuby, after loading the jars of a Java server: makes that server a rackup handler.
# The application stays in this runtime, where jruby-rack's servlet calls it.
require "jruby"
require "jruby-rack"
JRuby::Util.load_ext("org.jruby.rack.ext.RackLibrary")
require "rack/handler/servlet"

module MohsServlet
  # The block receives a servlet for all requests, and the host and port to listen on; it returns an
  # object with `start`, `stop` and `destroy`.
  def self.handler(name)
    handler = Rack::Handler.const_set(name.capitalize, Module.new)
    Rack::Handler.register(name, handler.name)
    handler.define_singleton_method(:run) do |app, options|
      ended = Queue.new
      trap("TERM") { ended << true }
      server = yield MohsServlet.servlet(app, name), options[:Host], options[:Port].to_i
      server.start
      ended.pop
      server.stop
      server.destroy
    end
  end

  def self.servlet(app, name)
    context = org.jruby.rack.embed.Context.new(name)
    application = Rack::Handler::Servlet.new(app)
    dispatcher = org.jruby.rack.embed.Dispatcher.new(context, application)
    org.jruby.rack.RackServlet.new(dispatcher, context)
  end
end
