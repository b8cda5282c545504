# frozen_string_literal: true

require "json"

module Mohs
  module TuneBenchmark
    # The noise of real cohorts: the log differences of an application with itself that `rake
    # calibrate` recorded (test/fixtures/cohorts), with their heavy tails, their restless hours and
    # what lasts from one cohort to the next. Each setting walks through a session's comparisons in
    # the order in which they were measured, starting at a random cohort. Which of two equal sides
    # is called A is arbitrary, so the sign is drawn anew for each comparison.
    class RecordedNoise
      # A session with fewer cohorts than this would repeat itself too soon.
      FEWEST = 100

      # A session: its name, and its comparisons, each a list of log differences, scaled to a
      # standard deviation of 1.
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

      # The noise of one setting in so many rounds, with a standard deviation of 1.
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

    # Independent normal deviates, to check the levels themselves (Box and Muller 1958).
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
