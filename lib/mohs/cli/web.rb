# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs web`: the dashboard, until Ctrl-C.
    class Web < Base
      SUMMARY = "Shows runs, histories and studies in a browser."
      USAGE = "mohs web [--port N] [--bind ADDRESS] [--token TOKEN]"
      HIGHEST = 65_535

      private

      def options(parser)
        parser.on("--port N", "default: #{Mohs::Web::PORT}; 0: any free one") do |text|
          @port = Options.whole(text, option: "--port", least: 0)
        end
        parser.on("--bind ADDRESS", "default: #{Mohs::Web::BIND}, this machine alone; any other " \
                                    "asks for a token") { |address| @bind = address }
        parser.on("--token TOKEN", "ask for this token; default: a random one where others can " \
                                   "reach it") { |token| @token = token }
      end

      def check_arguments
        super
        raise UsageError, "--port #{@port}: at most #{HIGHEST}" if @port.to_i > HIGHEST
      end

      def execute
        signals = StopSignals.new
        signals.during { serve }
      rescue SignalException
        raise unless signals.first

        signals.status
      end

      def serve
        LOADER.eager_load_namespace(Mohs::Web) # before there are threads that need it
        given = { bind: @bind, port: @port, token: @token }.compact
        results = Mohs::Web::Results.new(context.store.call, servers: context.servers,
                                         vault: Secrets::Vault.new(env: context.env))
        web = Mohs::Web.new(results, **given, log: context.err)
        web.start
        say(web)
        web.wait
        0
      ensure
        web&.stop
      end

      def say(web)
        answer("web", url: web.url, port: web.port, token: web.token) do
          "mohs web: #{web.url} (Ctrl-C ends it)\n"
        end
        context.out.flush
        return if web.private?

        tell("Others can reach #{@bind}: the address above has the token that they need. The " \
             "connection is not encrypted.")
      end
    end
  end
end
