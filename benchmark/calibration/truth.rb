# frozen_string_literal: true

module Mohs
  module Calibration
    # The true cost of the injected loop: two server processes, one on each half of the machine as
    # in a duet, take turns in having the loop switched on while they are loaded. Each process is
    # compared with itself without the loop, so there is no spread between boots, and a loop that
    # costs a fifth is measured to a hundredth of that; a shorter one costs proportionally less.
    class Truth
      # Approximate cost of the loop that is measured.
      SHARE = 0.2

      # The first guess, far below a per cent of any request, and the number of blocks per guess.
      ROUNDS = 1000
      GUESS_BLOCKS = 6
      MOST_ROUNDS = 200_000_000

      WARM_UP_NS = 2_000_000_000

      #: (server: Calibration::Server, seconds: Numeric, random: Random) -> void
      def initialize(server:, seconds:, random:)
        @server = server
        @seconds = seconds
        @random = random
      end

      # { kind:, rounds:, blocks:, throughput:, cpu:, error: }: log differences caused by so many
      # rounds (negative is slower), and the standard error of the first.
      #: () -> Hash[Symbol, untyped]
      def call
        halves = Cohort::Layout.for("duet", %w[off on])
        cpus = halves.places.first(halves.at_once).map(&:cpus)
        @server.run(cpus:, driver_cpus: halves.driver_cpus) do
          @slice_ns = slice_ns
          measured(guess)
        end
      end

      private

      # Slices after the warm-up, as long as a cohort's.
      def slice_ns
        results = @server.load(duration_ns: WARM_UP_NS, warm_up: true)
        rate = results.map { |result| Load.rate_per_s([result]) }.min
        Cohort::Schedule.new(orders: [], rates: { "off" => rate }).slice_ns
      end

      # Rounds that cost about SHARE.
      def guess
        rounds = ROUNDS
        loop do
          cost = Math.exp(-difference(blocks(rounds, GUESS_BLOCKS), :cpu_us_per_request)) - 1
          return (rounds * SHARE / cost).round if cost > SHARE / 2
          raise Error, "#{rounds} rounds cost nothing: is the loop served?" if rounds > MOST_ROUNDS

          rounds *= 4
        end
      end

      def measured(rounds)
        count = [(@seconds * 1e9 / (2 * @slice_ns)).round, GUESS_BLOCKS].max
        pair = blocks(rounds, count)
        each = Stats::Effect.block_differences(*pair, :throughput_per_s).values
        { kind: "truth", rounds:, blocks: each.size,
          throughput: difference(pair, :throughput_per_s),
          cpu: difference(pair, :cpu_us_per_request),
          error: deviation(each) / Math.sqrt(each.size) }
      end

      # Median absolute deviation from the median, scaled to be a standard deviation.
      def deviation(values)
        median = Stats::Center.median(values)
        off = values.map { |value| (value - median).abs }
        Stats::Spread::MAD_SCALE * Stats::Center.median(off)
      end

      def difference(pair, metric) = Stats::Effect.difference(*pair, metric)

      # Slices without and with the loop: in each block every server has one of each.
      def blocks(rounds, count)
        pair = { 0 => [], rounds => [] }
        count.times do |block|
          [[0, rounds], [rounds, 0]].shuffle(random: @random).each do |each|
            @server.burn(each)
            each.zip(@server.load(duration_ns: @slice_ns)) do |state, result|
              pair[state] << { block:, good: result.good, wall_ns: result.wall_ns,
                               cpu_ns: result.cpu_ns }
            end
          end
        end
        pair.values
      end
    end
  end
end
