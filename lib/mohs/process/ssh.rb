# frozen_string_literal: true

module Mohs
  module Process
    # ssh as the user has configured it: users, ports, keys and jump hosts come from that
    # configuration.
    module Ssh
      WORDS = %w[ssh -T -o ConnectTimeout=10 -o ServerAliveInterval=15].freeze

      # The command that makes the host's shell run `line`. ssh: the words before the host. Raises
      # UsageError if the host can't be one.
      #: (String, String, ?ssh: Array[String]) -> Array[String]
      def self.command(host, line, ssh: WORDS) = [*ssh, "--", verified(host), line]

      # The host, as ssh takes it. Raises UsageError.
      #: (String) -> String
      def self.verified(host)
        return host unless host.empty? || host.start_with?("-") || host.match?(/\s/)

        raise UsageError, "invalid host #{host.inspect}: use HOST or USER@HOST."
      end
    end
  end
end
