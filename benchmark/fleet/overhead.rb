# frozen_string_literal: true

# What does a fleet add to a cohort's time on one host? The same run, alternately by itself and by a
# worker of this machine, both with the same PostgreSQL: the time from the end of one cohort to the
# end of the next.
#
#     ruby benchmark/fleet/overhead.rb PAIRS ROUNDS APP VARIANT...

require_relative "laboratory"

module Mohs
  # Pairs of runs, each half of a pair first in turn.
  class FleetOverheadBenchmark
    HOW = { alone: [], fleet: ["--fleet", "--in-place"] }.freeze

    #: (Integer, Integer, String, Array[String]) -> void
    def initialize(pairs, rounds, app, variants)
      @pairs = pairs
      @laboratory = FleetLaboratory.new(
        ["run", "--app", File.expand_path(app), "--rounds", rounds.to_s,
         *variants.flat_map { |one| ["--variant", one] }],
      )
    end

    #: () -> void
    def call
      @laboratory.open do
        @laboratory.with_worker("a") do
          more = Array.new(@pairs) { |index| pair(index) }.sort
          puts format("median of %<pairs>d: %<median>+.1f %% (%<least>+.1f to %<most>+.1f)",
                      pairs: @pairs, median: more[more.size / 2], least: more.first,
                      most: more.last)
        end
      end
    end

    private

    # By how many percent a cohort takes longer.
    def pair(index)
      names = index.even? ? HOW.keys : HOW.keys.reverse
      each = names.to_h { |name| [name, cohort_s(HOW.fetch(name))] }
      more = 100 * ((each[:fleet] / each[:alone]) - 1)
      puts format("a cohort in %<alone>.2f s alone, %<fleet>.2f s by the fleet: %<more>+.1f %%",
                  **each, more:)
      more
    end

    def cohort_s(options)
      ends = @laboratory.ends(options)
      (ends.last - ends.first) / 1000.0 / (ends.size - 1)
    end
  end
end

if $PROGRAM_NAME == __FILE__
  pairs, rounds, app, *variants = ARGV
  Mohs::FleetOverheadBenchmark.new(Integer(pairs), Integer(rounds), app, variants).call
end
