# frozen_string_literal: true

module Mohs
  module Gate
    # Reads the section `gates` of a study file (sections/gates.yml).
    class StudyFile
      #: (Study::File) -> void
      def initialize(file)
        @file = file
      end

      # What it adds to the declaration. Only `mohs gate` reads that.
      #: () -> { gates: Array[Gate::Page]? }
      def to_h = { gates: @file.listed("gates")&.map { |path, entry| page(path, entry) } }

      private

      def page(path, entry)
        Page.new(request: @file.request(entry, path), name: entry["name"]&.to_s,
                 limits: limits(entry["limits"], "#{path}/limits"))
      end

      def limits(texts, path)
        [texts].flatten.compact.map.with_index(1) do |text, index|
          @file.at("#{path}/#{index}") { Compare::Condition.parse(text.to_s) }
        end
      end
    end
  end
end
