# frozen_string_literal: true

module Mohs
  module Fronts
    # The contract of a front. A member defines on its class:
    #
    #     GEMS         { gem => version requirement } that must be in the bundle
    #     PROGRAMS     where its program is if that is installed system-wide; the first that
    #                  exists is used. Empty if the program comes with a gem
    #     ENGINES      the only engines that its gem is used with, by RUBY_ENGINE; nil: all
    #     UNIX         can connect to a server on a unix socket
    #     LOOPBACK     listens on loopback only
    #     STOP_SIGNAL  the signal after which it still answers requests in progress
    #     WORKER       matches command lines of its processes that forward requests; nil: the
    #                  first process does
    #     FOR_TESTS    not offered to users
    #
    # with `.version(program) -> String?`, the version of the program at this path (nil: unknown),
    # and on an instance `#launch -> Launch`. What a front does besides forwarding requests
    # (caching, compressing, logging) is turned off, so that the same responses are measured with it
    # as without it.
    class Base
      extend Family::Member

      GEMS = {}.freeze
      PROGRAMS = [].freeze
      ENGINES = nil
      UNIX = true
      LOOPBACK = true
      WORKER = nil
      FOR_TESTS = false

      # Seconds for which idle connections are kept open: other servers may be measured meanwhile.
      IDLE_S = 3600

      class << self
        # Path of its program; nil if it comes with a gem, or is not installed.
        #: () -> String?
        def program = self::PROGRAMS.find { |path| File.executable?(path) }

        # Why it can't stand in front of a server here, nil if it can. unix: whether the server
        # listens on a unix socket; engine: the engine of the server's Ruby.
        #: (engine: String, unix: bool) -> Reason?
        def refusal(engine:, unix:)
          absent || refused("engine", refused_engine(engine), engine:) ||
            refused("unix", refused_unix(unix))
        end

        # Why it can't be used with any server here; nil if it can.
        #: () -> Reason?
        def absent
          return if self::PROGRAMS.empty? || program

          refused("command", "is not installed: apt-get install #{label}")
        end

        private

        def refused(what, text, **values)
          text && Reason.new(summary: "#{label} #{text}", code: "front_#{what}",
                             values: { front: label, **values })
        end

        def refused_engine(engine)
          return if self::ENGINES.nil? || self::ENGINES.include?(engine)

          "is used with #{self::ENGINES.join(', ')} only, not with #{engine}"
        end

        def refused_unix(unix)
          "connects to its server by TCP only: leave out unix" if unix && !self::UNIX
        end
      end

      attr_reader :settings

      #: (Fronts::Settings) -> void
      def initialize(settings)
        @settings = settings
      end

      private

      def address = place(settings.bind)

      def upstream = place(settings.upstream)

      def place(bind) = bind.unix || "#{bind.host}:#{bind.port}"
    end
  end
end
