# frozen_string_literal: true

module Mohs
  module Importers
    # Batches of requests, as in the raw data of kazakov-2023 (docs/published.md, Raw data):
    # LEVEL/TRIAL/result.csv. The second half of the batches counts, as in mohs repro.
    class Thesis < Base
      #: (String) -> bool
      def self.recognise?(head)
        (Repro::RawData::COLUMNS - head.lines.first.to_s.chomp.split(",")).empty?
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples
        trial = Repro::RawData.trial(source.path)
        batches = trial.batches.last((trial.batches.size / 2.0).ceil)
        latency_ms = %i[p50 p99].to_h do |name|
          [name, Stats::Center.median(batches.map(&:"#{name}_ms"))]
        end
        good, seconds = batches.sum(&:good), batches.sum(&:seconds)
        [sample(value: good / seconds, requests: good, seconds:, latency_ms:, variant: level,
                lacks: [lack("batches"), lack("errors_unknown")])]
      end

      private

      # The folder of the level, as published; nil for a file located elsewhere.
      def level
        level, trial = File.expand_path(source.path).split("/")[-3, 2]
        name(level) if trial&.match?(/\A\d+\z/) && level && !level.empty?
      end
    end
  end
end
