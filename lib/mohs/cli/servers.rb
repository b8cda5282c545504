# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs servers`: lists the application servers, and what is known about them on this machine.
    class Servers < Base
      SUMMARY = "Lists the servers to measure on, and what they do here."
      USAGE = "mohs servers [NAME...] [options]"
      ARGUMENTS = (0..)
      # Approximate seconds to try one server on one Ruby, without installing: on an engine that
      # boots in a second, and on a slow engine.
      QUICK_S, SLOW_S = 30, 180

      private

      def options(parser)
        @rubies = []
        parser.on("--verify", "boot each server on each Ruby, and try what it does") do
          @verify = true
        end
        parser.on("--ruby NAME", "only on this Ruby; repeatable") { |name| @rubies << name }
        parser.on("--quiet", "no progress") { @quiet = true }
      end

      def check_arguments = arguments.each { |name| context.servers.fetch(name) }

      def execute
        chosen = rubies
        verification = context.verification.call
        verify(verification, chosen) if @verify
        document = Report::ServersModel.document(servers, chosen,
                                                 results: verification.cache.method(:fetch),
                                                 refusal: Verification.method(:refusal))
        document[:fronts] = Report::FrontsModel.documents(Fronts.offered)
        answer("servers", document) do
          Report::Terminal::ServersScreen.new(document, style: context.style(context.out)).to_s
        end
      end

      def servers
        named = arguments.uniq.map { |name| context.servers.fetch(name) }
        named.any? ? named : context.servers.offered
      end

      def rubies
        named = @rubies.map { |name| context.rubies.find(name) }
        (named.any? ? named : context.rubies.all).uniq.select(&:ok?)
      end

      def verify(verification, rubies)
        pairs = rubies.product(servers).reject do |ruby, server|
          Verification.refusal(server, ruby)
        end
        announce(pairs)
        pairs.each.with_index(1) do |(ruby, server), number|
          tell("#{server.label} on #{ruby.name} (#{number} of #{pairs.size})")
          result = verification.call(server, ruby) { |step| tell("  #{step(step)}") }
          tell("  #{outcome(result)}")
        end
      end

      def announce(pairs)
        seconds = pairs.sum do |ruby, _|
          Mohs::Rubies::Engines.named(ruby.engine)::SLOW ? SLOW_S : QUICK_S
        end
        count = Report::Numbers.counted(pairs.size, "combination")
        tell("trying #{count} of server and Ruby: about #{Report::Numbers.duration(seconds)}, " \
             "and what it takes to install them. After Ctrl-C, what was tried is kept.")
      end

      def step(step) = step == :wait ? "waiting for another mohs that measures" : step

      def outcome(result)
        return "verified in #{Report::Numbers.duration(result.seconds)}" if result.verified?

        "refused: #{Report::Render.reason(result.reason).summary}"
      end
    end
  end
end
