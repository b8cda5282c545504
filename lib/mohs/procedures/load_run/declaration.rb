# frozen_string_literal: true

module Mohs
  class LoadRun
    # The declaration of a load:
    #   server          LoadRun::Server
    #   requests        [App::Request]; none for a `scenario` (Load::Scenario, with the name of its
    #                   `scenario_file`)
    #   mix             App::Traffic::Mix that requests were taken from, or nil
    #   connections, max_connections, keep_alive, source_addresses   as in Load::Target
    #   threads, cpus, seed, spin  of the driver (cpus nil: where the kernel likes); `tool`: the
    #                   name of another driver than ours, or nil
    #   count, duration_s  one of them, or neither if the times are given; `batches`: how many
    #                   `count` is, or nil
    #   arrivals        [Load::Arrivals] one after the other; [] for a closed loop
    #   limit           Load::Limit: the highest rate under it is searched for within duration_s,
    #                   with requests that fall due as `search` says (:poisson or :constant)
    #   open_per_s      event streams or WebSockets: how many of the connections are opened per
    #                   second; nil: not such a load. `websocket`: WebSockets, over which messages
    #                   fall due as `arrivals` says; `cable`: the Http::Cable that they join;
    #                   `fan_out`: each message should come to all; `publish`: the path to which
    #                   messages to event streams are posted; `storm`: a Load::Storm (or nil);
    #                   `connection_limit`: a LoadRun::ConnectionLimit: the highest number of
    #                   connections that keeps it is searched for within duration_s, beginning with
    #                   `connections` (open_per_s nil: all are opened within a second)
    #   slow            Load::SlowClients::Asked: the load is made twice, first without them and
    #                   then beside them; nil: once
    #   argv, invocation  what was typed, secrets masked: to be shown, and as values (Invocation)
    class Declaration < Struct.new(:server, :requests, :mix, :scenario, :scenario_file,
                                   :connections, :max_connections, :keep_alive, :source_addresses,
                                   :threads, :cpus, :seed, :spin, :tool, :count, :duration_s,
                                   :batches, :arrivals, :limit, :search, :open_per_s, :websocket,
                                   :cable, :fan_out, :publish, :storm, :connection_limit,
                                   :slow, :argv, :invocation, keyword_init: true)
      #: (server: LoadRun::Server, ?connections: Integer, ?keep_alive: Symbol, ?threads: Integer, **untyped) -> void
      def initialize(server:, connections: 1, keep_alive: :on, source_addresses: [], threads: 1,
                     seed: 0, arrivals: [], search: :poisson, argv: [], **)
        super
        freeze
      end

      # Secrets of its requests, which only the server may read.
      #: () -> Array[String]
      def secrets = [*requests, scenario].compact.flat_map(&:secrets)

      # May no other user see one of its headers, whose value came from a file?
      #: () -> bool
      def confidential? = requests.to_a.any? { |request| request.confidential.any? }

      # The path to which messages are posted, without its secrets; nil: none are.
      #: () -> String?
      def masked_publish = (Secrets.mask_path(publish) if publish)

      # Steps of equal length. With given times they need neither a count nor a duration.
      #: () -> Array[Load::Step]
      def steps
        due = arrivals.empty? ? [nil] : arrivals
        duration_ns = (duration_s * 1e9 / due.size).round if duration_s && !count
        due.map { |one| Load::Step.new(count:, duration_ns:, arrivals: one) }
      end

      # As stored in Load::Result.
      #: () -> Hash[Symbol, untyped]
      def asked
        due = arrivals.empty? ? [nil] : arrivals.map(&:facts)
        { **to_h.slice(:connections, :max_connections, :keep_alive, :threads, :seed, :count,
                       :duration_s, :batches).compact, arrivals: due }
      end

      # Options in addition to those that every driver takes.
      #: () -> Hash[Symbol, untyped]
      def driver_options = { spin: spin || nil, cpus: }.compact
    end
  end
end
