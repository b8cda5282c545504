# frozen_string_literal: true

module Mohs
  class LoadRun
    # How many new connections the local ports allow: a closed connection keeps its port in
    # TIME_WAIT, and when none is left requests fail (no_local_port). Determined before the load,
    # from the kernel's settings.
    class LocalPortLimit
      # TCP_TIMEWAIT_LEN of linux/net/tcp.h; and the time after which tcp_tw_reuse allows the port
      # again (tcp_twsk_unique: a later second).
      TIME_WAIT_S, REUSE_S = 60, 1
      # New connections per second that loopback reaches: closed loops with ports for fewer get a
      # warning.
      REACHED_PER_S = 20_000
      RANGE = Process::Port::LOCAL
      REUSE = "/proc/sys/net/ipv4/tcp_tw_reuse"
      # The side that closes first keeps the port. With :asked that is sometimes the server.
      KEEPS = %i[fin asked].freeze

      # read: returns the content of a file; nil if it can't be read.
      #: (LoadRun::Declaration, ?read: ^(String) -> String?) -> void
      def initialize(declared, read: ->(path) { File.read(path) if File.readable?(path) })
        @declared = declared
        @read = read
      end

      # A warning, in one sentence; nil if there are enough ports. Raises EnvironmentError if a rate
      # that was asked for certainly needs more.
      #: () -> String?
      def verify
        return unless limited? && short?

        sure = rates.any? && @declared.keep_alive == :fin
        raise EnvironmentError, "#{shortage} #{REMEDY}" if sure

        "#{shortage} Beyond that, requests fail (no_local_port). #{REMEDY}"
      end

      private

      REMEDY = "Use --close=rst (no TIME_WAIT), more --source-addresses (127.0.0.2,127.0.0.3), " \
               "kept connections or fewer requests; or, as root: sysctl -w " \
               "net.ipv4.tcp_tw_reuse=1"

      def limited?
        KEEPS.include?(@declared.keep_alive) && !@declared.server.unix && ports
      end

      # Number of local ports, over all addresses to connect from.
      def ports
        low, high = @read.call(RANGE)&.split&.map(&:to_i)
        (high - low + 1) * [@declared.source_addresses.size, 1].max if high
      end

      def rest_s = reused? ? REUSE_S : TIME_WAIT_S

      # 1: everywhere; 2: on loopback.
      def reused?
        case @read.call(REUSE).to_i
        when 1 then true
        when 2 then Loopback.host?(@declared.server.place[:host])
        else false
        end
      end

      def short?
        return false if @declared.count && @declared.count <= ports

        rates.any? ? needed > ports : ports / rest_s < REACHED_PER_S
      end

      # The rates of an open loop; [] for a closed one.
      def rates = @declared.arrivals.flat_map { |due| [due.rate_per_s, due.to_per_s].compact }

      # Connections opened while the first port is still in TIME_WAIT.
      def needed = (rates.max * [rest_s, *@declared.duration_s].min).ceil

      def shortage
        return "local ports last for #{ports} new connections in #{rest_s} s (TIME_WAIT)." if
          rates.empty?

        "this rate opens #{needed} connections in #{rest_s} s, and local ports last for #{ports} " \
          "(TIME_WAIT)."
      end
    end
  end
end
