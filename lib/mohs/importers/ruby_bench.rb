# frozen_string_literal: true

module Mohs
  module Importers
    # ruby-bench, formerly yjit-bench (https://github.com/ruby/ruby-bench): its output_NNN.json. The
    # iterations of a benchmark share one process, so a file has one run of each benchmark.
    class RubyBench < Base
      MEASURE = Analysis::Imports::Measure.new(name: "time of an iteration", unit: "s", more: false)

      #: (String) -> bool
      def self.recognise?(head)
        head.match?(/\A\{\s*"metadata":\s*\{/) && head.include?('"raw_data"')
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        source.json.fetch("raw_data").flat_map do |variant, benchmarks|
          benchmarks.map do |benchmark, result|
            times = result.fetch("bench").map { |time| number(time) }
            raise ArgumentError, "#{name(benchmark)} has no iteration" if times.empty?

            sample(measure: MEASURE, value: Stats::Center.mean(times), variant: name(variant),
                   benchmark: name(benchmark), seconds: times.sum, lacks: [lack("one_process")])
          end
        end
      end
    end
  end
end
