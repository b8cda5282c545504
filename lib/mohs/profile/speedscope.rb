# frozen_string_literal: true

require "json"

module Mohs
  class Profile
    # A profile as a file for https://www.speedscope.app and viewers that read the same format:
    # https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources.
    class Speedscope
      SCHEMA = "https://www.speedscope.app/file-format-schema.json"

      # name: the variant's.
      #: (Profile, name: String) -> void
      def initialize(profile, name:)
        @profile = profile
        @name = name
      end

      #: () -> String
      def to_s
        JSON.generate({ "$schema": SCHEMA, name: @name, exporter: "mohs #{VERSION}",
                        shared: { frames: }, profiles: })
      end

      private

      def frames
        @profile.frames.map do |frame|
          { name: frame.name, file: frame.path, line: frame.line }.reject { |_, one| one == 0 }
        end
      end

      # One profile for each kind: time on a core, and time that requests waited.
      def profiles
        KINDS.filter_map do |kind|
          stacks = @profile.stacks.select { |(of, _), _| of == kind }
          next if stacks.empty?

          weights = stacks.values
          { type: "sampled", name: "#{@name} (#{kind})", unit: "microseconds", startValue: 0,
            endValue: weights.sum, samples: stacks.keys.map(&:last), weights: }
        end
      end
    end
  end
end
