# frozen_string_literal: true

module Mohs
  module Importers
    # oha (https://github.com/hatoo/oha): --output-format json; -j before 1.9.
    class Oha < Base
      include Shared::Summary

      #: (String) -> bool
      def self.recognise?(head)
        head.start_with?("{") && head.include?('"summary"') && head.include?('"latencyPercentiles"')
      end

      #: () -> Array[Analysis::Imports::Sample]
      def samples = [summary(source.text)]
    end
  end
end
