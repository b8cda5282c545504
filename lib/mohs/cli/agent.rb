# frozen_string_literal: true

module Mohs
  class CLI
    # `mohs agent`: the other end of Agent::Link, as that starts it over ssh.
    class Agent < Base
      SUMMARY = "Sends load from this host; mohs --load-from starts it over ssh."
      USAGE = "mohs agent"
      ARGUMENTS = (0..0)

      private

      # Nothing but messages may be on stdout.
      def execute
        to = $stdout.dup
        $stdout.reopen($stderr)
        Mohs::Agent::Service.new($stdin, to).call
        0
      ensure
        $stdout.reopen(to)
        to.close
      end
    end
  end
end
