# frozen_string_literal: true

module Mohs
  module Importers
    # hyperfine (https://github.com/sharkdp/hyperfine): --export-json. Each execution is a process
    # of its own, and thus a run.
    class Hyperfine < Base
      #: (String) -> bool
      def self.recognise?(head)
        head.match?(/\A\{\s*"results":\s*\[/) && head.include?('"command"') &&
          head.include?('"mean"')
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        results = source.json.fetch("results")
        runs = results.sum { |result| result["times"].to_a.size }
        raise RangeError, "more than #{MOST_RUNS} executions" if runs > MOST_RUNS

        results.flat_map do |result|
          variant = name(result.fetch("command"))
          times = result["times"]
          next [one(variant, result.fetch("mean"), lack("mean_only"))] unless times

          codes = result["exit_codes"].to_a
          times.zip(codes).map { |time, code| one(variant, time, failed: code && code != 0) }
        end
      end

      private

      def one(variant, time, *lacks, failed: false)
        sample(measure: Analysis::Imports::TIME, value: number(time), variant:,
               errors: failed ? { "exit_status" => 1 } : {},
               lacks: [lack("in_a_row"), *lacks, (lack("exit_status") if failed)].compact)
      end
    end
  end
end
