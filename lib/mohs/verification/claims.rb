# frozen_string_literal: true

module Mohs
  class Verification
    # What a server claims, by the names of traits: true, false, or nil if only trying can tell.
    # Pure.
    module Claims
      # In the order in which they are shown. Capabilities, by which people choose servers:
      #
      #     processes, threads   as many as asked for, counted
      #     fibers               one thread handles several requests at once
      #     keep_alive           answers a second request on a connection
      #     unix                 listens on a unix socket
      #     preload              loads the application once for all processes
      #     streaming            sends a body without a length in parts
      #     websocket            leaves the connection to the application (rack.hijack)
      #     connections          how many it holds while it answers others: event streams if it
      #                          streams, else connections that it keeps
      #     proxy_needed         keeps no connections, or lets slow clients delay others
      #
      # and conduct:
      #
      #     workers              each process serves requests
      #     counted              its CPU time is that of all processes that work
      #     survives             clients that leave in the middle of a request
      #     drains               answers requests under way after its STOP_SIGNAL
      #     ends                 on that signal, with all its processes; those left are counted
      #     restarts             at once, on the same port
      #     reports              an application that raises when it is loaded: ends or refuses, with
      #                          the error in its log
      CAPABILITIES = %i[processes threads fibers keep_alive unix preload streaming websocket
                        connections proxy_needed].freeze
      CONDUCT = %i[workers counted survives drains ends restarts reports].freeze
      ALL = [*CAPABILITIES, *CONDUCT].freeze
      DECLARED = %i[threads fibers keep_alive unix].freeze

      # The claims of a member of Servers on an engine.
      #: (singleton(Servers::Base), String) -> Hash[Symbol, bool?]
      def self.of(server, engine)
        able = server.capabilities
        processes = able.fetch(:processes) && Rubies::Engines.named(engine)::FORKS
        { **able.slice(*DECLARED), processes:, preload: able.fetch(:preload) && processes,
          streaming: nil, websocket: nil, connections: nil, proxy_needed: nil, workers: processes,
          counted: true, survives: true, drains: server::DRAINS, ends: server::ENDS,
          restarts: server::RESTARTS, reports: server::REPORTS }
      end
    end
  end
end
