# frozen_string_literal: true

module Mohs
  module DriverBenchmark
    # CPU per request of the driver, which records, parses and checks every answer, beside wrk's.
    class Cost
      # What is done at once, what of it is compared with wrk's over TCP, and the goal.
      CASES = {
        "CPU a request, keep-alive, 32 connections" => [32, :on, 0.95],
        "CPU a request, keep-alive, 100 connections" => [100, :on, 0.95],
        "CPU a request, `Connection: close`, 32 connections" => [32, :asked, 0.95],
      }.freeze

      # Of wrk's over TCP: on a unix socket, and where we close by RST and wrk as it does.
      UNIX = 0.35
      RESET = 0.9

      # Of the closed loop's, at half of its rate.
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

      # floor: what does the least with the same; nil where that says nothing.
      def against_wrk(table, name, goal, connections, keep_alive, floor: nil, &ours)
        wrk = -> { @bench.wrk(connections, keep_alive) }
        compare(table, "#{name}, of wrk's", goal, @bench.in_turn(*[wrk, ours, floor].compact))
      end

      # rounds: of each [what it is compared with, ours, the floor's].
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

      # Ours at half the rate that it had: constant arrivals, the same connections.
      def open_loop(table)
        rate = (mohs(32, :on).per_s / 2).round
        arrivals = Load::Arrivals.new(kind: :constant, rate_per_s: rate)
        rounds = @bench.in_turn(-> { mohs(32, :on) }, -> { mohs(32, :on, arrivals:) },
                                -> { @bench.floor(32, per_s: rate) })
        compare(table, "CPU a request, open loop at half the rate, of the closed loop's", OPEN,
                rounds)
      end

      # Of one side's figure to the first's.
      def ratios(rounds, figure, side) = rounds.map { |all| all[side][figure] / all[0][figure] }

      def middle(values) = values.sort[values.size / 2]
    end
  end
end
