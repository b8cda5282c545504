# frozen_string_literal: true

module Mohs
  class Trial
    # A trial of a server that was running before and continues afterwards: it is neither booted nor
    # stopped. Its processes are those that have its socket open, if the kernel shows them;
    # otherwise memory and CPU time stay unknown.
    class ExternalServer < Trial
      CONNECT_S = 2

      # Sends the first request.
      #: () -> void
      def boot
        client.ask(@setup.requests.first)
        @booted = true
        @declared_workers = workers.size
        remember(:after_boot)
      rescue Http::Client::Refused
        raise
      rescue TrialError => error
        raise TrialError.new("#{error.message}: is it still running at #{@setup.variant.url}?",
                             state: :refused, **error.reason.to_h.slice(:code, :values))
      end

      # Attests only what the kernel knows; no code of ours runs in the server.
      #: () -> void
      def attest = @attested = attestation

      #: () -> void
      def warmed
        super
        remember(:after_warm_up)
      end

      #: () -> void
      def finish
        super
        remember(:at_end)
      end

      #: () -> Array[Integer]
      def pids = Probes::Listener.pids(bind.port)

      #: () -> Array[Integer]
      def lasting = workers

      # A master process has the socket open, too.
      #: () -> Array[Integer]
      def workers
        all = pids
        below = all.flat_map { |pid| Process::Tree.children(pid) } & all
        below.empty? ? all : below
      end

      #: () -> Integer
      def declared_workers = @declared_workers

      # The server keeps running.
      #: (?grace_s: Numeric) -> void
      def stop(grace_s: STOP_GRACE_S) # rubocop:disable Lint/UnusedMethodArgument -- Trial's
        peak = @sampler&.stop
        @peak_rss_bytes ||= peak if peak&.positive?
      end

      private

      def bind = @bind ||= @setup.bind

      # Records nothing if the server's processes can't be seen: 0 bytes would be taken for a
      # figure.
      def remember(point)
        seen = pids
        seen.empty? ? @memory.delete(point) : @memory[point] = Probes::Memory.read(seen)
      end

      def must_live
        Http::Client.new(**bind.to_h, timeout_s: CONNECT_S).reach
      rescue SystemCallError => error
        raise TrialError.new("the server went away under load (#{error.message})",
                             code: "went_away", values: { error: error.class.name })
      end

      def whole_log = ""

      def attestation
        Probes::Attestation.read(Probes::Inquiry.new(inside), pids).merge(workers: workers.size)
      end
    end
  end
end
