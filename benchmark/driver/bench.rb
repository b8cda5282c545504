# frozen_string_literal: true

module Mohs
  module DriverBenchmark
    # Loads nginx with wrk or the native driver, for the other parts of the benchmark.
    class Bench
      # CPU per request of the tool, and its rate.
      Figure = Struct.new(:us, :per_s, keyword_init: true)

      CAPACITY_PER_S = 200_000

      attr_reader :rounds, :seconds

      #: (Nginx, cpu: Integer, rounds: Integer, seconds: Integer) -> void
      def initialize(server, cpu:, rounds:, seconds:)
        @server = server
        @cpu = cpu
        @rounds = rounds
        @seconds = seconds
        @floor = Floor.new(cpu:, seconds:)
      end

      #: (Integer, Symbol) -> Figure
      def wrk(connections, keep_alive)
        target = Load::Target.new(connections:, keep_alive:, **tcp)
        figure(Drivers.fetch("wrk").new(targets: [target], cpus: [@cpu]))
      end

      # place: where to connect; arrivals: for an open loop.
      #: (Integer, Symbol, ?place: Hash[Symbol, untyped], ?arrivals: Load::Arrivals?) -> Figure
      def mohs(connections, keep_alive, place: tcp, arrivals: nil)
        driver(connections, keep_alive, place:, capacity: CAPACITY_PER_S * @seconds) do |driver|
          figure(driver, arrivals:)
        end
      end

      # Yields a driver that compares every response with the expected one.
      #: (Integer, Symbol, ?place: Hash[Symbol, untyped], **untyped) { (Drivers::Native) -> void } -> void
      def driver(connections, keep_alive, place: tcp, **options)
        check = Load::Check.new(mode: :exact, body: @server.answer)
        target = Load::Target.new(connections:, keep_alive:, requests: [Load::Request.new(check:)],
                                  **place)
        driver = Drivers.fetch("native").new(targets: [target], cpus: [@cpu], **options)
        yield driver
      ensure
        driver&.close
      end

      #: () -> Hash[Symbol, untyped]
      def tcp = { host: "127.0.0.1", port: @server.port }

      #: () -> Hash[Symbol, untyped]
      def unix = { unix: @server.path }

      # The minimum for any client.
      #: (Integer, ?place: Hash[Symbol, untyped], ?per_s: Integer) -> Figure
      def floor(connections, place: tcp, per_s: 0)
        @floor.call(place.values_at(:unix, :port).compact.first, connections, per_s:)
      end

      # For each round, every side's figure, in the order of the sides; they take turns in going
      # first.
      #: (*Proc) -> Array[Array[Figure]]
      def in_turn(*sides)
        Array.new(@rounds) do |round|
          figures = sides.each_index.to_a.rotate(round).to_h { |side| [side, sides[side].call] }
          figures.sort.map(&:last)
        end
      end

      private

      def figure(driver, arrivals: nil)
        step = Load::Step.new(duration_ns: @seconds * 1_000_000_000, arrivals:)
        result = driver.run([step]).first
        raise result.errors.to_s if result.errors.any?

        Figure.new(us: result.driver_cpu_ns / 1e3 / (result.sent || result.completed),
                   per_s: Load.rate_per_s([result]))
      end
    end
  end
end
