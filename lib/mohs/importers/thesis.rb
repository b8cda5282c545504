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
        latency_ms = %i[p50 p99].to_h { |name| [name, trial.settled_ms(:"#{name}_ms")] }
        [sample(value: trial.settled_per_s, requests: trial.settled.sum(&:good),
                seconds: trial.settled.sum(&:seconds), latency_ms:, variant: level,
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
