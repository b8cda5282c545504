# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs web`: runs the dashboard until Ctrl-C.
    class Web < Base
      SUMMARY = "Shows runs, histories and studies in a browser."
      USAGE = "mohs web [--port N] [--bind ADDRESS] [--token [TOKEN]]"
      HIGHEST = 65_535

      private

      def options(parser)
        parser.on("--port N", "listen on this port; 0: any free one (default: " \
                              "#{Mohs::Web::PORT})") do |text|
          @port = Options.whole(text, option: "--port", least: 0)
        end
        parser.on("--bind ADDRESS", "listen on this address; any that others can reach needs " \
                                    "a token (default: #{Mohs::Web::BIND})") { |address| @bind = address }
        parser.on("--token [TOKEN]", "ask for a token: this one, which `ps` shows to other users,",
                  "or a random one (default: none, or a random one if",
                  "others can reach the address)") { |token| @token = token || Mohs::Web.random_token }
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

        tell("Other machines can reach #{@bind}, with the token in the address above. The " \
             "connection is not encrypted.")
      end
    end
  end
end
