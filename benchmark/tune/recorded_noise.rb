# frozen_string_literal: true

require "json"

module Mohs
  module TuneBenchmark
    # Noise as real cohorts had it: the log differences of an application with itself that `rake
    # calibrate` recorded (test/fixtures/cohorts), with their heavy tails, their restless hours and
    # what lasts from one cohort to the next. Each setting walks through a session's comparisons
    # in the order in which they were measured, from a random cohort on. Which of two that are the
    # same is A is for nobody to say: the sign is drawn anew for each comparison.
    class RecordedNoise
      # Fewer cohorts than these repeat themselves too soon.
      FEWEST = 100

      # Of one session: its name, and { comparison => [log differences, of a standard deviation of
      # 1] } as a list.
      Session = Struct.new(:name, :comparisons, keyword_init: true)

      #: () -> Array[TuneBenchmark::RecordedNoise::Session]
      def self.sessions
        Dir[File.join(Mohs.root, "test/fixtures/cohorts/*.json")].sort.filter_map do |path|
          entries = JSON.parse(File.read(path), symbolize_names: true).fetch(:entries)
          logs = entries.select { |entry| entry[:kind] == "live" && entry[:case] == "aa" }
                        .map { |entry| entry[:differences].filter_map(&:first) }.reject(&:empty?)
          Session.new(name: File.basename(path, ".json"), comparisons: scaled(logs)) \
            if logs.sum(&:size) >= FEWEST
        end
      end

      def self.scaled(logs)
        spread = Math.sqrt(Stats::Center.mean(logs.flatten.map { |log| log**2 }))
        logs.map { |comparison| comparison.map { |log| log / spread } }
      end
      private_class_method :scaled

      #: (TuneBenchmark::RecordedNoise::Session, random: Random) -> void
      def initialize(session, random:)
        @comparisons = session.comparisons
        @random = random
      end

      # Of one setting in so many rounds, of a standard deviation of 1.
      #: (Integer) -> Array[Float]
      def series(count)
        index = @random.rand(@comparisons.size)
        from = @random.rand(@comparisons[index].size)
        found = []
        while found.size < count
          sign = @random.rand < 0.5 ? 1 : -1
          found.concat(@comparisons[index].drop(from).map { |log| sign * log })
          index, from = (index + 1) % @comparisons.size, 0
        end
        found.first(count)
      end
    end

    # Independent normal deviates, to check the levels themselves by (Box and Muller 1958).
    class NormalNoise
      #: (random: Random) -> void
      def initialize(random:)
        @random = random
      end

      #: (Integer) -> Array[Float]
      def series(count)
        Array.new(count) do
          Math.sqrt(-2 * Math.log(1 - @random.rand)) * Math.cos(2 * Math::PI * @random.rand)
        end
      end
    end
  end
end
