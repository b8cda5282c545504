# frozen_string_literal: true

module Mohs
  class LoadRun
    # What a load is asked for:
    #   server            Load::Server
    #   requests          [App::Request]; of a `scenario` (Load::Scenario, with the name of its
    #                     `scenario_file`) none
    #   mix               App::Traffic::Mix that requests were taken from, or nil
    #   connections, max_connections, keep_alive, source_addresses   as Load::Target has them
    #   threads, cpus, seed, spin   of the driver (cpus nil: where the kernel likes); `tool`: the
    #                     name of another driver than ours, or nil
    #   count, duration_s     one of them, or neither where the times are given; `batches`: how many
    #                     `count` is, or nil
    #   arrivals          [Load::Arrivals] one after the other; [] a closed loop
    #   limit             Load::Limit: the highest rate is searched, within duration_s, with
    #                     requests that fall due as `search` says (:poisson or :constant)
    #   argv              what was typed, secrets masked
    class Declaration < Struct.new(:server, :requests, :mix, :scenario, :scenario_file,
                                   :connections, :max_connections, :keep_alive, :source_addresses,
                                   :threads, :cpus, :seed, :spin, :tool, :count, :duration_s,
                                   :batches, :arrivals, :limit, :search, :argv, keyword_init: true)
      #: (server: Load::Server, ?connections: Integer, ?keep_alive: Symbol, ?threads: Integer, **untyped) -> void
      def initialize(server:, connections: 1, keep_alive: :on, source_addresses: [], threads: 1,
                     seed: 0, arrivals: [], search: :poisson, argv: [], **)
        super
        freeze
      end

      # What only the server may read of its requests.
      #: () -> Array[String]
      def secrets = [*requests, scenario].compact.flat_map(&:secrets)

      # They all have the same length. Given times need neither a number nor a time in s.
      #: () -> Array[Load::Step]
      def steps
        due = arrivals.empty? ? [nil] : arrivals
        duration_ns = (duration_s * 1e9 / due.size).round if duration_s && !count
        due.map { |one| Load::Step.new(count:, duration_ns:, arrivals: one) }
      end

      # As Load::Result keeps it.
      #: () -> Hash[Symbol, untyped]
      def asked
        due = arrivals.empty? ? [nil] : arrivals.map(&:facts)
        { **to_h.slice(:connections, :max_connections, :keep_alive, :threads, :seed, :count,
                       :duration_s, :batches).compact, arrivals: due }
      end

      # Beside those that every driver takes.
      #: () -> Hash[Symbol, untyped]
      def driver_options = { spin: spin || nil, cpus: }.compact
    end
  end
end
