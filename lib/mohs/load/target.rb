# frozen_string_literal: true

module Mohs
  module Load
    # What is loaded: an address (`host` and `port`, or `unix`, the path of a socket), how many
    # connections, which requests. `keep_alive` is :on, :asked (the request says Connection: close),
    # :fin or :rst (we close after each answer). `workers` are the numbers of the driver's threads
    # that serve it; nil means all of them. In an open loop it opens more while all are
    # busy, up to `max_connections`, and closes those at the step's end. `owned`: the person says
    # that they may load this host, which then need not be this machine. With a `scenario`
    # (Load::Scenario) its clients are the connections, and the requests are its steps'.
    Target = Struct.new(:name, :host, :port, :unix, :connections, :requests, :keep_alive,
                        :timeout_s, :source_addresses, :workers, :max_connections, :owned,
                        :scenario,
                        keyword_init: true) do
      #: (?connections: Integer, ?keep_alive: Symbol, ?timeout_s: Numeric, ?requests: Array[Load::Request]?, ?source_addresses: Array[String]?, ?max_connections: Integer?, ?owned: bool, ?scenario: Load::Scenario?, ?name: String?, ?host: String?, ?port: Integer?, ?unix: String?, ?workers: Array[Integer]?) -> void
      def initialize(connections: 1, keep_alive: :on, timeout_s: 10, requests: nil,
                     source_addresses: nil, max_connections: nil, owned: false, scenario: nil,
                     **rest)
        super(connections:, max_connections: max_connections || connections, keep_alive:,
              timeout_s:, scenario:,
              requests: requests || scenario&.requests || [Request.new],
              source_addresses: source_addresses || [], owned:, **rest)
        freeze
      end
    end

    # In the order of the core's enum mohs_keep_alive.
    Target::KEEP_ALIVE = %i[on asked fin rst].freeze
  end
end
