# frozen_string_literal: true

module Mohs
  module DriverBenchmark
    # CPU per request of the driver, which records, parses and checks every response, beside wrk's.
    class Cost
      # Name in the table => [connections, keep_alive, goal relative to wrk].
      CASES = {
        "CPU a request, keep-alive, 32 connections" => [32, :on, 0.95],
        "CPU a request, keep-alive, 100 connections" => [100, :on, 0.95],
        "CPU a request, `Connection: close`, 32 connections" => [32, :asked, 0.95],
      }.freeze

      # Goals relative to wrk over TCP: for a unix socket, and for closing by RST, where wrk closes
      # as usual.
      UNIX = 0.35
      RESET = 0.9

      # Goal relative to the closed loop, at half its rate.
      OPEN = 1.3

      #: (Bench) -> void
      def initialize(bench)
        @bench = bench
      end

      #: (Table) -> void
      def call(table)
        CASES.each do |name, (connections, keep_alive, goal)|
          floor = (-> { @bench.floor(connections) } if keep_alive == :on)
          against_wrk(table, name, goal, connections, keep_alive, floor:) do
            mohs(connections, keep_alive)
          end
        end
        against_wrk(table, "CPU a request, closed by RST, 32 connections", RESET, 32, :asked) do
          mohs(32, :rst)
        end
        unix_socket(table)
        open_loop(table)
      end

      private

      def mohs(...) = @bench.mohs(...)

      def unix_socket(table)
        floor = -> { @bench.floor(32, place: @bench.unix) }
        against_wrk(table, "CPU a request, unix socket to TCP, 32 connections", UNIX, 32, :on,
                    floor:) { mohs(32, :on, place: @bench.unix) }
      end

      # floor: the minimum for the same load; nil if that is meaningless.
      def against_wrk(table, name, goal, connections, keep_alive, floor: nil, &ours)
        wrk = -> { @bench.wrk(connections, keep_alive) }
        compare(table, "#{name}, of wrk's", goal, @bench.in_turn(*[wrk, ours, floor].compact))
      end

      # rounds: for each [what it is compared with, ours, the floor's].
      def compare(table, name, goal, rounds)
        cpu = ratios(rounds, :us, 1)
        table.at_most(name, goal, middle(cpu),
                      format("(%.2f to %.2f; %s; rate x %.2f%s)", *cpu.minmax, us(rounds),
                             middle(ratios(rounds, :per_s, 1)), floor(rounds)))
      end

      def us(rounds)
        rounds.transpose.take(2).reverse.map { |side| middle(side.map(&:us)).round(2) }.join(" / ")
              .concat(" us")
      end

      def floor(rounds)
        return unless rounds.first[2]

        format("; the system calls alone x %.2f", middle(ratios(rounds, :us, 2)))
      end

      # The driver at half of its rate: constant arrivals, the same connections.
      def open_loop(table)
        rate = (mohs(32, :on).per_s / 2).round
        arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: rate)
        rounds = @bench.in_turn(-> { mohs(32, :on) }, -> { mohs(32, :on, arrivals:) },
                                -> { @bench.floor(32, per_s: rate) })
        compare(table, "CPU a request, open loop at half the rate, of the closed loop's", OPEN,
                rounds)
      end

      # Ratio of one side's figure to the first side's, per round.
      def ratios(rounds, figure, side) = rounds.map { |all| all[side][figure] / all[0][figure] }

      def middle(values) = values.sort[values.size / 2]
    end
  end
end
