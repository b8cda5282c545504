# frozen_string_literal: true

module Mohs
  module Importers
    # wrk's output (https://github.com/wg/wrk), with quantiles if it had --latency.
    class Wrk < Base
      include Shared::Summary

      #: (String) -> bool
      def self.recognise?(head)
        head.match?(/^Running \S+ test @ /) && head.include?("Thread Stats") &&
          !head.start_with?("{")
      end

      FIRST = /^Running \S+ test @ /

      #: () -> Array[Analysis::Imports::Sample]
      def samples = outputs(FIRST).map { |text| summary(text) }
    end
  end
end
